// Faults of lists, of what listeners and projections do, and of odd streams, against the scripted API server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../helpers/fake-clock.ts';
import {
  CONFIG_MAP,
  configMap,
  converged,
  eventually,
  rig,
  runInformer,
  SCOPE,
  startServer,
} from '../kube/rig.ts';
import { ScriptedApiServer } from './scripted-api-server.ts';
import { follow, isWatch, proveAlive, setup } from './watch-rig.ts';

test('faults/5 a list is followed over all its pages', async (t) => {
  const server = await startServer(t);
  for (let i = 0; i < 1_234; i += 1) server.store.write(SCOPE, 'create', configMap(`m-${i}`));
  await using r = rig(server);
  const { items } = await r.client.listAll(CONFIG_MAP);
  assert.equal(items.length, 1_234);
  assert.equal(server.seen.length, 3);
});

test('faults/5 a token that expires on page 3 starts the list anew, and nothing of the first is kept', async (t) => {
  const server = await ScriptedApiServer.start();
  server.streamingLists = 'refused';
  for (let i = 0; i < 1_600; i += 1) server.store.write(SCOPE, 'create', configMap(`m-${i}`));
  const r = rig(server);
  let pages = 0;
  const partial: string[] = [];
  const running = runInformer(r);
  t.after(async () => {
    await running.stop();
    await r.transport.close();
    await server.close();
  });
  server.intercept(({ query }) => {
    if (query.get('limit') !== '500') return undefined;
    partial.push(running.informer.list().kind);
    pages += 1;
    if (pages === 3) {
      server.store.vanish(SCOPE, 'm-1');
      server.expirePages();
    }
    return undefined;
  });
  await running.informer.whenSettled(t.signal);
  await converged(running.informer, server);
  assert.equal(running.informer.lookup('default/m-1').kind, 'absent');
  assert.deepEqual(
    new Set(partial),
    new Set(['unreadable']),
    'no page was visible before the list was whole',
  );
});

test('faults/5 a streaming list that is cut before its end is not taken for the whole', async (t) => {
  const server = await ScriptedApiServer.start();
  for (let i = 0; i < 50; i += 1) server.store.write(SCOPE, 'create', configMap(`m-${i}`));
  const [first] = server.store.list(SCOPE);
  server.interceptNext(
    1,
    isWatch({ kind: 'bytes', bytes: `${JSON.stringify({ type: 'ADDED', object: first })}\n`, end: 'whole' }),
  );
  const { running } = follow(t, server);
  await eventually(() => server.seen.length >= 1, 'the first list');
  assert.equal(running.informer.settled(), false);
  await running.informer.whenSettled(t.signal);
  assert.equal(running.informer.size, 50);
});

test('faults/6 versions are opaque: huge and non-numeric ones are compared for equality only', async (t) => {
  const s = await setup(t);
  const versions = ['99999999999999999999999999', '9', 'v2:abc/§', '9'];
  const seen: string[] = [];
  s.running.informer.subscribe(({ kind, key }) => seen.push(`${kind} ${key}`));
  for (const version of versions) {
    const object = {
      ...configMap('odd', version),
      metadata: { name: 'odd', namespace: 'default', resourceVersion: version },
    };
    s.server.writeToWatches('configmaps', `${JSON.stringify({ type: 'MODIFIED', object })}\n`);
  }
  await eventually(() => seen.length === 4, 'each version is a change');
  assert.deepEqual(seen, [
    'added default/odd',
    'updated default/odd',
    'updated default/odd',
    'updated default/odd',
  ]);
  const found = s.running.informer.lookup('default/odd');
  assert.equal(found.kind === 'found' && found.value.text, '9');
  s.server.interceptNext(1, (request) => {
    if (request.query.get('watch') !== 'true') return undefined;
    assert.equal(request.query.get('resourceVersion'), '9');
    return { kind: 'status', status: 410, reason: 'Expired' };
  });
  s.server.endWatches();
  await proveAlive(s);
});

test('faults/7 a slow list settles when it is whole, not before', async (t) => {
  const server = await ScriptedApiServer.start();
  server.intercept(isWatch({ kind: 'hang' }));
  const { running } = follow(t, server);
  await eventually(() => server.seen.length === 1, 'asked');
  assert.deepEqual([running.informer.settled(), running.informer.list().kind], [false, 'unreadable']);
  await assert.rejects(running.informer.whenSettled(AbortSignal.abort(new Error('too slow'))), /too slow/);
});

