// The small parts of the room: lines, events, paths, errors, delays, heap, gate, guard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decodeStatus, KubeApiError } from '../../kube/api-error.ts';
import { Backoff } from '../../kube/backoff.ts';
import { Cache, type CacheChange } from '../../kube/cache.ts';
import { ConnectionGate } from '../../kube/connection-gate.ts';
import { DelayHeap } from '../../kube/delay-heap.ts';
import { splitLines, WatchStreamError } from '../../kube/line-splitter.ts';
import { microTime, secondTime } from '../../kube/micro-time.ts';
import { objectKey, readMeta, splitKey } from '../../kube/object-meta.ts';
import { apiVersion, kindName, resourcePath } from '../../kube/resource.ts';
import { SilenceGuard } from '../../kube/silence-guard.ts';
import { decodeWatch, type WatchEvent } from '../../kube/watch-stream.ts';
import { monotonicTime, wallTime } from '../../runtime/clock.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test('kube/lines come out whole however the bytes were cut', async () => {
  const line = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((text) => !/[\n]/.test(text) && text.trim() !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(2_000)), async (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''), 'utf8');
      assert.deepEqual(await collect(splitLines(chunksOf(bytes, cuts), 10_000)), lines);
    }),
  );
});

test('kube/a line beyond the limit, a cut line and bytes that are not UTF-8 are errors, never lines', async () => {
  const long = Buffer.from(`${'x'.repeat(101)}\n`);
  for (const [bytes, cuts, message] of [
    [long, [], /longer than 100 bytes/],
    [long, [50, 60], /longer than 100 bytes/],
    [Buffer.from('x'.repeat(200)), [50], /longer than 100 bytes/],
    [Buffer.from('{"type":'), [], /ended within a line/],
    [Buffer.from([0xc3, 0x28, 0x0a]), [1], /not valid UTF-8/],
  ] as const) {
    await assert.rejects(collect(splitLines(chunksOf(bytes, cuts), 100)), (error: unknown) => {
      assert.ok(error instanceof WatchStreamError);
      assert.match(error.message, message);
      return true;
    });
  }
});

test('kube/a watch leaves managedFields out only when it is told to', async () => {
  const bare = { metadata: { name: 'a', resourceVersion: '7' } };
  const object = { metadata: { ...bare.metadata, managedFields: [{ manager: 'm' }] } };
  const bytes = (): Buffer => Buffer.from(`${JSON.stringify({ type: 'ADDED', object })}\n`);
  for (const cuts of [[], [20, 60]]) {
    const kept = await collect<WatchEvent>(decodeWatch('GET /x', chunksOf(bytes(), cuts)));
    assert.deepEqual(kept, [{ kind: 'added', object }]);
    const dropped = await collect<WatchEvent>(decodeWatch('GET /x', chunksOf(bytes(), cuts), 'drop'));
    assert.deepEqual(dropped, [{ kind: 'added', object: bare }]);
  }
});

test('kube/watch events are decoded by type, and object contents never reach an error', async () => {
  const object = { metadata: { name: 'a', namespace: 'n', resourceVersion: '7' } };
  const lines = [
    { type: 'ADDED', object },
    { type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } },
    {
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } } },
    },
    { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } },
  ];
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const events = await collect<WatchEvent>(decodeWatch('GET /x', chunksOf(bytes, [])));
  assert.deepEqual(events.slice(0, 3), [
    { kind: 'added', object },
    { kind: 'bookmark', resourceVersion: '8', marks: 'progress' },
    { kind: 'bookmark', resourceVersion: '9', marks: 'initial-events-end' },
  ]);
  const last = events[3];
  assert.ok(last?.kind === 'error' && last.error.isGone);
  const secret = Buffer.from('{"type":"ADDED","object":{"data":"hunter2"\n');
  await assert.rejects(collect(decodeWatch('GET /x', chunksOf(secret, []))), (error: unknown) => {
    assert.ok(error instanceof WatchStreamError);
    assert.doesNotMatch(`${error.message} ${String(error.cause)} ${error.stack}`, /hunter2/);
    return true;
  });
});

