// Observation windows: ends, the inclusive boundary, what a pass keeps, sets and prunes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObservationWindow } from '../../api/pacto.ts';
import {
  applyStreakUpdates,
  earliestWindowEnd,
  streakKey,
  streakStart,
  windowEnd,
} from '../../api/windows.ts';

const T0 = Date.UTC(2026, 10, 30, 10, 0, 0);
const api: ObservationWindow = {
  kind: 'interface',
  subject: 'api',
  firstObservedNegativeAt: '2026-11-30T10:00:00Z',
};
const declared = new Set([streakKey(api), streakKey({ kind: 'dependency', subject: 'payments' })]);

test('controller/46 an update with a new key adds an entry', () => {
  const updates = [
    { kind: 'interface', subject: 'api', firstObservedNegativeAt: '2026-11-30T10:00:00Z' },
  ] as const;
  assert.deepEqual(applyStreakUpdates(undefined, updates, declared), [api]);
});

test('controller/47 an update for an existing key replaces its time', () => {
  const updates = [
    { kind: 'interface', subject: 'api', firstObservedNegativeAt: '2026-11-30T11:00:00Z' },
  ] as const;
  assert.deepEqual(applyStreakUpdates([api], updates, declared), updates);
});

test('controller/48 an update without a time removes the entry', () => {
  const updates = [{ kind: 'interface', subject: 'api', firstObservedNegativeAt: null }] as const;
  assert.deepEqual(applyStreakUpdates([api], updates, declared), []);
});

test('controller/49 a declared entry without an update is kept', () => {
  assert.deepEqual(applyStreakUpdates([api], [], declared), [api]);
});

test('controller/50 an entry that is no longer declared is removed, with or without an update', () => {
  const gone = {
    kind: 'configuration',
    subject: 'app',
    firstObservedNegativeAt: '2026-11-30T10:00:00Z',
  } as const;
  assert.deepEqual(applyStreakUpdates([gone, api], [], declared), [api]);
  assert.deepEqual(applyStreakUpdates([api], [gone], declared), [api]);
});

test('controller/54 windows are written sorted by kind, then subject', () => {
  const of = (kind: ObservationWindow['kind'], subject: string): ObservationWindow => ({
    ...api,
    kind,
    subject,
  });
  const windows = [of('interface', 'b'), of('interface', 'a'), of('capability', 'health')];
  assert.deepEqual(applyStreakUpdates(windows, [], new Set(windows.map(streakKey))).map(streakKey), [
    'capability/health',
    'interface/a',
    'interface/b',
  ]);
});

test('a window ends at its stored start plus the window, and the end belongs to it', () => {
  assert.equal(windowEnd(api, 120_000), T0 + 120_000);
  assert.equal(earliestWindowEnd([api], 120_000, T0 + 119_999), T0 + 120_000);
  assert.equal(earliestWindowEnd([api], 120_000, T0 + 120_000), undefined);
  assert.equal(windowEnd({ ...api, firstObservedNegativeAt: 'soon' }, 120_000), undefined);
});

test('the start of a streak is rounded up to the next whole second', () => {
  assert.equal(streakStart(T0 + 400), '2026-11-30T10:00:01Z');
  assert.equal(streakStart(T0), '2026-11-30T10:00:00Z');
});

test('the earliest end skips windows that have ended', () => {
  const later: ObservationWindow = { ...api, subject: 'b', firstObservedNegativeAt: '2026-11-30T10:00:30Z' };
  assert.equal(earliestWindowEnd([later, api], 120_000, T0 + 80_000), T0 + 120_000);
  assert.equal(earliestWindowEnd([later, api], 120_000, T0 + 120_000), T0 + 150_000);
  assert.equal(earliestWindowEnd([later, api], 120_000, T0 + 150_000), undefined);
  assert.equal(earliestWindowEnd(undefined, 120_000, T0), undefined);
});
