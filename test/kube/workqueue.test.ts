// WorkQueue: never two at once, never lost, earliest delay wins, limits as stated; under random histories as well.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { WorkQueue } from '../../kube/workqueue.ts';
import { Metrics } from '../../runtime/metrics.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

function make(limits = {}): { queue: WorkQueue; clock: FakeClock; metrics: Metrics } {
  const clock = new FakeClock();
  const metrics = new Metrics();
  return { queue: new WorkQueue({ name: 'test', clock, metrics, limits }), clock, metrics };
}

/** Takes what is there; a queue with nothing to give leaves the promise open, which the abort ends. */
async function take(queue: WorkQueue): Promise<string | undefined> {
  const stop = new AbortController();
  const taken = queue.get(stop.signal);
  stop.abort();
  return taken;
}

test('workqueue/hands keys out in the order they were added, each once', async () => {
  const { queue } = make();
  for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
  assert.equal(queue.length, 3);
  assert.deepEqual([await take(queue), await take(queue), await take(queue)], ['a', 'b', 'c']);
  assert.equal(await take(queue), undefined);
});

test('faults/9 a key added while it is worked on is handed out again, not at the same time', async () => {
  const { queue } = make();
  queue.add('a');
  assert.equal(await take(queue), 'a');
  queue.add('a');
  queue.add('a');
  assert.equal(await take(queue), undefined, 'not while it is worked on');
  queue.done('a');
  assert.equal(await take(queue), 'a');
  queue.done('a');
  assert.equal(await take(queue), undefined);
});

test('workqueue/a waiting worker gets the key as it is added', async () => {
  const { queue } = make();
  const stop = new AbortController();
  const [first, second] = [queue.get(stop.signal), queue.get(stop.signal)];
  queue.add('a');
  queue.add('b');
  assert.deepEqual([await first, await second], ['a', 'b']);
});

test('workqueue/of two delays the earlier counts, whichever came first', async () => {
  for (const delays of [
    [100, 300],
    [300, 100],
  ]) {
    const { queue, clock } = make();
    for (const ms of delays) queue.addAfter('a', ms);
    clock.advanceSync(99);
    assert.equal(await take(queue), undefined);
    clock.advanceSync(1);
    assert.equal(await take(queue), 'a');
    queue.done('a');
    clock.advanceSync(1_000);
    assert.equal(await take(queue), undefined, 'the later delay is gone with the earlier');
    assert.equal(clock.pending, 0);
  }
});

test('faults/10 retries of one key grow from 5 ms to 1000 s and start anew after a success', async () => {
  const { queue, clock } = make({ perSecond: 1_000_000, burst: 1_000_000 });
  const delays: number[] = [];
  for (let i = 0; i < 20; i += 1) {
    queue.addRateLimited('a');
    delays.push(clock.nextInMs ?? 0);
    clock.advanceSync(clock.nextInMs ?? 0);
    assert.equal(await take(queue), 'a');
    queue.done('a');
  }
  assert.deepEqual(delays.slice(0, 5), [5, 10, 20, 40, 80]);
  assert.equal(delays.at(-1), 1_000_000);
  assert.equal(queue.failures('a'), 20);
  queue.forget('a');
  queue.addRateLimited('a');
  assert.equal(clock.nextInMs, 5);
  queue.stop();
});

test('faults/10 after a burst of 100 failures retries go out at 10 per second', async () => {
  const { queue, clock } = make();
  for (let i = 0; i < 150; i += 1) queue.addRateLimited(`key-${i}`);
  clock.advanceSync(5);
  assert.equal(queue.length, 100);
  clock.advanceSync(995);
  assert.equal(queue.length, 110);
  clock.advanceSync(4_000);
  assert.equal(queue.length, 150);
  queue.stop();
});

test('faults/19 a stopped queue wakes all who wait and leaves no timer', async () => {
  const { queue, clock } = make();
  const stop = new AbortController();
  const waiting = queue.get(stop.signal);
  queue.addAfter('a', 1_000);
  queue.stop();
  assert.equal(await waiting, undefined);
  assert.equal(clock.pending, 0);
  queue.add('b');
  queue.addAfter('c', 5);
  queue.addRateLimited('d');
  assert.equal(await take(queue), undefined);
  assert.equal(clock.pending, 0);
});

