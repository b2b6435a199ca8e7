// The rules of one Pacto, row by row of gate 1.3, and how several Pactos are joined.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../gate/decide.ts';
import type { Decision } from '../../gate/decision.ts';
import { providersOf } from '../../gate/providers.ts';
import { DEFAULT_RULES, type Rules } from '../../gate/rules.ts';
import type { MissingVerdict, Verdict } from '../../gate/verdict.ts';
import { expectDecision, judged, MISSING, verdict } from './decisions.ts';
import { ago, finding, NOW, type PactoParts } from './pactos.ts';

const unknownOpen = (firstObservedNegativeAt: string, more: unknown[] = []): PactoParts => ({
  status: {
    contractStatus: 'Unknown',
    findings: [finding('unknown', 'EVIDENCE_INSUFFICIENT'), ...more],
    observationWindows: [{ kind: 'interface', subject: 'http', firstObservedNegativeAt }],
    evaluationCoverage: { evaluated: 1, required: 2 },
  },
});

test('gate/R1 a missing Pacto follows onMissing, and Allow ends the reading', () => {
  expectDecision(judged(MISSING), 'hold', 'Missing');
  expectDecision(judged(MISSING, { onMissing: 'Deny' }), 'deny', 'Missing');
  const allowed = judged(MISSING, { onMissing: 'Allow', soakMs: 60_000 });
  expectDecision(allowed, 'allow');
  assert.match(allowed.warnings.join(), /shop\/api/);
});

test('gate/R2 a verdict about another generation, or none, holds', () => {
  expectDecision(judged(verdict({ status: { observedGeneration: 2 } })), 'hold', 'NotJudgedYet');
  expectDecision(judged(verdict({ status: { observedGeneration: undefined } })), 'hold', 'NotJudgedYet');
  expectDecision(judged(verdict({ status: { contractStatus: undefined } })), 'hold', 'NotJudgedYet');
  expectDecision(
    judged(verdict({ status: { contractStatus: 'NonCompliant', observedGeneration: 2 } })),
    'hold',
    'NotJudgedYet',
  );
});

test('gate/R3 an old verdict follows onStale; the bound is interval + window + 60 s', () => {
  expectDecision(judged(verdict({ status: { lastReconciledAt: ago(480) } })), 'allow');
  expectDecision(judged(verdict({ status: { lastReconciledAt: ago(481) } })), 'hold', 'StaleVerdict');
  expectDecision(
    judged(verdict({ status: { lastReconciledAt: ago(481) } }), { onStale: 'Deny' }),
    'deny',
    'StaleVerdict',
  );
  expectDecision(
    judged(verdict({ status: { lastReconciledAt: ago(31) } }), { maxAgeMs: 30_000 }),
    'hold',
    'StaleVerdict',
  );
  expectDecision(judged(verdict({ status: { lastReconciledAt: undefined } })), 'hold', 'StaleVerdict');
  expectDecision(judged(verdict({ status: { lastReconciledAt: 'yesterday' } })), 'hold', 'StaleVerdict');
});

test('gate/R3 a verdict more than 5 s ahead of our clock is stale', () => {
  expectDecision(judged(verdict({ status: { lastReconciledAt: ago(-5) } })), 'allow');
  expectDecision(judged(verdict({ status: { lastReconciledAt: ago(-6) } })), 'hold', 'StaleVerdict');
});

test('gate/R3 Allow warns and reads on', () => {
  const old = verdict({ status: { lastReconciledAt: ago(9999), contractStatus: 'Invalid' } });
  const decision = judged(old, { onStale: 'Allow' });
  expectDecision(decision, 'deny', 'Invalid');
  assert.match(decision.warnings.join(), /9999 s old/);
});

test('gate/R4 Invalid denies, and no waiver covers it', () => {
  const waivers = [{ code: 'INTERFACE_ABSENT', until: ago(-60), reason: 'r', by: 'b' }];
  expectDecision(judged(verdict({ status: { contractStatus: 'Invalid' } }), { waivers }), 'deny', 'Invalid');
});

const broken = (...errors: unknown[]): PactoParts => ({
  status: { contractStatus: 'NonCompliant', findings: errors, summary: { errorCount: errors.length } },
});

