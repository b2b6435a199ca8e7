// What tests of broken watches share: a server with three objects that an informer has read, and proof that it still follows.
import { type TestContext } from 'node:test';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import {
  configMap,
  converged,
  eventually,
  type Projection,
  type Rig,
  rig,
  runInformer,
  type Running,
  SCOPE,
} from '../kube/rig.ts';
import { type Fault, type Intercept, type Protocol, ScriptedApiServer } from './scripted-api-server.ts';

export type Setup = {
  readonly server: ScriptedApiServer;
  readonly r: Rig;
  readonly running: Running<Projection>;
};

/** An informer of this server; both end with the test. */
export function follow(t: TestContext, server: ScriptedApiServer, clock: Clock = systemClock): Setup {
  const r = rig(server, { clock });
  const running = runInformer(r, { clock });
  t.after(async () => {
    await running.stop();
    await r.transport.close();
    await server.close();
  });
  return { server, r, running };
}

/** A server with three objects and an informer that has read them. */
export async function setup(t: TestContext, protocol: Protocol = 'h2'): Promise<Setup> {
  const server = await ScriptedApiServer.start(protocol);
  for (const name of ['a', 'b', 'c']) server.store.write(SCOPE, 'create', configMap(name, '0'));
  const { r, running } = follow(t, server);
  await running.informer.whenSettled(t.signal);
  await eventually(() => server.watching('configmaps') === 1, 'the watch is open');
  return { server, r, running };
}

/** An informer of an empty server that watches, in a time that the test moves. */
export async function watchingInFakeTime(t: TestContext): Promise<Setup & { readonly clock: FakeClock }> {
  const clock = new FakeClock();
  const followed = follow(t, await ScriptedApiServer.start(), clock);
  await followed.running.informer.whenSettled(t.signal);
  await eventually(() => followed.server.watching() === 1, 'watching');
  return { ...followed, clock };
}

/** Writes, and waits until the informer knows. */
export async function proveAlive({ server, running }: Setup): Promise<void> {
  server.store.write(SCOPE, 'create', configMap(`proof-${server.store.revision}`));
  await converged(running.informer, server);
}

export const isWatch: (fault: Fault) => Intercept = (fault) => (request) =>
  request.query.get('watch') === 'true' ? fault : undefined;
