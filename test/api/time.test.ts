// Times on the wire: whole seconds, cut or rounded up, and what is no time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTime, formatTimeRoundedUp, parseTime } from '../../api/time.ts';

const AT = Date.UTC(2026, 10, 30, 10, 0, 0);

test('a time is cut to its second, and rounded up only where asked', () => {
  assert.equal(formatTime(AT + 999), '2026-11-30T10:00:00Z');
  assert.equal(formatTimeRoundedUp(AT + 1), '2026-11-30T10:00:01Z');
  assert.equal(formatTimeRoundedUp(AT), '2026-11-30T10:00:00Z');
});

test('RFC 3339 with offset and fraction is read, anything else is not a time', () => {
  assert.equal(parseTime('2026-11-30T10:00:00Z'), AT);
  assert.equal(parseTime('2026-11-30T11:00:00.250+01:00'), AT + 250);
  for (const text of [
    '',
    '2026-11-30',
    '2026-11-30T10:00Z',
    '2026-13-01T00:00:00Z',
    'yesterday',
    '1700000000',
  ]) {
    assert.equal(parseTime(text), undefined, text);
  }
});