test('gate/R5 NonCompliant denies and names every finding', () => {
  const decision = judged(
    verdict(
      broken(finding('error', 'INTERFACE_ABSENT'), finding('error', 'WORKLOAD_MISMATCH', 'service/api')),
    ),
  );
  expectDecision(decision, 'deny', 'NotCompliant');
  assert.deepEqual(
    decision.reasons.map((r) => [r.finding, r.subject]),
    [
      ['INTERFACE_ABSENT', 'interface/http'],
      ['WORKLOAD_MISMATCH', 'service/api'],
    ],
  );
  assert.equal(decision.unblock.length, 2);
});

test('gate/R5 what would unblock is what to do about each finding', () => {
  const decision = judged(
    verdict(broken(finding('error', 'WORKLOAD_MISMATCH', 'service/api'), finding('error', 'OF_TOMORROW'))),
  );
  assert.deepEqual(decision.unblock, [
    'on Pacto shop-staging/api, for WORKLOAD_MISMATCH of service/api: run the service as the kind of workload it declares, or declare the kind it runs as',
    'resolve OF_TOMORROW of interface/http on Pacto shop-staging/api',
  ]);
  const unknown = { contractStatus: 'Unknown', findings: [finding('unknown', 'EVIDENCE_MISSING')] };
  assert.match(
    judged(verdict({ status: unknown })).unblock.join(),
    /^on Pacto shop-staging\/api, for EVIDENCE_MISSING of interface\/http: see that the target/,
  );
});

test('gate/R5 NonCompliant whose findings were cut away for size still denies', () => {
  expectDecision(judged(verdict(broken())), 'deny', 'NotCompliant');
  const cut = verdict({
    status: {
      contractStatus: 'NonCompliant',
      findings: [finding('error', 'INTERFACE_ABSENT')],
      summary: { errorCount: 2 },
    },
  });
  const waivers = [{ code: 'INTERFACE_ABSENT', until: ago(-60), reason: 'r', by: 'b' }];
  expectDecision(judged(cut, { waivers }), 'deny', 'NotCompliant');
});

test('gate/1.5 waivers set findings aside by code and subject, in the open', () => {
  const parts = broken(finding('error', 'INTERFACE_ABSENT'));
  const waiver = {
    code: 'INTERFACE_ABSENT',
    subject: 'interface/http',
    until: ago(-60),
    reason: 'INC-1',
    by: 'platform',
  };
  const decision = judged(verdict(parts), { waivers: [waiver] });
  expectDecision(decision, 'allow');
  assert.equal(decision.waived[0]?.reason, 'INC-1');
  expectDecision(
    judged(verdict(parts), { waivers: [{ ...waiver, subject: 'interface/admin' }] }),
    'deny',
    'NotCompliant',
  );
  const expired = judged(verdict(parts), { waivers: [{ ...waiver, until: ago(1) }] });
  expectDecision(expired, 'deny', 'NotCompliant');
  assert.match(expired.reasons[0]?.message ?? '', /expired at/);
});

test('gate/1.5 what remains after waivers is ranked again, coverage included', () => {
  const waivers = [{ code: 'INTERFACE_ABSENT', until: ago(-60), reason: 'r', by: 'b' }];
  const base = broken(finding('error', 'INTERFACE_ABSENT'));
  const gap = verdict({ status: { ...base.status, evaluationCoverage: { evaluated: 1, required: 2 } } });
  expectDecision(judged(gap, { waivers }), 'hold', 'Unknown');
  const warned = verdict(
    broken(finding('error', 'INTERFACE_ABSENT'), finding('warning', 'DEPENDENCY_UNREACHABLE')),
  );
  const read = judged({ ...warned, errorCount: 1 }, { waivers, onWarning: 'Deny' });
  expectDecision(read, 'deny', 'NotCompliant');
});

test('gate/R6 an absence inside its window holds with the seconds left plus one', () => {
  const decision = judged(verdict(unknownOpen(ago(73))));
  expectDecision(decision, 'hold', 'Stabilizing');
  assert.equal(decision.retryAfterSeconds, 48);
  assert.equal(decision.reasons[0]?.until, ago(-47));
});

test('gate/R6 the verdict says how long its window is, else the configured one counts', () => {
  const parts = unknownOpen(ago(10));
  const none = verdict({ status: { ...parts.status, stabilizationWindowSeconds: undefined } });
  assert.equal(judged(none, { windowSeconds: 30 }).retryAfterSeconds, 21);
  const zero = verdict({ status: { ...parts.status, stabilizationWindowSeconds: 0 } });
  expectDecision(judged(zero), 'hold', 'Unknown');
});

