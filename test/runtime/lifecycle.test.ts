// runAll: start in order, stop in reverse, the first failure stops all, nobody is waited for longer than allowed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Component, ComponentEndedError, DrainTimeoutError, runAll } from '../../runtime/lifecycle.ts';
import { CapturedLog } from '../helpers/captured-log.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

function component(name: string, events: string[], more: Partial<Component> = {}): Component {
  return {
    name,
    run: async (signal) => {
      events.push(`start ${name}`);
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      events.push(`stop ${name}`);
    },
    ...more,
  };
}

function options() {
  const clock = new FakeClock();
  return { clock, log: new CapturedLog(), timers: clock.timers, drainMs: 1_000 };
}

test('runtime/components start in order, each when the one before is ready, and stop in reverse', async () => {
  const events: string[] = [];
  const stop = new AbortController();
  const { clock, ...rest } = options();
  let ready = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const done = runAll(
    stop.signal,
    [component('a', events, { ready: () => gate }), component('b', events), component('c', events)],
    rest,
  );
  await clock.advance(0);
  assert.deepEqual(events, ['start a']);
  ready();
  await clock.advance(0);
  assert.deepEqual(events, ['start a', 'start b', 'start c']);
  stop.abort();
  await done;
  assert.deepEqual(events.slice(3), ['stop c', 'stop b', 'stop a']);
  assert.equal(clock.pending, 0);
});

test('runtime/a component that fails or ends by itself stops all the others', async () => {
  for (const [run, expected] of [
    [() => Promise.reject(new Error('broken')), /broken/],
    [() => Promise.resolve(), ComponentEndedError],
  ] as const) {
    const events: string[] = [];
    const { clock, ...rest } = options();
    const failing = component('bad', events, { run });
    await assert.rejects(
      runAll(new AbortController().signal, [component('a', events), failing, component('b', events)], rest),
      expected,
    );
    assert.equal(events.at(-1), 'stop a');
    assert.equal(clock.pending, 0);
  }
});

test('runtime/a component that cannot get ready stops those before it and starts none after', async () => {
  const events: string[] = [];
  const { clock, ...rest } = options();
  const late = component('b', events, { ready: () => Promise.reject(new Error('no caches')) });
  await assert.rejects(
    runAll(new AbortController().signal, [component('a', events), late, component('c', events)], rest),
    /no caches/,
  );
  assert.deepEqual(events, ['start a', 'start b', 'stop b', 'stop a']);
  assert.equal(clock.pending, 0);
});

test('runtime/stopping ends at the drain deadline and says who was late', async () => {
  const events: string[] = [];
  const stop = new AbortController();
  const { clock, ...rest } = options();
  const stuck = component('stuck', events, { run: () => new Promise(() => undefined) });
  const done = assert.rejects(
    runAll(stop.signal, [component('a', events), stuck], rest),
    (error: unknown) =>
      error instanceof DrainTimeoutError && error.message === 'stuck did not stop within 1000 ms',
  );
  await clock.advance(0);
  stop.abort();
  await clock.advance(1_000);
  await done;
  assert.deepEqual(events, ['start a', 'stop a'], 'those that can still stop do');
});

test('runtime/a stop asked for before the start starts nothing', async () => {
  const events: string[] = [];
  const { clock: _clock, ...rest } = options();
  await runAll(AbortSignal.abort(), [component('a', events)], rest);
  assert.deepEqual(events, []);
});
