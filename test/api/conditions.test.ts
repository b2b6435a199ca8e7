// Conditions: sticky transition times, the message limit, removal and order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition, removeConditions, setCondition } from '../../api/conditions.ts';

const T0 = Date.UTC(2026, 10, 30, 10, 0, 0);
const parsed = {
  type: 'ContractValid',
  status: 'True',
  reason: 'Parsed',
  message: 'Contract app v1.0.0 is valid',
  observedGeneration: 1,
} as const;

test('controller/41 an equal result moves observedGeneration and leaves the transition time', () => {
  const first = setCondition(undefined, parsed, T0 + 700);
  const second = setCondition(first, { ...parsed, observedGeneration: 2 }, T0 + 60_000);
  assert.deepEqual(second, [
    { ...parsed, observedGeneration: 2, lastTransitionTime: '2026-11-30T10:00:00Z' },
  ]);
});

test('controller/42 another reason with the same status does not move the transition time', () => {
  const first = setCondition(undefined, parsed, T0);
  const second = setCondition(first, { ...parsed, reason: 'ReferenceOnly' }, T0 + 60_000);
  assert.equal(findCondition(second, 'ContractValid')?.reason, 'ReferenceOnly');
  assert.equal(findCondition(second, 'ContractValid')?.lastTransitionTime, '2026-11-30T10:00:00Z');
});

test('another status moves the transition time', () => {
  const first = setCondition(undefined, parsed, T0);
  const second = setCondition(first, { ...parsed, status: 'False', reason: 'Invalid' }, T0 + 60_000);
  assert.equal(findCondition(second, 'ContractValid')?.lastTransitionTime, '2026-11-30T10:01:00Z');
});

test('a message longer than the API server accepts is cut and says so', () => {
  const [condition] = setCondition(undefined, { ...parsed, message: '😀'.repeat(40_000) }, T0);
  assert.ok(condition !== undefined);
  const length = Array.from(condition.message).length;
  assert.ok(length <= 32_768 && length > 32_700, String(length));
  assert.match(condition.message, /… \(\d+ more characters\)$/);
});

test('the list is sorted by type, whatever order it was built in, and removal keeps the rest', () => {
  const ready = { ...parsed, type: 'RuntimeObserved' } as const;
  const oneWay = setCondition(setCondition(undefined, ready, T0), parsed, T0);
  const other = setCondition(setCondition(undefined, parsed, T0), ready, T0);
  assert.deepEqual(oneWay, other);
  assert.deepEqual(
    removeConditions(oneWay, 'ContractValid').map(({ type }) => type),
    ['RuntimeObserved'],
  );
});