test('gate/R6 a window that has ended is not stabilizing any more', () => {
  expectDecision(judged(verdict(unknownOpen(ago(120)))), 'hold', 'Unknown');
});

test('gate/R6 other unknowns beside it deny when onUnknown is Deny', () => {
  const other = verdict(unknownOpen(ago(10), [finding('unknown', 'COLLECTION_FAILED', 'service/api')]));
  expectDecision(judged(other, { onUnknown: 'Deny' }), 'deny', 'Unknown');
  expectDecision(judged(other), 'hold', 'Stabilizing');
  expectDecision(judged(verdict(unknownOpen(ago(10))), { onUnknown: 'Deny' }), 'hold', 'Stabilizing');
});

test('gate/R7 Unknown otherwise follows onUnknown', () => {
  const parts = { status: { contractStatus: 'Unknown', findings: [finding('unknown', 'EVIDENCE_MISSING')] } };
  expectDecision(judged(verdict(parts)), 'hold', 'Unknown');
  expectDecision(judged(verdict(parts), { onUnknown: 'Deny' }), 'deny', 'Unknown');
  expectDecision(judged(verdict(parts), { onUnknown: 'Allow' }), 'allow');
});

test('gate/R8 NotEvaluated and words of a later version follow onUnknown', () => {
  for (const contractStatus of ['NotEvaluated', 'Sparkling']) {
    expectDecision(judged(verdict({ status: { contractStatus } })), 'hold', 'Unknown');
    expectDecision(judged(verdict({ status: { contractStatus } }), { onUnknown: 'Deny' }), 'deny', 'Unknown');
  }
});

test('gate/R9 Warning follows onWarning', () => {
  const parts = { status: { contractStatus: 'Warning', findings: [finding('warning', 'TAG_NOT_DIGEST')] } };
  const allowed = judged(verdict(parts));
  expectDecision(allowed, 'allow');
  assert.match(allowed.warnings.join(), /TAG_NOT_DIGEST/);
  expectDecision(judged(verdict(parts), { onWarning: 'Hold' }), 'hold', 'NotCompliant');
  expectDecision(judged(verdict(parts), { onWarning: 'Deny' }), 'deny', 'NotCompliant');
});

test('gate/R9 a warning that is allowed does not skip the checks below it', () => {
  const parts = { status: { contractStatus: 'Warning', contractStatusSince: ago(5) } };
  expectDecision(judged(verdict(parts), { soakMs: 60_000 }), 'hold', 'SoakNotOver');
});

test('gate/R10 Reference follows onReference, and Allow ends the reading', () => {
  const parts = { status: { contractStatus: 'Reference', contractStatusSince: ago(1) } };
  expectDecision(judged(verdict(parts), { soakMs: 60_000 }), 'allow');
  expectDecision(judged(verdict(parts), { onReference: 'Deny' }), 'deny', 'Unknown');
});

test('gate/1.2 a wait is a day at most, and its number fits 32 bits', () => {
  const decision = judged(verdict({ status: { contractStatusSince: ago(0) } }), { soakMs: 10 ** 15 });
  expectDecision(decision, 'hold', 'SoakNotOver');
  assert.equal(decision.retryAfterSeconds, 86_400);
});

test('gate/R12 a soak that is not over holds for the rest', () => {
  const decision = judged(verdict({ status: { contractStatusSince: ago(100) } }), { soakMs: 900_000 });
  expectDecision(decision, 'hold', 'SoakNotOver');
  assert.equal(decision.retryAfterSeconds, 800);
  expectDecision(
    judged(verdict({ status: { contractStatusSince: ago(900) } }), { soakMs: 900_000 }),
    'allow',
  );
  const unknownSince = verdict({ status: { contractStatusSince: undefined, conditions: [] } });
  expectDecision(judged(unknownSince, { soakMs: 900_000 }), 'hold', 'SoakNotOver');
});

test('gate/R13 readiness that is asked and not passing denies', () => {
  const rules = { readiness: 'Required' } as const;
  expectDecision(judged(verdict({ status: { readiness: { passing: true } } }), rules), 'allow');
  expectDecision(judged(verdict({ status: { readiness: { score: 10 } } }), rules), 'deny', 'ReadinessUnmet');
  const expired = judged(verdict({ status: { readiness: { expired: true } } }), rules);
  assert.match(expired.reasons[0]?.message ?? '', /expired/);
  expectDecision(judged(verdict(), rules), 'deny', 'ReadinessUnmet');
});