for (const [status, cause] of [
  [403, 'forbidden'],
  [404, 'notServed'],
] as const) {
  test(`faults/7 a kind answered ${status} is settled and unreadable, and asked for again after 30 to 60 s`, async (t) => {
    const server = await startServer(t);
    const back = server.intercept(isWatch({ kind: 'status', status }));
    const clock = new FakeClock();
    await using r = rig(server, { clock });
    await using running = runInformer(r, { clock });
    const { informer } = running;
    await informer.whenSettled(t.signal);
    for (const answer of [informer.lookup('default/a'), informer.list()]) {
      assert.deepEqual([answer.kind, answer.kind === 'unreadable' && answer.cause], ['unreadable', cause]);
    }
    server.store.write(SCOPE, 'create', configMap('a'));
    back();
    await eventually(() => (clock.nextInMs ?? 0) > 10_000, 'it waits');
    await clock.advance(29_999);
    assert.equal(server.seen.length, 1);
    await clock.advance(30_001);
    await eventually(() => informer.lookup('default/a').kind === 'found', 'it may be read now');
    assert.equal(server.seen.length, 2);
  });
}

test('faults/8 a listener that throws is logged and hurts nobody', async (t) => {
  const s = await setup(t);
  const seen: string[] = [];
  s.running.informer.subscribe(() => {
    throw new Error('clumsy');
  });
  s.running.informer.subscribe(({ key }) => seen.push(key));
  for (let i = 0; i < 10_000; i += 1) s.server.store.write(SCOPE, 'create', configMap(`m-${i}`));
  // Comparing whole pictures of this size again and again would hold up what is waited for.
  await eventually(() => seen.length >= 10_000, 'all were told');
  await converged(s.running.informer, s.server);
  assert.equal(seen.length, 10_000);
  assert.equal(s.r.log.named('a listener failed').length, 10_000);
});

test('faults/8 an object the projection fails on is unreadable, never absent, and not told to be deleted', async (t) => {
  const server = await startServer(t);
  for (const name of ['good', 'turns']) server.store.write(SCOPE, 'create', configMap(name, '1'));
  await using r = rig(server);
  await using running = runInformer(r, {
    indexes: { byText: ({ text }) => [text] },
    project: (object) => {
      const { metadata, data } = object as { metadata: { name: string }; data: { text: string } };
      if (data.text === 'odd') throw new TypeError('cannot read it');
      return { name: metadata.name, namespace: 'default', text: data.text };
    },
  });
  const { informer } = running;
  await informer.whenSettled(t.signal);
  await eventually(() => server.watching() === 1, 'watching');
  const told: string[] = [];
  informer.subscribe((change) => {
    const previous = 'previous' in change ? change.previous.text : '';
    told.push(`${change.kind} ${change.key} ${previous}`);
  });
  informer.onReadability((unreadable) => told.push(unreadable?.cause ?? 'readable'));
  const causes = (): readonly string[] =>
    [informer.lookup('default/turns'), informer.list(), informer.byIndex('byText', '1')].map((answer) =>
      answer.kind === 'unreadable' ? answer.cause : answer.kind,
    );
  server.store.write(SCOPE, 'replace', configMap('turns', 'odd'));
  await eventually(() => causes()[0] !== 'found', 'it came');
  // A list without it would read as if it were gone, and nobody knows which indexes it belongs to.
  assert.deepEqual(causes(), ['undecodable', 'undecodable', 'undecodable']);
  assert.equal(informer.lookup('default/good').kind, 'found');
  assert.equal(informer.lookup('default/other').kind, 'absent');
  server.store.write(SCOPE, 'create', configMap('born', 'odd'));
  server.store.write(SCOPE, 'replace', configMap('turns', '2'));
  await eventually(() => causes()[0] === 'found', 'it can be understood again');
  assert.deepEqual(causes(), ['found', 'undecodable', 'undecodable']);
  server.store.delete(SCOPE, 'born');
  await eventually(() => causes()[1] === 'found', 'none is left');
  server.store.write(SCOPE, 'replace', configMap('turns', 'odd'));
  server.store.delete(SCOPE, 'turns');
  await eventually(() => causes()[0] === 'absent', 'deleted');
  assert.deepEqual(told, [
    'undecodable',
    'updated default/turns 1',
    'readable',
    'undecodable',
    'readable',
    'deleted default/turns 2',
  ]);
});

