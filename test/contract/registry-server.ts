// A registry of CNCF Distribution on loopback, with faults on demand. It ends with the test, and with this process.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import { ensureTool } from '../tools/build.ts';

/** What happens to the next requests that match, instead of or beside the true answer. */
export type RegistryFault = {
  /** Regular expression on the path with its query. */
  readonly path: string;
  readonly method?: string;
  /** How many requests it hits. Default: 1,000. */
  readonly times?: number;
  readonly status?: number;
  readonly delayMs?: number;
  /** Ends the connection after so many bytes of the true body. */
  readonly cut?: number;
  readonly body?: string;
  readonly header?: Readonly<Record<string, string>>;
};

export type RegistryServer = {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  faults(...faults: readonly RegistryFault[]): Promise<void>;
  /** Requests so far: `GET /v2/...`. */
  log(): Promise<readonly string[]>;
  stop(): Promise<void>;
};

export type RegistryOptions = {
  readonly user?: string;
  readonly password?: string;
  /** Files of its certificate; absent: plain HTTP. Faults and log are then out of reach. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
};

export async function startRegistry(
  t: Pick<TestContext, 'after'>,
  { user, password = '', tls }: RegistryOptions = {},
): Promise<RegistryServer> {
  const program = await ensureTool('registry');
  // It ends when its standard input closes, which the system sees to however this process ends.
  const args = [
    ...(user === undefined ? [] : ['-user', user, '-password', password]),
    ...(tls === undefined ? [] : ['-cert', tls.certFile, '-key', tls.keyFile]),
  ];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  t.after(stop);
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('error', reject);
    void ended.then(() => reject(new Error('the registry ended before it listened')));
  });
  const { host } = new URL(line);
  const control = `http://${host}/_faults`;
  return {
    host,
    stop,
    async faults(...faults) {
      const body = JSON.stringify(faults.map((fault) => ({ times: 1_000, ...fault })));
      const answer = await request(control, { method: 'PUT', body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`the registry refused the faults: ${answer.statusCode}`);
    },
    async log() {
      const answer = await request(control);
      const { log } = (await answer.body.json()) as { readonly log: readonly string[] };
      return log;
    },
  };
}
