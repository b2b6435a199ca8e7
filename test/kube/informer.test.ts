// Informer: reads a kind in full, follows it, answers by key and by index, and tells listeners.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CacheChange } from '../../kube/cache.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import {
  configMap,
  converged,
  eventually,
  type Projection,
  rig,
  runInformer,
  SCOPE,
  startServer,
} from './rig.ts';

for (const protocol of ['h2', 'http1', 'plain'] as const) {
  for (const lists of ['served', 'refused'] as const) {
    test(`informer/follows a kind over ${protocol}, streaming lists ${lists}`, async (t) => {
      const server = await startServer(t, protocol);
      server.streamingLists = lists;
      for (let i = 0; i < 250; i += 1) server.store.write(SCOPE, 'create', configMap(`a-${i}`, `${i}`));
      await using r = rig(server);
      await using running = runInformer(r, { indexes: { byText: ({ text }) => [text] } });
      const { informer } = running;
      assert.deepEqual(informer.lookup('default/a-0').kind, 'unreadable');
      await informer.whenSettled(t.signal);
      await converged(informer, server);
      const changes: CacheChange<Projection>[] = [];
      informer.subscribe((change) => changes.push(change));
      server.store.write(SCOPE, 'create', configMap('b', 'x'));
      server.store.write(SCOPE, 'replace', configMap('b', 'y'));
      server.store.delete(SCOPE, 'a-0');
      await eventually(() => changes.length === 3, 'three changes');
      assert.deepEqual(
        changes.map(({ kind, key }) => `${kind} ${key}`),
        ['added default/b', 'updated default/b', 'deleted default/a-0'],
      );
      await converged(informer, server);
      assert.equal(informer.lookup('default/a-0').kind, 'absent');
      const found = informer.byIndex('byText', 'y');
      assert.deepEqual(found.kind === 'found' && found.value.map(({ name }) => name), ['b']);
      assert.deepEqual(informer.byIndex('byText', 'x'), { kind: 'found', value: [] });
      assert.equal(server.lists('configmaps') > 0, true);
    });
  }
}

test('informer/past 90 s without a word nothing is answered, and who asked to be told is told', async (t) => {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  await using r = rig(server);
  const clock = new FakeClock();
  await using running = runInformer(r, { clock });
  const { informer } = running;
  const told: string[] = [];
  informer.onReadability((unreadable) => told.push(unreadable?.cause ?? 'readable'));
  assert.equal(informer.ageMs(), Number.POSITIVE_INFINITY);
  await informer.whenSettled(t.signal);
  await eventually(() => server.watching() === 1, 'watching');
  assert.equal(informer.ageMs(), 0);
  // The server can say nothing: it takes requests and does not answer, and sends no bookmark.
  server.intercept(() => ({ kind: 'hang' }));
  await clock.advance(64_000);
  assert.equal(informer.lookup('default/a').kind, 'found');
  await clock.advance(27_000);
  const stale = informer.lookup('default/a');
  assert.deepEqual(
    [stale.kind, stale.kind === 'unreadable' && stale.cause, stale.kind === 'unreadable' && stale.reason],
    ['unreadable', 'stale', 'ConfigMap was not confirmed by the API server for too long'],
  );
  assert.deepEqual([informer.list().kind, told], ['unreadable', ['readable', 'stale']]);
});

test('informer/silence with an unchanged version is confirmed by asking, without a list', async (t) => {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  await using r = rig(server);
  const clock = new FakeClock();
  await using running = runInformer(r, { clock });
  await running.informer.whenSettled(t.signal);
  await eventually(() => server.watching() === 1, 'watching');
  for (let minute = 0; minute < 5; minute += 1) {
    const asked = server.seen.length;
    await clock.advance(65_000);
    await eventually(() => server.seen.length > asked && running.informer.ageMs() === 0, 'confirmed');
  }
  assert.equal(server.lists('configmaps'), 1);
  assert.equal(server.seen.filter(({ query }) => query.get('limit') === '1').length, 5);
  assert.equal(server.watching(), 1, 'the one watch went on');
});

test('informer/unexplained silence opens a short watch, and a list only when that says nothing either', async (t) => {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  await using r = rig(server);
  const clock = new FakeClock();
  await using running = runInformer(r, { clock });
  await running.informer.whenSettled(t.signal);
  await eventually(() => server.watching() === 1, 'watching');
  const last = () => server.seen.findLast(({ query }) => query.get('watch') === 'true')?.query;
  const silent = async (): Promise<void> => {
    // Other kinds move the version on, so that asking proves nothing.
    server.store.tick();
    const asked = server.seen.length;
    await clock.advance(65_000);
    await eventually(() => server.seen.length > asked, 'asked');
    await eventually(() => (clock.nextInMs ?? 0) <= 10_000, 'answered');
    await clock.advance(10_000);
    await eventually(() => last()?.get('timeoutSeconds') === '5' && server.watching() === 1, 'a short watch');
  };
  await silent();
  server.bookmark('configmaps');
  await eventually(() => running.informer.ageMs() === 0, 'the bookmark confirms');
  server.endWatches();
  await eventually(() => Number(last()?.get('timeoutSeconds')) >= 300, 'a long watch again');
  await eventually(() => server.watching() === 1, 'watching');
  assert.equal(server.lists('configmaps'), 1);
  await silent();
  server.endWatches();
  await eventually(() => running.informer.ageMs() === 0, 'the list confirms');
  assert.equal(server.lists('configmaps'), 2);
});

test('informer/reads metadata only where asked to', async (t) => {
  const server = await startServer(t);
  await using r = rig(server);
  await using running = runInformer(r, {
    representation: 'metadata',
    labelSelector: 'a=b',
    fieldSelector: 'c=d',
  });
  await running.informer.whenSettled(t.signal);
  const [first] = server.seen;
  assert.equal(first?.headers['accept'], 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
  assert.deepEqual([first?.query.get('labelSelector'), first?.query.get('fieldSelector')], ['a=b', 'c=d']);
});

test('informer/a kind that becomes forbidden is unreadable though it was read, and readable again after', async (t) => {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  await using r = rig(server);
  const clock = new FakeClock();
  await using running = runInformer(r, { clock });
  const { informer } = running;
  await informer.whenSettled(t.signal);
  await eventually(() => server.watching() === 1, 'watching');
  const told: string[] = [];
  const events: string[] = [];
  informer.onReadability((unreadable) => told.push(unreadable?.cause ?? 'readable'));
  informer.subscribe(({ kind, key }) => events.push(`${kind} ${key}`));
  const allow = server.intercept(() => ({ kind: 'status', status: 403, reason: 'Forbidden' }));
  server.endWatches();
  await eventually(() => told.length === 1, 'told');
  assert.equal(informer.lookup('default/a').kind, 'unreadable');
  allow();
  server.store.delete(SCOPE, 'a');
  await clock.advance(60_000);
  await eventually(() => told.length === 2, 'told again');
  assert.deepEqual([told, events], [['forbidden', 'readable'], ['deleted default/a']]);
});

test('faults/19 an informer that is stopped between its list and its watch ends, and opens none', async (t) => {
  const server = await startServer(t);
  server.streamingLists = 'refused';
  server.store.write(SCOPE, 'create', configMap('a'));
  await using r = rig(server);
  await using running = runInformer(r);
  const ended = new Promise<void>((resolve) => {
    running.informer.subscribe(() => resolve(running.stop()));
  });
  await ended;
  assert.equal(server.watching(), 0);
});
