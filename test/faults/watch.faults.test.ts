// Faults of watches and connections against the scripted API server, named after the catalogue of what operators get wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CacheChange } from '../../kube/cache.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { movableTime } from '../kube/connect.ts';
import {
  configMap,
  converged,
  eventually,
  type Projection,
  rig,
  runInformer,
  SCOPE,
  startServer,
} from '../kube/rig.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { type Fault, ScriptedApiServer } from './scripted-api-server.ts';
import { isWatch, proveAlive, setup, watchingInFakeTime } from './watch-rig.ts';

/** Faults of a watch, and the lists they cost: only what may have hidden a change costs one. */
const WATCH_FAULTS: Readonly<Record<string, readonly [Fault, lists: number]>> = {
  'is reset': [{ kind: 'reset' }, 0],
  'answers 400': [{ kind: 'status', status: 400, reason: 'BadRequest' }, 1],
  'answers 422': [{ kind: 'status', status: 422, reason: 'Invalid' }, 1],
  'answers 500': [{ kind: 'status', status: 500, reason: 'InternalError' }, 0],
  'answers 503': [{ kind: 'status', status: 503, reason: 'ServiceUnavailable' }, 0],
  'answers 401': [{ kind: 'status', status: 401, reason: 'Unauthorized' }, 0],
  'answers 429': [{ kind: 'status', status: 429, reason: 'TooManyRequests', retryAfter: '1' }, 0],
  'begins its answer and is cut': [{ kind: 'bytes', bytes: '', end: 'cut' }, 0],
  'sends half a line and is cut': [{ kind: 'bytes', bytes: '{"type":"ADD', end: 'cut' }, 0],
  'sends half a line and ends': [{ kind: 'bytes', bytes: '{"type":"ADD', end: 'whole' }, 1],
};

for (const protocol of ['h2', 'http1'] as const) {
  for (const [what, [fault, lists]] of Object.entries(WATCH_FAULTS)) {
    test(`faults/1 a watch that ${what} is taken up again, with ${lists} lists (${protocol})`, async (t) => {
      const s = await setup(t, protocol);
      let met = 0;
      s.server.interceptNext(1, (request) => {
        const answer = isWatch(fault)(request);
        if (answer !== undefined) met += 1;
        return answer;
      });
      s.server.endWatches();
      await proveAlive(s);
      assert.deepEqual([met, s.server.lists('configmaps') - 1], [1, lists]);
    });
  }
}

test('faults/1 a server that is gone and comes back is followed again, by all at once', async (t) => {
  const s = await setup(t);
  const second = runInformer(s.r, { namespace: 'default' });
  t.after(() => second.stop());
  await second.informer.whenSettled(t.signal);
  await s.server.close();
  s.server.store.write(SCOPE, 'create', configMap('meanwhile'));
  s.server.store.delete(SCOPE, 'a');
  await eventually(() => s.r.log.named('a watch lost its connection').length >= 2, 'both noticed');
  await s.server.listen();
  await converged(s.running.informer, s.server);
  await converged(second.informer, s.server);
});

test('faults/1 the server is not stormed while it is down: one probe each half second for all', async (t) => {
  const server = await startServer(t);
  const clock = new FakeClock();
  await using r = rig(server, { clock });
  const all = Array.from({ length: 11 }, () => runInformer(r, { clock }));
  t.after(() => Promise.all(all.map(({ stop }) => stop())));
  await Promise.all(all.map(({ informer }) => informer.whenSettled(t.signal)));
  await eventually(() => server.watching() === 11, 'all watch');
  const up = server.intercept(({ path }) =>
    path === '/readyz' ? { kind: 'status', status: 503 } : { kind: 'reset' },
  );
  const before = server.seen.length;
  const probes = (): number => server.seen.filter(({ path }) => path === '/readyz').length;
  server.cutConnections();
  for (let probe = 1; probe <= 6; probe += 1) {
    await eventually(() => probes() === probe && clock.nextInMs === 500, 'one more probe was answered');
    await clock.advance(499);
    assert.equal(probes(), probe);
    await clock.advance(1);
  }
  await eventually(() => probes() === 7 && clock.nextInMs === 500, 'the last probe was answered');
  // Each may have tried once before it waits, and a lost GET is sent twice.
  const others = server.seen.length - before - probes();
  assert.ok(others <= 2 * 11, `${others} others`);
  up();
  await clock.advance(500);
  await eventually(() => server.watching() === 11, 'all watch again');
  assert.equal(probes(), 8);
});