test('kube/a Status becomes a typed error; anything else does too', () => {
  const body = {
    kind: 'Status',
    code: 409,
    reason: 'AlreadyExists',
    message: 'configmaps "a" already exists',
    details: { retryAfterSeconds: 3, causes: [{ reason: 'X', message: 'y', field: 'z' }, 'odd'] },
  };
  const error = decodeStatus('POST /x', 409, body);
  assert.deepEqual(
    [
      error.status,
      error.reason,
      error.isConflict,
      error.isAlreadyExists,
      error.isNotFound,
      error.retryAfterSeconds,
    ],
    [409, 'AlreadyExists', true, true, false, 3],
  );
  assert.equal(error.message, 'POST /x: configmaps "a" already exists (409 AlreadyExists)');
  assert.deepEqual(error.causes, [{ reason: 'X', message: 'y', field: 'z' }]);
  const html = decodeStatus('GET /x', 503, '<html>secret</html>', '12');
  assert.deepEqual([html.status, html.reason, html.retryAfterSeconds], [503, 'ServiceUnavailable', 12]);
  assert.doesNotMatch(html.message, /secret/);
  assert.equal(
    decodeStatus('GET /x', 429, undefined, 'Wed, 21 Oct 2026 07:28:00 GMT').retryAfterSeconds,
    undefined,
  );
  assert.equal(decodeStatus('GET /x', 418, null).reason, 'Unknown');
  const flags = (status: number): string => {
    const refused = decodeStatus('x', status, {});
    const names = Object.keys(Object.getOwnPropertyDescriptors(KubeApiError.prototype));
    return names.filter((name) => name.startsWith('is') && Reflect.get(refused, name) === true).join(' ');
  };
  assert.equal(flags(401), 'isUnauthorized');
  assert.equal(flags(403), 'isForbidden');
  assert.equal(flags(404), 'isNotFound isNotServed');
  assert.equal(flags(410), 'isGone');
  assert.equal(flags(422), 'isInvalid');
  assert.equal(flags(429), 'isTooManyRequests');
});

test('kube/paths are built as the API serves them, and refuse what cannot be addressed', () => {
  const pod = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
  const deployment = {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    namespaced: true,
  };
  const node = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
  assert.equal(resourcePath(pod), '/api/v1/pods');
  assert.equal(resourcePath(pod, { namespace: 'a' }), '/api/v1/namespaces/a/pods');
  assert.equal(
    resourcePath(deployment, { namespace: 'a', name: 'b', subresource: 'status' }),
    '/apis/apps/v1/namespaces/a/deployments/b/status',
  );
  assert.equal(resourcePath(node, { name: 'n' }), '/api/v1/nodes/n');
  assert.equal(
    resourcePath(pod, { namespace: 'a/../b', name: 'c?d' }),
    '/api/v1/namespaces/a%2F..%2Fb/pods/c%3Fd',
  );
  assert.deepEqual([apiVersion(pod), apiVersion(deployment)], ['v1', 'apps/v1']);
  assert.deepEqual([kindName(pod), kindName(deployment)], ['Pod', 'Deployment.apps']);
  for (const bad of [
    () => resourcePath(node, { namespace: 'a' }),
    () => resourcePath(pod, { name: 'x' }),
    () => resourcePath(pod, { namespace: 'a', subresource: 'status' }),
    () => resourcePath(pod, { namespace: 'a', name: '..' }),
    () => resourcePath(pod, { namespace: '' }),
  ]) {
    assert.throws(bad, TypeError);
  }
});

