// A port of 127.0.0.1 that is in use for as long as a test runs.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { TestContext } from 'node:test';

export async function takenPort(t: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port');
  return address.port;
}