for (const protocol of ['h2', 'http1'] as const) {
  test(`faults/2 a half-open connection is noticed and replaced without a LIST (${protocol})`, async (t) => {
    const server = await ScriptedApiServer.start(protocol);
    const proxy = await CuttingProxy.start('127.0.0.1', server.port);
    server.store.write(SCOPE, 'create', configMap('a'));
    const r = rig({ url: `https://127.0.0.1:${proxy.port}`, ca: server.ca }, { pingMs: 200 });
    const running = runInformer(r, protocol === 'http1' ? { silenceMs: 300 } : {});
    t.after(async () => {
      await running.stop();
      await r.transport.close();
      await proxy.close();
      await server.close();
    });
    await running.informer.whenSettled(t.signal);
    await eventually(() => server.watching() === 1, 'the watch is open');
    proxy.swallow();
    server.store.write(SCOPE, 'create', configMap('unseen'));
    proxy.pass();
    await converged(running.informer, server);
    assert.equal(server.lists('configmaps'), 1, 'taken up from the last version');
  });
}

test('faults/2 a connection that answers pings and no requests is left for a new one', async (t) => {
  const { server, running, clock } = await watchingInFakeTime(t);
  const wedged = server.seen.at(-1)?.clientPort;
  server.intercept(({ clientPort }) => (clientPort === wedged ? { kind: 'hang' } : undefined));
  server.endWatches();
  await eventually(() => server.seen.length === 2, 'the next watch waits for its answer');
  server.store.write(SCOPE, 'create', configMap('unseen'));
  await clock.advance(30_000);
  await converged(running.informer, server);
  assert.equal(server.seen.filter(({ clientPort }) => clientPort === wedged).length, 2);
  assert.equal(server.lists('configmaps'), 1);
});

test('faults/2 a watch that was taken up again and says nothing is questioned within seconds', async (t) => {
  const { server, running, clock } = await watchingInFakeTime(t);
  let mute = 0;
  server.interceptNext(1, (request) => {
    const answer = isWatch({ kind: 'bytes', bytes: '', end: 'never' })(request);
    if (answer !== undefined) mute += 1;
    return answer;
  });
  server.cutConnections();
  await eventually(() => mute === 1, 'the watch that hears nothing');
  server.store.write(SCOPE, 'create', configMap('unseen'));
  await clock.advance(10_000);
  await eventually(() => server.seen.at(-1)?.query.get('limit') === '1', 'asked');
  await clock.advance(5_000);
  await converged(running.informer, server);
  assert.equal(server.lists('configmaps'), 1);
});

test('faults/2 a picture is confirmed soon after a cut, so that cuts alone do not make it stale', async (t) => {
  const server = await startServer(t);
  const { fake, clock } = movableTime();
  await using r = rig(server);
  await using running = runInformer(r, { clock });
  const { informer } = running;
  await informer.whenSettled(t.signal);
  const watches = (): readonly number[] =>
    server.seen
      .filter(({ query }) => query.get('watch') === 'true')
      .map(({ query }) => Number(query.get('timeoutSeconds')));
  for (let cut = 1; cut <= 3; cut += 1) {
    await eventually(() => server.watching() === 1, 'watching');
    const before = watches().length;
    fake.advanceSync(60_000);
    server.cutConnections();
    await eventually(() => watches().length === before + 1 && server.watching() === 1, 'watching again');
    assert.equal(watches().at(-1), 5, 'a short watch, whose bookmark comes soon');
    server.bookmark('configmaps');
    server.endWatches();
    await eventually(() => watches().length === before + 2, 'the next one');
    assert.ok((watches().at(-1) ?? 0) >= 300, 'lasts');
    assert.deepEqual([informer.ageMs(), informer.list().kind], [0, 'found']);
  }
  assert.equal(server.lists('configmaps'), 1);
});

test('faults/2 the silence of a picture goes on over cuts, and is questioned before it is stale', async (t) => {
  const server = await startServer(t);
  const clock = new FakeClock();
  await using r = rig(server, { clock });
  await using running = runInformer(r, { clock });
  const { informer } = running;
  await informer.whenSettled(t.signal);
  const seconds = (): number =>
    Number(server.seen.findLast(({ query }) => query.get('watch') === 'true')?.query.get('timeoutSeconds'));
  await eventually(() => server.watching() === 1, 'watching');
  await clock.advance(60_000);
  server.cutConnections();
  await eventually(() => seconds() === 5 && server.watching() === 1, 'a short watch');
  // It ends without a bookmark: the server has nothing newer, and says nothing of what it has.
  await clock.advance(4_000);
  server.endWatches();
  await eventually(() => seconds() >= 300 && server.watching() === 1, 'a lasting watch');
  assert.equal(informer.ageMs(), 64_000);
  await clock.advance(1_000);
  await eventually(() => informer.ageMs() === 0, 'asked and confirmed');
  assert.equal(server.seen.at(-1)?.query.get('limit'), '1');
  assert.equal(server.lists('configmaps'), 1);
});

