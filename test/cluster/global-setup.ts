// Run by `node --test --test-global-setup=test/cluster/global-setup.ts`: clusters for the whole run, if a test asks for them.
import { ClusterDesk, DESK_VARIABLE } from './cluster-desk.ts';
import { whyStub } from './why-stub.ts';

let desk: ClusterDesk | undefined;

/** Called before the test processes start; they inherit the variable. */
export async function globalSetup(): Promise<void> {
  const why = await whyStub();
  if (why !== undefined) process.stderr.write(`${why}\n`);
  desk = await ClusterDesk.open();
  process.env[DESK_VARIABLE] = desk.path;
}

/** Called when all of them have ended. */
export async function globalTeardown(): Promise<void> {
  await desk?.close();
}
