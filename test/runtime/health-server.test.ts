// HealthServer: named checks, reasons withheld, metrics beside or apart, addresses that are taken are named.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HealthServer, type HealthServerOptions, ListenError } from '../../runtime/health-server.ts';
import { Metrics } from '../../runtime/metrics.ts';
import { CapturedLog } from '../helpers/captured-log.ts';

const LOOPBACK = { host: '127.0.0.1', port: 0, flag: '--health-address' };

async function serve(options: Partial<HealthServerOptions> = {}) {
  const log = new CapturedLog();
  const server = new HealthServer({ health: LOOPBACK, log, ...options });
  const stop = new AbortController();
  const done = server.run(stop.signal);
  await server.ready();
  const get = async (path: string, port = server.port, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return { status: response.status, text: await response.text() };
  };
  return {
    server,
    log,
    get,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await done;
    },
  };
}

test('runtime/readiness names what is missing and withholds why', async () => {
  let reason: string | undefined = 'the lease of cluster secret-name is gone';
  await using s = await serve({
    ready: [
      { name: 'caches', check: () => reason },
      { name: 'leader', check: () => undefined },
    ],
  });
  const failing = await s.get('/readyz');
  assert.equal(failing.status, 503);
  assert.equal(failing.text, '[-]caches failed: reason withheld\n[+]leader ok\n1 of 2 checks failed\n');
  assert.equal(s.log.named('health check failed')[0]?.fields.reason, reason);
  assert.equal((await s.get('/healthz')).status, 200);
  reason = undefined;
  assert.deepEqual(await s.get('/readyz?verbose'), { status: 200, text: '[+]caches ok\n[+]leader ok\nok\n' });
});

test('runtime/a check that throws is a check that fails', async () => {
  await using s = await serve({
    live: [
      {
        name: 'broken',
        check: () => {
          throw new Error('boom');
        },
      },
    ],
  });
  const answer = await s.get('/healthz');
  assert.deepEqual([answer.status, answer.text.includes('boom')], [503, false]);
});

test('runtime/metrics are served beside health, or apart on their own address only', async () => {
  const metrics = new Metrics();
  metrics.counter({ name: 'a_total', help: 'A.', zero: [{}] });
  {
    await using s = await serve({ metrics });
    assert.match((await s.get('/metrics')).text, /^a_total 0$/m);
  }
  await using s = await serve({ metrics, metricsAddress: { ...LOOPBACK, flag: '--metrics-address' } });
  assert.equal((await s.get('/metrics')).status, 404);
  assert.match((await s.get('/metrics', s.server.metricsPort)).text, /^a_total 0$/m);
  assert.equal((await s.get('/healthz', s.server.metricsPort)).status, 404);
});

test('runtime/a page that cannot be made is logged with what went wrong, and tells nothing', async () => {
  const metrics = new Metrics();
  const broken = new Error('boom');
  metrics.gauge({
    name: 'a',
    help: 'A.',
    collect: () => {
      throw broken;
    },
  });
  await using s = await serve({ metrics });
  assert.deepEqual(await s.get('/metrics'), { status: 500, text: 'internal error\n' });
  assert.deepEqual(s.log.named('a page cannot be made')[0]?.fields, { path: '/metrics', error: broken });
});

test('runtime/no port is claimed for metrics that are not served', async () => {
  await using s = await serve();
  assert.equal(s.server.metricsPort, undefined);
  assert.equal((await s.get('/metrics')).status, 404);
});

test('runtime/only known paths and reading methods are answered', async () => {
  await using s = await serve();
  assert.equal((await s.get('/')).status, 404);
  assert.equal((await s.get('/constructor')).status, 404);
  assert.equal((await s.get('/healthz', s.server.port, 'POST')).status, 405);
  assert.deepEqual(await s.get('/healthz', s.server.port, 'HEAD'), { status: 200, text: '' });
});

test('runtime/an address in use is refused with the flag it came from', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => {
    taken.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  for (const flag of ['--health-address', '--metrics-address']) {
    const address = { host: '127.0.0.1', port, flag };
    const server = new HealthServer({
      log: new CapturedLog(),
      metrics: new Metrics(),
      ...(flag === '--health-address' ? { health: address } : { health: LOOPBACK, metricsAddress: address }),
    });
    await assert.rejects(server.run(new AbortController().signal), (error: unknown) => {
      assert.ok(error instanceof ListenError);
      assert.equal(
        error.message,
        `cannot listen on 127.0.0.1:${port} (${flag}): the address is in use; stop what uses it or choose another port`,
      );
      return true;
    });
    await assert.rejects(server.ready(), ListenError);
  }
});
