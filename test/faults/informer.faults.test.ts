// Faults that an informer meets with a server a test states line by line.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { KubeClient } from '../../kube/client.ts';
import { ClusterConfigError } from '../../kube/cluster-config.ts';
import { Informer } from '../../kube/informer.ts';
import { KubeConnectionError, type Transport, type TransportResponse } from '../../kube/transport.ts';
import { Metrics } from '../../runtime/metrics.ts';
import { CapturedLog } from '../helpers/captured-log.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

test('faults/1 a streaming list that always breaks off backs off and goes on in pages', async () => {
  const asked: string[] = [];
  const clock = new FakeClock();
  const item = { metadata: { name: 'a', namespace: 'default', resourceVersion: '1' } };
  async function* brokenOff(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${JSON.stringify({ type: 'ADDED', object: item })}\n`);
    throw new KubeConnectionError('cut by something in between');
  }
  const json = (value: unknown): AsyncIterable<Uint8Array> =>
    Readable.from([Buffer.from(JSON.stringify(value))]);
  const transport: Transport = {
    liveness: 'pinged',
    close: async () => undefined,
    request: async ({ path, query = {}, signal }) => {
      const answer = (body: AsyncIterable<Uint8Array>): TransportResponse => ({
        status: 200,
        headers: {},
        body,
      });
      if (path === '/readyz') return answer(json('ok'));
      asked.push(
        query['watch'] === undefined
          ? 'pages'
          : query['sendInitialEvents'] === undefined
            ? 'watch'
            : 'streamed',
      );
      if (query['watch'] === undefined)
        return answer(json({ metadata: { resourceVersion: '5' }, items: [item] }));
      if (query['sendInitialEvents'] !== undefined) return answer(brokenOff());
      return answer(silentUntil(signal));
    },
  };
  const stop = new AbortController();
  const options = {
    client: new KubeClient({ transport, clock }),
    clock,
    log: new CapturedLog(),
    metrics: new Metrics(),
  };
  const informer = new Informer({ ...options, type: CONFIG_MAPS, project: (object) => object });
  const running = informer.run(stop.signal);
  for (let i = 0; i < 400 && !informer.settled(); i += 1) await clock.advance(250);
  assert.ok(informer.settled());
  assert.deepEqual(asked.slice(0, 4), ['streamed', 'streamed', 'streamed', 'pages']);
  stop.abort();
  await clock.advance(0);
  await running;
  assert.equal(clock.pending, 0, 'no timer is left');
});

test('faults/19 a picture without a limit of age arms no timer for it', async () => {
  const clock = new FakeClock();
  const transport: Transport = {
    liveness: 'pinged',
    close: async () => undefined,
    request: async () => ({
      status: 403,
      headers: {},
      body: Readable.from([Buffer.from('{"kind":"Status","code":403,"reason":"Forbidden"}')]),
    }),
  };
  const stop = new AbortController();
  const informer = new Informer({
    client: new KubeClient({ transport, clock }),
    clock,
    log: new CapturedLog(),
    metrics: new Metrics(),
    type: CONFIG_MAPS,
    project: (object) => object,
    maxAgeMs: Number.POSITIVE_INFINITY,
  });
  const running = informer.run(stop.signal);
  await clock.advance(0);
  assert.equal(informer.lookup('default/a').kind, 'unreadable');
  assert.ok((clock.nextInMs ?? 0) >= 30_000, 'only the next try is due');
  stop.abort();
  await clock.advance(0);
  await running;
  assert.equal(clock.pending, 0);
});

test('faults/19 credentials that cannot be had count as a connection that failed, not as a failing server', async () => {
  const [clock, metrics, stop] = [new FakeClock(), new Metrics(), new AbortController()];
  const transport: Transport = {
    liveness: 'pinged',
    close: async () => undefined,
    request: () => Promise.reject(new ClusterConfigError('the token file cannot be read')),
  };
  const informer = new Informer({
    client: new KubeClient({ transport, clock }),
    clock,
    log: new CapturedLog(),
    metrics,
    type: CONFIG_MAPS,
    project: (object) => object,
  });
  const running = informer.run(stop.signal);
  await clock.advance(0);
  const text = await metrics.render();
  assert.match(text, /^kube_reflector_failures_total\{kind="ConfigMap",cause="connection"\} 1$/m);
  assert.match(text, /^kube_reflector_failures_total\{kind="ConfigMap",cause="server"\} 0$/m);
  stop.abort();
  await running;
});

/** A body that says nothing until it is called off. */
function silentUntil(signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  const body = new Readable({ read: () => undefined });
  signal?.addEventListener('abort', () => body.destroy(new KubeConnectionError('aborted')), { once: true });
  return body;
}