test('kube/keys and metadata of objects', () => {
  assert.deepEqual([objectKey('', 'a'), objectKey('n', 'a')], ['a', 'n/a']);
  assert.deepEqual(splitKey('n/a'), { namespace: 'n', name: 'a' });
  assert.deepEqual(splitKey('a'), { namespace: '', name: 'a' });
  for (const odd of [null, 1, [], {}, { metadata: null }, { metadata: { name: '', resourceVersion: '1' } }]) {
    assert.equal(readMeta(odd), undefined);
  }
  const inherited = JSON.parse('{"metadata":{"__proto__":{"name":"x"},"resourceVersion":"1"}}') as unknown;
  assert.equal(readMeta(inherited), undefined, 'own properties only');
});

test('kube/times have six digits of a second, or none', () => {
  const time = wallTime(Date.UTC(2026, 10, 30, 1, 2, 3, 45));
  assert.deepEqual(
    [microTime(time), secondTime(time)],
    ['2026-11-30T01:02:03.045000Z', '2026-11-30T01:02:03Z'],
  );
});

test('kube/backoff doubles its ceiling, stays within it, and starts anew after two quiet minutes', () => {
  const clock = new FakeClock();
  for (const random of [0, 0.5, 0.999]) {
    const backoff = new Backoff({ monotonic: clock.monotonic, random: () => random });
    const delays = Array.from({ length: 8 }, () => backoff.next());
    let ceiling = 800;
    for (const delay of delays) {
      assert.ok(delay >= 400 && delay <= ceiling, `${delay} of ${ceiling}`);
      ceiling = Math.min(30_000, ceiling * 2);
    }
    clock.advanceSync(120_001);
    assert.ok(backoff.next() <= 800);
  }
});

test('kube/the heap gives keys in order of time, each once with its earliest', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(1_000))), (adds) => {
      const heap = new DelayHeap();
      const model = new Map<string, number>();
      for (const [key, due] of adds) {
        heap.add(String(key), monotonicTime(due));
        model.set(String(key), Math.min(model.get(String(key)) ?? Number.POSITIVE_INFINITY, due));
      }
      assert.equal(heap.size, model.size);
      let last = -1;
      while (heap.next !== undefined) {
        const due = heap.next;
        assert.equal(heap.takeDue(monotonicTime(due - 1)), undefined);
        const key = heap.takeDue(due);
        assert.ok(key !== undefined && due >= last);
        assert.equal(model.get(key), due);
        model.delete(key);
        last = due;
      }
      assert.equal(model.size, 0);
    }),
  );
});

test('kube/a cache equals its model under random writes, its indexes too', () => {
  type Value = { readonly text: string; readonly tags: readonly string[] };
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  // One version of an object has one content.
  const contents: Readonly<Record<string, Value>> = {
    1: { text: 'one', tags: ['x'] },
    2: { text: 'two', tags: ['x', 'y'] },
    3: { text: 'three', tags: [] },
  };
  const entry = fc.constantFrom('1', '2', '3').map((resourceVersion) => ({
    value: contents[resourceVersion] ?? { text: '', tags: [] },
    resourceVersion,
  }));
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set'), key, entry }),
    fc.record({ kind: fc.constant('delete'), key }),
    fc.record({ kind: fc.constant('replace'), entries: fc.dictionary(key, entry) }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const cache = new Cache<Value>({ tag: ({ tags }) => tags });
      /** What listeners believe, from changes alone. */
      const told = new Map<string, Value>();
      const hear = (change: CacheChange<Value> | undefined): void => {
        if (change === undefined) return;
        if (change.kind === 'added') assert.ok(!told.has(change.key));
        else assert.deepEqual(told.get(change.key), change.previous);
        if (change.kind === 'deleted') told.delete(change.key);
        else told.set(change.key, change.value);
      };
      for (const action of steps) {
        if (action.kind === 'set') hear(cache.set(action.key, action.entry));
        else if (action.kind === 'delete') hear(cache.delete(action.key));
        else {
          const stage = cache.stage();
          for (const [name, staged] of Object.entries(action.entries)) stage.set(name, staged);
          for (const change of cache.adopt(stage)) hear(change);
        }
        assert.deepEqual([...cache.keys()].sort(), [...told.keys()].sort());
        for (const tag of ['x', 'y', 'z']) {
          const expected = [...told]
            .filter(([, { tags }]) => tags.includes(tag))
            .sort(([a], [b]) => (a < b ? -1 : 1));
          assert.deepEqual(
            cache.byIndex('tag', tag),
            expected.map(([, value]) => value),
          );
        }
      }
    }),
  );
  assert.throws(() => new Cache().byIndex('none', 'x'), /no index "none"/);
});