test('faults/1 a damaged TLS stream costs one connection, not the watch', async (t) => {
  const server = await ScriptedApiServer.start();
  const proxy = await CuttingProxy.start('127.0.0.1', server.port);
  const r = rig({ url: `https://127.0.0.1:${proxy.port}`, ca: server.ca });
  const running = runInformer(r);
  t.after(async () => {
    await running.stop();
    await r.transport.close();
    await proxy.close();
    await server.close();
  });
  await running.informer.whenSettled(t.signal);
  for (let i = 0; i < 5; i += 1) {
    await eventually(() => server.watching() === 1, 'watching');
    proxy.garble();
    proxy.refuse();
    server.store.write(SCOPE, 'create', configMap(`m-${i}`));
    await eventually(() => proxy.open === 0, 'cut off');
    proxy.pass();
    await converged(running.informer, server);
  }
  assert.equal(server.lists('configmaps'), 1);
});

test('faults/3 a quiet kind keeps its version fresh by bookmarks', async (t) => {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  const { fake, clock } = movableTime();
  await using r = rig(server);
  await using running = runInformer(r, { clock });
  const { informer } = running;
  await informer.whenSettled(t.signal);
  await eventually(() => server.watching() === 1, 'watching');
  // Other kinds move the version on; of that a quiet kind hears by bookmarks only.
  for (let i = 0; i < 5; i += 1) server.store.tick();
  const { revision } = server.store;
  fake.advanceSync(60_000);
  assert.equal(informer.ageMs(), 60_000);
  server.bookmark('configmaps');
  await eventually(() => informer.ageMs() === 0, 'the bookmark confirms');
  // Only a watch from the bookmark's version is still served now.
  server.store.compact('configmaps');
  server.endWatches();
  await eventually(() => server.watching() === 1 && server.seen.length === 2, 'watching again');
  server.store.write(SCOPE, 'create', configMap('b'));
  await converged(informer, server);
  const resumed = server.seen.at(-1);
  assert.equal(resumed?.query.get('resourceVersion'), String(revision));
  assert.equal(resumed?.query.get('allowWatchBookmarks'), 'true');
  assert.equal(server.lists('configmaps'), 1);
});

for (const [how, expire] of [
  [
    'as an HTTP status',
    (server: ScriptedApiServer) => {
      server.interceptNext(1, isWatch({ kind: 'status', status: 410, reason: 'Expired' }));
      server.endWatches();
    },
  ],
  [
    'as an ERROR event at the start of a watch',
    (server: ScriptedApiServer) => {
      server.store.vanish(SCOPE, 'none');
      server.endWatches();
    },
  ],
  [
    'as an ERROR event with the connection left open',
    (server: ScriptedApiServer) => {
      server.errorToWatches('configmaps', {
        status: 410,
        reason: 'Expired',
        message: 'too old resource version',
      });
    },
  ],
] as const) {
  for (const lists of ['served', 'refused'] as const) {
    test(`faults/3 410 ${how} is answered by one list, streaming lists ${lists}`, async (t) => {
      const s = await setup(t);
      s.server.streamingLists = lists;
      const changes: CacheChange<Projection>[] = [];
      s.running.informer.subscribe((change) => changes.push(change));
      const before = s.server.lists('configmaps');
      // What happened while the version expired can be told by no event.
      s.server.store.vanish(SCOPE, 'a');
      expire(s.server);
      await converged(s.running.informer, s.server);
      assert.deepEqual(
        changes.map(({ kind, key }) => `${kind} ${key}`),
        ['deleted default/a'],
      );
      const lists_ = s.server.lists('configmaps') - before;
      // One that is not understood is asked for without a version before it is asked for in pages.
      assert.equal(lists_, lists === 'served' ? 1 : 3);
      const list = s.server.seen.findLast(({ query }) => query.get('resourceVersionMatch') !== null);
      assert.equal(list?.query.get('resourceVersionMatch'), 'NotOlderThan', 'not back in time');
      await proveAlive(s);
    });
  }
}

test('faults/3 a list that cannot be had at the last version is made without one', async (t) => {
  const s = await setup(t);
  s.server.intercept((request) =>
    request.query.get('sendInitialEvents') === 'true' && request.query.get('resourceVersion') !== null
      ? {
          kind: 'status',
          status: 504,
          reason: 'Timeout',
          message: 'Too large resource version: 9, current: 8',
        }
      : undefined,
  );
  s.server.errorToWatches('configmaps', { status: 410, reason: 'Expired', message: 'too old' });
  await proveAlive(s);
});

test('faults/4 deletes lost during a gap are recovered', async (t) => {
  const s = await setup(t);
  const deleted: CacheChange<Projection>[] = [];
  s.running.informer.subscribe((change) => deleted.push(change));
  const port = s.server.port;
  await s.server.close();
  s.server.store.vanish(SCOPE, 'a');
  s.server.store.vanish(SCOPE, 'b');
  await s.server.listen();
  assert.equal(s.server.port, port);
  await converged(s.running.informer, s.server);
  assert.deepEqual(
    deleted.map((change) => [change.kind, change.key, 'previous' in change ? change.previous.text : '']),
    [
      ['deleted', 'default/a', '0'],
      ['deleted', 'default/b', '0'],
    ],
  );
});