test('workqueue/counts under the names dashboards chart', async () => {
  const { queue, clock, metrics } = make();
  queue.add('a');
  queue.add('b');
  queue.add('a');
  await take(queue);
  clock.advanceSync(2_000);
  const text = await metrics.render();
  const labels = '{name="test",controller="test"}';
  assert.match(text, new RegExp(`^workqueue_adds_total${labels} 2$`, 'm'));
  assert.match(text, new RegExp(`^workqueue_depth${labels} 1$`, 'm'));
  assert.match(text, new RegExp(`^workqueue_retries_total${labels} 0$`, 'm'));
  assert.match(text, new RegExp(`^workqueue_unfinished_work_seconds${labels} 2$`, 'm'));
  assert.match(text, new RegExp(`^workqueue_longest_running_processor_seconds${labels} 2$`, 'm'));
  queue.done('a');
  assert.match(await metrics.render(), /^workqueue_work_duration_seconds_sum\{[^}]*\} 2$/m);
});

type Step =
  | { readonly kind: 'add' | 'fail'; readonly key: string }
  | { readonly kind: 'delay'; readonly key: string; readonly ms: number }
  | { readonly kind: 'take' }
  | { readonly kind: 'done'; readonly pick: number }
  | { readonly kind: 'wait'; readonly ms: number };

const KEY = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add', 'fail'), key: KEY }),
  fc.record({ kind: fc.constant('delay'), key: KEY, ms: fc.integer({ min: 1, max: 500 }) }),
  fc.record({ kind: fc.constant('take') }),
  fc.record({ kind: fc.constant('done'), pick: fc.nat(10) }),
  fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 0, max: 400 }) }),
);

test('faults/9 random histories: never two at once, never lost, earliest delay wins', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 120 }), async (steps) => {
      const { queue, clock } = make();
      const working = new Set<string>();
      /** Keys owed to a worker: when at the earliest they were asked for. */
      const owed = new Map<string, number>();
      const owe = (key: string, at: number): void => {
        owed.set(key, Math.min(owed.get(key) ?? Number.POSITIVE_INFINITY, at));
      };
      const takeOne = async (): Promise<void> => {
        const now = clock.monotonic.now();
        const key = await take(queue);
        if (key === undefined) {
          const late = [...owed].filter(([owing, at]) => at <= now && !working.has(owing));
          assert.deepEqual(late, [], 'a due key was not handed out');
          return;
        }
        assert.ok(!working.has(key), `${key} is worked on already`);
        assert.ok((owed.get(key) ?? Number.POSITIVE_INFINITY) <= now, `${key} came before its time`);
        owed.delete(key);
        // Later delays of the same key are still to come; the model owes the earliest only once it was handed out.
        working.add(key);
      };
      const later = new Map<string, number>();
      for (const step of steps) {
        const now = clock.monotonic.now();
        switch (step.kind) {
          case 'add':
            queue.add(step.key);
            owe(step.key, now);
            break;
          case 'fail': {
            queue.addRateLimited(step.key);
            const due = now + 5 * 2 ** (queue.failures(step.key) - 1);
            later.set(step.key, Math.min(later.get(step.key) ?? Number.POSITIVE_INFINITY, due));
            break;
          }
          case 'delay':
            queue.addAfter(step.key, step.ms);
            later.set(step.key, Math.min(later.get(step.key) ?? Number.POSITIVE_INFINITY, now + step.ms));
            break;
          case 'take':
            await takeOne();
            break;
          case 'done': {
            const key = [...working][step.pick % Math.max(1, working.size)];
            if (key !== undefined) {
              working.delete(key);
              queue.done(key);
            }
            break;
          }
          case 'wait':
            clock.advanceSync(step.ms);
            break;
        }
        for (const [key, due] of later) {
          if (due > clock.monotonic.now()) continue;
          later.delete(key);
          owe(key, due);
        }
      }
      // Whatever is still owed comes once workers are free and time passes.
      clock.advanceSync(2_000_000);
      for (const [key, due] of later) owe(key, due);
      for (const key of working) queue.done(key);
      working.clear();
      const came = new Set<string>();
      for (let key = await take(queue); key !== undefined; key = await take(queue)) {
        assert.ok(!came.has(key), 'at most once in line');
        came.add(key);
      }
      for (const key of owed.keys()) assert.ok(came.has(key), `${key} was lost`);
      assert.deepEqual([...came].sort(), [...owed.keys()].sort(), 'nothing came that nobody asked for');
      queue.stop();
      assert.equal(clock.pending, 0);
    }),
    { numRuns: 500 },
  );
});
