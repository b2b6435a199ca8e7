// The status cap: small statuses pass untouched, huge ones shrink below the limit and say what was left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../api/finding.ts';
import type { PactoStatus } from '../../api/pacto.ts';
import { capStatusSize, MAX_STATUS_BYTES } from '../../api/status-size.ts';

function finding(index: number, messageLength: number): Finding {
  return {
    code: 'INTERFACE_ABSENT',
    severity: 'error',
    category: 'RuntimeDrift',
    subject: `interface/i${index}`,
    message: 'é'.repeat(messageLength),
  };
}

function bytes(status: PactoStatus): number {
  return Buffer.byteLength(JSON.stringify(status));
}

const verdict = {
  contractStatus: 'NonCompliant',
  summary: { errorCount: 5_000, warningCount: 0, infoCount: 0, unknownCount: 0 },
  lastReconciledAt: '2026-11-30T10:00:00Z',
} as const;

test('a status within the limit is returned as it is', () => {
  const status: PactoStatus = { ...verdict, findings: [finding(1, 20_000)] };
  assert.equal(capStatusSize(status), status);
});

test('too many findings are cut from the end with a count, and the verdict stays', () => {
  const findings = Array.from({ length: 5_000 }, (_, index) => finding(index, 400));
  const capped = capStatusSize({ ...verdict, findings, metadata: { note: 'x'.repeat(1_000) } });
  assert.ok(bytes(capped) <= MAX_STATUS_BYTES);
  const kept = capped.findings ?? [];
  assert.ok(kept.length > 100 && kept.length < 5_000);
  assert.match(kept.at(-1)?.message ?? '', new RegExp(`\\(${5_000 - kept.length} more not shown`));
  assert.equal(capped.contractStatus, 'NonCompliant');
  assert.equal(capped.summary?.errorCount, 5_000);
  assert.equal(capped.metadata, undefined);
});

test('one endless message is shortened and every finding stays', () => {
  const capped = capStatusSize({ ...verdict, findings: [finding(1, 600_000), finding(2, 10)] });
  assert.equal(capped.findings?.length, 2);
  assert.ok(bytes(capped) < 10_000);
});

test('informational parts go before findings', () => {
  const interfaces = Array.from({ length: 10_000 }, (_, i) => ({
    name: `i${i}`,
    type: 'openapi' as const,
    ref: 'x'.repeat(60),
  }));
  const capped = capStatusSize({ ...verdict, interfaces, findings: [finding(1, 10)] });
  assert.equal(capped.interfaces, undefined);
  assert.equal(capped.findings?.length, 1);
});

test('whatever is huge, the result fits', () => {
  const long = 'v'.repeat(700_000);
  const many = Array.from({ length: 20_000 }, (_, index) => index);
  const statuses: readonly PactoStatus[] = [
    { ...verdict, contractVersion: long },
    { ...verdict, validation: { valid: false, errors: many.map(() => ({ message: 'x'.repeat(200) })) } },
    { ...verdict, validation: { valid: true, warnings: many.map(() => ({ message: 'x'.repeat(200) })) } },
    {
      ...verdict,
      evaluationCoverage: {
        evaluated: 1,
        required: 1,
        unverified: many.map((n) => `interfaces[name=${n}${'x'.repeat(60)}].type`),
      },
    },
    {
      ...verdict,
      observationWindows: many.map((n) => ({
        kind: 'interface',
        subject: `i${n}`,
        firstObservedNegativeAt: '2026-11-30T10:00:00Z',
      })),
    },
    { ...verdict, resources: { service: { name: long, exists: false } } },
  ];
  for (const status of statuses) assert.ok(bytes(capStatusSize(status)) <= MAX_STATUS_BYTES);
});