test('kube/the gate probes once for all, every half second, and only while somebody waits', async () => {
  const clock = new FakeClock();
  let answer: number | Error = new Error('refused');
  let probes = 0;
  const gate = new ConnectionGate({
    timers: clock.timers,
    probe: () => {
      probes += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  const stop = new AbortController();
  const passed: string[] = [];
  for (let i = 0; i < 50; i += 1) void gate.pass(stop.signal).then((how) => passed.push(how));
  await clock.advance(5_000);
  assert.deepEqual([passed.length, probes], [0, 11]);
  answer = 503;
  await clock.advance(500);
  assert.equal(passed.length, 0, 'an unready server is not there yet');
  answer = 403;
  await clock.advance(500);
  assert.deepEqual([passed.length, new Set(passed).size, probes], [50, 1, 13]);
  await clock.advance(5_000);
  assert.deepEqual([probes, clock.pending], [13, 0]);
  answer = new Error('refused');
  const aborted = gate.pass(stop.signal);
  await clock.advance(600);
  stop.abort();
  assert.equal(await aborted, 'aborted');
  await clock.advance(5_000);
  assert.equal(clock.pending, 0);
  answer = 200;
  assert.equal(await gate.pass(new AbortController().signal), 'open', 'works again after an abort');
});

test('kube/silence is questioned, and only what stays unexplained is suspect', async () => {
  const clock = new FakeClock();
  const events: string[] = [];
  let answer: 'current' | 'unknown' | Error = 'current';
  const guard = new SilenceGuard({
    clock,
    silenceMs: () => 65_000,
    ask: () => {
      events.push('ask');
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    onCurrent: () => events.push('current'),
    onSuspect: () => events.push('suspect'),
  });
  for (let i = 0; i < 10; i += 1) {
    await clock.advance(60_000);
    guard.heard();
  }
  assert.deepEqual(events, []);
  await clock.advance(65_000);
  assert.deepEqual(events.splice(0), ['ask', 'current']);
  answer = 'unknown';
  await clock.advance(65_000);
  assert.deepEqual(events.splice(0), ['ask']);
  await clock.advance(5_000);
  guard.heard();
  await clock.advance(59_999);
  assert.deepEqual(events, [], 'a word in time clears it');
  answer = new Error('broken');
  await clock.advance(65_000 + 10_000);
  assert.deepEqual(events, ['ask', 'suspect']);
  guard.stop();
  assert.equal(clock.pending, 0);
});

test('kube/a question about silence that is not answered either is called off after ten seconds', async () => {
  for (const [silenceMs, patienceMs] of [
    [65_000, 10_000],
    [10_000, 5_000],
  ] as const) {
    const clock = new FakeClock();
    const events: string[] = [];
    const guard = new SilenceGuard({
      clock,
      silenceMs: () => silenceMs,
      ask: (signal) => {
        events.push('ask');
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            events.push('called off');
            reject(new Error('called off'));
          });
        });
      },
      onCurrent: () => events.push('current'),
      onSuspect: () => events.push('suspect'),
    });
    await clock.advance(silenceMs + patienceMs - 1);
    assert.deepEqual(events, ['ask']);
    await clock.advance(1);
    assert.deepEqual(events, ['ask', 'called off', 'suspect']);
    guard.stop();
    assert.equal(clock.pending, 0);
  }
});