test('gate/R14 coverage below the minimum holds', () => {
  const low = verdict({
    status: { evaluationCoverage: { evaluated: 1, required: 2 }, contractStatus: 'Compliant' },
  });
  expectDecision(judged(low, { minCoverage: 60, onUnknown: 'Allow' }), 'hold', 'CoverageBelow');
  expectDecision(judged(low, { minCoverage: 50, onUnknown: 'Allow' }), 'allow');
  expectDecision(
    judged(verdict({ status: { evaluationCoverage: undefined } }), { minCoverage: 1 }),
    'hold',
    'CoverageBelow',
  );
});

test('gate/R15 providers are judged by the same rules', () => {
  const dependent = verdict({ status: { dependencies: [{ name: 'db', ref: 'oci://r.test/db:1' }] } });
  const rules: Rules = { ...DEFAULT_RULES, dependencies: 'Required' };
  const ask = (provider: Verdict | MissingVerdict): Decision =>
    decide({
      verdicts: [dependent],
      rules,
      now: NOW,
      providers: new Map([['shop-staging/api', [provider]]]),
    });
  expectDecision(ask(verdict({ name: 'db' })), 'allow');
  expectDecision(
    ask(verdict({ name: 'db', ...broken(finding('error', 'INTERFACE_ABSENT')) })),
    'deny',
    'DependencyNotCompliant',
  );
  expectDecision(ask(MISSING), 'hold', 'DependencyNotCompliant');
  expectDecision(decide({ verdicts: [dependent], rules, now: NOW }), 'hold', 'DependencyNotCompliant');
});

test('gate/R15 several providers of one dependency come in the order of their names, whatever order they are held in', () => {
  const dependent = verdict({ status: { dependencies: [{ name: 'db', ref: 'oci://r.test/db:1' }] } });
  const contract = { serviceName: 'db', version: '1', resolvedRef: 'r.test/db:1' };
  const [a, b, c] = ['db-a', 'db-b', 'db-c'].map((name) => verdict({ name, status: { contract } }));
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  for (const held of [
    [a, b, c],
    [c, a, b],
    [b, c, a],
  ])
    assert.deepEqual(providersOf(dependent, held), [a, b, c]);
});

test('gate/R16 a fresh Compliant verdict allows', () => {
  const decision = judged(verdict());
  expectDecision(decision, 'allow');
  assert.deepEqual(decision.pactos, [
    {
      namespace: 'shop-staging',
      name: 'api',
      contractStatus: 'Compliant',
      contractVersion: '1.0.0',
      lastReconciledAt: ago(10),
    },
  ]);
  assert.equal(decision.evaluatedAt, '2026-11-30T12:00:00Z');
});

test('gate/1.3 a status that claims more than its findings show counts as what they show', () => {
  expectDecision(
    judged(
      verdict({ status: { contractStatus: 'Compliant', findings: [finding('error', 'INTERFACE_ABSENT')] } }),
    ),
    'deny',
    'NotCompliant',
  );
  expectDecision(
    judged(
      verdict({ status: { contractStatus: 'Compliant', evaluationCoverage: { evaluated: 1, required: 2 } } }),
    ),
    'hold',
    'Unknown',
  );
});

test('gate/1.3 several Pactos: deny beats hold beats allow, the longest wait counts, all reasons are kept', () => {
  const both = decide({
    verdicts: [
      verdict(),
      verdict({ name: 'b', ...unknownOpen(ago(100)) }),
      verdict({ name: 'c', ...unknownOpen(ago(20)) }),
    ],
    rules: DEFAULT_RULES,
    now: NOW,
  });
  expectDecision(both, 'hold', 'Stabilizing');
  assert.equal(both.retryAfterSeconds, 101);
  assert.equal(both.reasons.length, 2);
  const worst = decide({
    verdicts: [verdict({ name: 'b', ...unknownOpen(ago(100)) }), verdict(broken(finding('error', 'X')))],
    rules: DEFAULT_RULES,
    now: NOW,
  });
  assert.equal(worst.decision, 'deny');
  assert.deepEqual(
    worst.reasons.map((r) => r.code),
    ['NotCompliant', 'Stabilizing'],
  );
});

test('gate/R1 an empty selection is missing, not allowed', () => {
  expectDecision(decide({ verdicts: [], rules: DEFAULT_RULES, now: NOW }), 'hold', 'Missing');
});
