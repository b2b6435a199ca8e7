// The ladder from findings and coverage to one status word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankStatus, summarize } from '../../api/contract-status.ts';
import type { Finding, Severity } from '../../api/finding.ts';

function findings(counts: Partial<Record<Severity, number>>): readonly Finding[] {
  return (Object.entries(counts) as [Severity, number][]).flatMap(([severity, count]) =>
    Array.from({ length: count }, () => ({ code: 'X', severity, category: '', message: '' })),
  );
}

const FULL = { evaluated: 3, required: 3 };
const GAP = { evaluated: 1, required: 3 };

test('the worked precedence of the specification', () => {
  assert.equal(rankStatus(findings({ error: 1, unknown: 3, warning: 2 }), GAP), 'NonCompliant');
  assert.equal(rankStatus(findings({ unknown: 1, warning: 2 }), GAP), 'Unknown');
  assert.equal(rankStatus(findings({}), GAP), 'Unknown');
  assert.equal(rankStatus(findings({ warning: 1 }), FULL), 'Warning');
  assert.equal(rankStatus(findings({}), FULL), 'Compliant');
});

test('evaluation/EA7 warning and unknown is Unknown', () => {
  assert.equal(rankStatus(findings({ warning: 1, unknown: 1 }), FULL), 'Unknown');
});

test('evaluation/EA8 warning, unknown and error is NonCompliant', () => {
  assert.equal(rankStatus(findings({ warning: 1, unknown: 1, error: 1 }), FULL), 'NonCompliant');
});

test('evaluation/EA10 info alone is Compliant', () => {
  assert.equal(rankStatus(findings({ info: 2 }), FULL), 'Compliant');
});

test('evaluation/EA11 no findings with a coverage gap is Unknown', () => {
  assert.equal(rankStatus([], GAP), 'Unknown');
});

test('controller/36 coverage 1 of 3 without any finding is Unknown', () => {
  assert.equal(rankStatus([], GAP), 'Unknown');
});

test('controller/32 error, warning and info are counted one by one', () => {
  const list = findings({ error: 1, warning: 1, info: 1 });
  assert.deepEqual(summarize(list), { errorCount: 1, warningCount: 1, infoCount: 1, unknownCount: 0 });
  assert.equal(rankStatus(list, FULL), 'NonCompliant');
});

test('controller/33 unknown and warning is Unknown', () => {
  assert.equal(rankStatus(findings({ unknown: 1, warning: 1 }), GAP), 'Unknown');
});

test('controller/34 warning only is Warning', () => {
  assert.equal(rankStatus(findings({ warning: 1 }), FULL), 'Warning');
});

test('controller/35 no findings is Compliant', () => {
  assert.equal(rankStatus([], FULL), 'Compliant');
});