test('faults/14 fields nobody here knows survive reading and patching', async (t) => {
  const server = await startServer(t);
  await using r = rig(server);
  server.store.write(SCOPE, 'create', {
    ...configMap('a'),
    futureField: { 'x-kubernetes-y': [1, { z: null }] },
  });
  const type = CONFIG_MAP;
  const got = await r.client.get(type, { namespace: 'default', name: 'a' });
  assert.deepEqual((got as Record<string, unknown>)['futureField'], { 'x-kubernetes-y': [1, { z: null }] });
  await r.client.mergePatch(type, { namespace: 'default', name: 'a' }, { data: { text: 'new' } });
  const after = server.store.get(SCOPE, 'a');
  assert.deepEqual(after?.['futureField'], { 'x-kubernetes-y': [1, { z: null }] });
  assert.deepEqual(after?.['data'], { text: 'new' });
});

const MALFORMED: Readonly<Record<string, string | Uint8Array>> = {
  'a line that is not JSON': '{"type":"ADDED","object":\n',
  'a line that is no object': '[1,2]\n',
  'an unknown event type': '{"type":"PATCHED","object":{"metadata":{"name":"x","resourceVersion":"1"}}}\n',
  'an object without a name': '{"type":"ADDED","object":{"metadata":{}}}\n',
  'an object without a version': '{"type":"ADDED","object":{"metadata":{"name":"x"}}}\n',
  'a bookmark without a version': '{"type":"BOOKMARK","object":{"metadata":{}}}\n',
  'bytes that are not UTF-8': Buffer.from([0x22, 0xff, 0xfe, 0x0a]),
  'a NUL': '\u0000\n',
};

for (const [what, bytes] of Object.entries(MALFORMED)) {
  test(`faults/1 ${what} is never skipped: the kind is listed again, and counted`, async (t) => {
    const s = await setup(t);
    // What the unreadable line may have said: only a list can tell.
    s.server.store.vanish(SCOPE, 'a');
    s.server.writeToWatches('configmaps', bytes);
    await converged(s.running.informer, s.server);
    assert.equal(s.server.lists('configmaps'), 2);
    assert.match(
      await s.r.metrics.render(),
      /^kube_reflector_failures_total\{kind="ConfigMap",cause="malformed"\} 1$/m,
    );
    await proveAlive(s);
  });
}

test('faults/1 duplicate and repeated events change nothing', async (t) => {
  const s = await setup(t);
  const seen: string[] = [];
  const [object] = s.server.store.list(SCOPE);
  s.running.informer.subscribe(({ kind, key }) => seen.push(`${kind} ${key}`));
  for (const type of ['ADDED', 'MODIFIED']) {
    s.server.writeToWatches('configmaps', `${JSON.stringify({ type, object })}\n`);
  }
  await proveAlive(s);
  assert.equal(seen.length, 1, 'only the proof');
});

test('faults/1 100 cut watches cost no LIST', async (t) => {
  const s = await setup(t);
  const watches = (): number => s.server.seen.filter(({ query }) => query.get('watch') === 'true').length;
  for (let i = 0; i < 100; i += 1) {
    const before = watches();
    if (i % 2 === 0) s.server.cutConnections();
    else s.server.endWatches();
    s.server.store.write(SCOPE, 'replace', configMap('a', `${i}`));
    await converged(s.running.informer, s.server);
    await eventually(() => watches() > before && s.server.watching('configmaps') === 1, 'open again');
  }
  assert.equal(s.server.lists('configmaps'), 1);
});

test('faults/19 stopping leaves no connection and no timer behind', async (t) => {
  const server = await startServer(t);
  const clock = new FakeClock();
  const r = rig(server, { clock });
  const running = runInformer(r, { clock });
  await running.informer.whenSettled(t.signal);
  await eventually(() => server.watching() === 1, 'watching');
  assert.notEqual(clock.pending, 0);
  await running.stop();
  assert.equal(clock.pending, 0);
  await r.transport.close();
  await eventually(() => server.open === 0, 'no connection is open');
});

test('faults/20 a cached object cannot be changed by who reads it', async (t) => {
  const s = await setup(t);
  const found = s.running.informer.lookup('default/a');
  assert.equal(found.kind, 'found');
  assert.throws(() => {
    if (found.kind === 'found') Object.assign(found.value, { text: 'changed' });
  }, TypeError);
});
