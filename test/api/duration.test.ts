// Durations are read and written as Go does it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatDuration, parseDuration } from '../../api/duration.ts';

function ms(text: string): number {
  const parsed = parseDuration(text);
  assert.equal(parsed.kind, 'duration', text);
  return parsed.kind === 'duration' ? parsed.ms : Number.NaN;
}

test('every form Go accepts has the length Go gives it', () => {
  const expected: readonly (readonly [string, number])[] = [
    ['0', 0],
    ['+0', 0],
    ['-0', 0],
    ['5s', 5_000],
    ['30s', 30_000],
    ['1478s', 1_478_000],
    ['-5s', -5_000],
    ['+5s', 5_000],
    ['5.0s', 5_000],
    ['5.6s', 5_600],
    ['5.s', 5_000],
    ['.5s', 500],
    ['1.004s', 1_004],
    ['100.00100s', 100_001],
    ['10ns', 0.00001],
    ['11us', 0.011],
    ['12µs', 0.012],
    ['12μs', 0.012],
    ['13ms', 13],
    ['15m', 900_000],
    ['16h', 57_600_000],
    ['3h30m', 12_600_000],
    ['10.5s4m', 250_500],
    ['-2m3.4s', -123_400],
    ['1h2m3s4ms5us6ns', 3_723_004.005006],
    ['39h9m14.425s', 140_954_425],
    ['0.3333333333333333333h', 1_200_000],
    ['0.100000000000000000000h', 360_000],
    ['0000000000000000000000001s', 1_000],
  ];
  for (const [text, length] of expected) assert.equal(ms(text), length, text);
});

test('what Go refuses is refused with a reason that quotes the text', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /invalid duration ""/],
    ['3', /missing unit in duration "3"/],
    ['-', /invalid duration/],
    ['s', /invalid duration/],
    ['.', /invalid duration/],
    ['-.', /invalid duration/],
    ['.s', /invalid duration/],
    ['+.s', /invalid duration/],
    ['1d', /unknown unit "d"/],
    ['1 h', /unknown unit " h"/],
    ['10m ', /unknown unit "m "/],
    ['5..6s', /missing unit/],
    ['9223372036854775808ns', /invalid duration/],
    ['3000000h', /invalid duration/],
    [`${'9'.repeat(100_000)}s`, /invalid duration/],
  ];
  for (const [text, reason] of refused) {
    const parsed = parseDuration(text);
    assert.equal(parsed.kind, 'invalid', text.slice(0, 20));
    if (parsed.kind === 'invalid') assert.match(parsed.reason, reason);
  }
  assert.equal(parseDuration('9223372036854775807ns').kind, 'duration');
  assert.equal(parseDuration('-9223372036854775808ns').kind, 'duration');
});

test('lengths are written as Go writes them', () => {
  const expected: readonly (readonly [number, string])[] = [
    [0, '0s'],
    [0.000001, '1ns'],
    [0.0011, '1.1µs'],
    [2.2, '2.2ms'],
    [3_300, '3.3s'],
    [120_000, '2m0s'],
    [245_000, '4m5s'],
    [18_367_000, '5h6m7s'],
    [-1_500, '-1.5s'],
  ];
  for (const [length, text] of expected) assert.equal(formatDuration(length), text);
});

test('writing then reading gives the same milliseconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (length) => {
      assert.equal(ms(formatDuration(length)), length);
    }),
  );
});

test('reading never throws, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('+-.0159nuµsmhd ')) }), (text) => {
      assert.ok(['duration', 'invalid'].includes(parseDuration(text).kind));
    }),
  );
});
