// Clocks, sleeping and trace context; and that the fake clock does what tests rely on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../runtime/clock.ts';
import { sleep } from '../../runtime/sleep.ts';
import { noopTracer, parseTraceparent } from '../../runtime/tracer.ts';
import { FAKE_EPOCH_MS, FakeClock } from '../helpers/fake-clock.ts';

test('runtime/a sleep ends by time or by abort, and leaves neither timer nor listener', async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const elapsed = sleep(clock.timers, 100, stop.signal);
  await clock.advance(100);
  assert.equal(await elapsed, 'elapsed');
  const aborted = sleep(clock.timers, 100, stop.signal);
  stop.abort();
  assert.equal(await aborted, 'aborted');
  assert.equal(await sleep(clock.timers, 100, stop.signal), 'aborted');
  assert.equal(clock.pending, 0);
});

test('runtime/system timers run, can be cancelled, and survive waits longer than a timer can count', async () => {
  const events: string[] = [];
  systemClock.timers.after(1, () => events.push('cancelled'))();
  const cancelFar = systemClock.timers.after(2 ** 33, () => events.push('far'));
  await new Promise<void>((resolve) => {
    systemClock.timers.after(5, resolve);
  });
  cancelFar();
  assert.deepEqual(events, []);
});

test('runtime/the fake clock runs timers in order of time, then of creation, and steps the wall apart', async () => {
  const clock = new FakeClock();
  const events: string[] = [];
  clock.timers.after(20, () => events.push(`late at ${clock.monotonic.now()}`));
  clock.timers.after(10, () => {
    events.push(`first at ${clock.monotonic.now()}`);
    clock.timers.after(5, () => events.push(`nested at ${clock.monotonic.now()}`));
  });
  clock.timers.after(10, () => events.push('second'));
  assert.equal(clock.nextInMs, 10);
  await clock.advance(20);
  assert.deepEqual(events, ['first at 10', 'second', 'nested at 15', 'late at 20']);
  clock.stepWall(-86_400_000);
  assert.equal(clock.monotonic.now(), 20);
  assert.equal(clock.wall.now(), FAKE_EPOCH_MS + 20 - 86_400_000);
});

test('runtime/valid trace context is handed on, malformed is not', () => {
  const valid = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  assert.equal(noopTracer.start('x', valid).traceparent, valid);
  for (const bad of [
    undefined,
    '',
    'x',
    valid.toUpperCase(),
    `${valid}-extra`,
    valid.replace(/[1-9a-f]/g, '0'),
  ]) {
    assert.equal(parseTraceparent(bad), undefined);
    assert.equal(noopTracer.start('x', bad).traceparent, undefined);
  }
});
