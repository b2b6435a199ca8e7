// Controller: one pass per key at a time, retries with growing delays, results counted, stops cleanly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  Controller,
  type ControllerOptions,
  PassTimeoutError,
  type Reconcile,
} from '../../kube/controller.ts';
import { WorkQueue } from '../../kube/workqueue.ts';
import { Metrics } from '../../runtime/metrics.ts';
import { CapturedLog } from '../helpers/captured-log.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

function make(reconcile: Reconcile, options: Partial<ControllerOptions> = {}) {
  const clock = new FakeClock();
  const metrics = new Metrics();
  const log = new CapturedLog();
  const queue = new WorkQueue({ name: 'test', clock, metrics });
  const controller = new Controller({ name: 'test', queue, reconcile, clock, log, metrics, ...options });
  const stop = new AbortController();
  const done = controller.run(stop.signal);
  const value = async (name: string): Promise<number> => {
    const line = (await metrics.render()).split('\n').find((text) => text.startsWith(`${name} `));
    assert.ok(line, name);
    return Number(line.split(' ')[1]);
  };
  return {
    clock,
    log,
    queue,
    stop,
    value,
    end: async () => {
      stop.abort();
      await done;
      queue.stop();
      assert.equal(clock.pending, 0);
    },
  };
}

test('controller/each outcome has its own way on, and its own count', async () => {
  const seen: string[] = [];
  const c = make((key) => {
    seen.push(key);
    if (key === 'later') return Promise.resolve({ kind: 'requeueAfter', ms: 60_000 });
    if (key === 'hopeless') return Promise.resolve({ kind: 'terminal', error: new Error('hopeless') });
    if (key === 'flaky' && seen.filter((name) => name === 'flaky').length <= 3) throw new Error('flaky');
    return Promise.resolve({ kind: 'done' });
  });
  for (const label of ['success', 'error', 'requeue', 'requeue_after']) {
    assert.equal(await c.value(`controller_runtime_reconcile_total{controller="test",result="${label}"}`), 0);
  }
  for (const key of ['fine', 'later', 'hopeless', 'flaky']) c.queue.add(key);
  await c.clock.advance(59_000);
  assert.deepEqual(seen, ['fine', 'later', 'hopeless', 'flaky', 'flaky', 'flaky', 'flaky']);
  assert.equal(c.queue.failures('flaky'), 0, 'forgotten on success');
  await c.clock.advance(2_000);
  assert.equal(seen.at(-1), 'later');
  const total = (result: string) =>
    c.value(`controller_runtime_reconcile_total{controller="test",result="${result}"}`);
  assert.deepEqual([await total('success'), await total('error'), await total('requeue_after')], [2, 4, 2]);
  assert.equal(await c.value('controller_runtime_terminal_reconcile_errors_total{controller="test"}'), 1);
  assert.equal(await c.value('controller_runtime_reconcile_errors_total{controller="test"}'), 4);
  assert.equal(await c.value('controller_runtime_max_concurrent_reconciles{controller="test"}'), 1);
  assert.equal(await c.value('controller_runtime_active_workers{controller="test"}'), 0);
  assert.equal(c.log.named('pass failed').length, 3);
  assert.equal(c.log.named('pass failed for good').length, 1);
  await c.end();
});

test('controller/lines of a pass carry its object and an id of its own', async () => {
  const ids: string[] = [];
  const c = make((_key, { log, passId }) => {
    ids.push(passId);
    log.info('working');
    return Promise.resolve({ kind: 'done' });
  });
  c.queue.add('ns/a');
  c.queue.add('b');
  await c.clock.advance(1);
  assert.equal(new Set(ids).size, 2);
  assert.deepEqual(
    c.log.named('working').map(({ fields }) => fields),
    [
      { controller: 'test', namespace: 'ns', name: 'a', passId: ids[0] },
      { controller: 'test', name: 'b', passId: ids[1] },
    ],
  );
  await c.end();
});

test('controller/keys that are not owned are dropped without a pass', async () => {
  const seen: string[] = [];
  const c = make(
    (key) => {
      seen.push(key);
      return Promise.resolve({ kind: 'done' });
    },
    { owns: (key) => key !== 'theirs' },
  );
  c.queue.add('theirs');
  c.queue.add('ours');
  await c.clock.advance(1);
  assert.deepEqual(seen, ['ours']);
  await c.end();
});

test('faults/23 a stop aborts the passes that run, waits for them, and takes no new ones', async () => {
  const events: string[] = [];
  const c = make(async (key, { signal }) => {
    events.push(`start ${key}`);
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    events.push(`end ${key}`);
    throw new Error('aborted');
  });
  c.queue.add('a');
  c.queue.add('b');
  await c.clock.advance(1);
  await c.end();
  assert.deepEqual(events, ['start a', 'end a']);
  assert.equal(c.log.named('pass failed').length, 0, 'a pass that was called off did not fail');
});

test('controller/a pass that takes too long is aborted and tried again', async () => {
  let attempts = 0;
  const c = make(
    (_key, { signal }) => {
      attempts += 1;
      if (attempts > 1) return Promise.resolve({ kind: 'done' });
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    },
    { passTimeoutMs: 5_000 },
  );
  c.queue.add('a');
  await c.clock.advance(6_000);
  assert.equal(attempts, 2);
  assert.ok(c.log.named('pass failed')[0]?.fields.error instanceof PassTimeoutError);
  await c.end();
});

test('controller/a nonsensical number of workers is refused with its value', () => {
  assert.throws(() => make(() => Promise.resolve({ kind: 'done' }), { workers: 0 }), /from 1 on, not 0/);
});

test('faults/9 with many workers and random failures no key is worked on twice at once and all end well', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(50), fc.boolean()), { maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      async (adds, workers) => {
        const working = new Set<string>();
        const twice: string[] = [];
        const wanted = new Map<string, number>();
        const reached = new Map<string, number>();
        const fate = adds.map(([, , fails]) => fails);
        const clockOf: { current?: FakeClock } = {};
        const c = make(
          async (key) => {
            if (working.has(key)) twice.push(key);
            working.add(key);
            const level = wanted.get(key) ?? 0;
            await new Promise<void>((resolve) => {
              clockOf.current?.timers.after(7, resolve);
            });
            working.delete(key);
            if (fate.shift() === true) throw new Error('unlucky');
            reached.set(key, level);
            return { kind: 'done' };
          },
          { workers },
        );
        clockOf.current = c.clock;
        for (const [key, wait] of adds) {
          wanted.set(key, (wanted.get(key) ?? 0) + 1);
          c.queue.add(key);
          if (wait > 40) await c.clock.advance(wait - 40);
        }
        await c.clock.advance(600_000);
        assert.deepEqual(reached, wanted, 'the last state was seen');
        assert.deepEqual(twice, [], 'worked on twice at once');
        await c.end();
      },
    ),
    { numRuns: 40 },
  );
});
