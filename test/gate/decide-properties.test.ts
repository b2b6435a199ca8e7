// Properties of the decision (gate 1.6): monotone, order-free, pure, never without a way on, never throwing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decide } from '../../gate/decide.ts';
import { type Decision, severityOf } from '../../gate/decision.ts';
import { DEFAULT_RULES, type Rules } from '../../gate/rules.ts';
import { type Verdict, verdictOf } from '../../gate/verdict.ts';
import { CONTRACT_STATUSES, rankStatus } from '../../api/contract-status.ts';
import type { Finding } from '../../api/finding.ts';
import { RULE_ACTIONS } from '../../api/promotion-policy.ts';
import { ago, finding, NOW, pactoObject } from './pactos.ts';

const action = fc.constantFrom(...RULE_ACTIONS);
const code = fc.constantFrom(
  'INTERFACE_ABSENT',
  'EVIDENCE_INSUFFICIENT',
  'WORKLOAD_MISMATCH',
  'TAG_NOT_DIGEST',
);
const subject = fc.constantFrom('interface/http', 'interface/admin', 'service/api');
const severity = fc.constantFrom('error', 'warning', 'info', 'unknown');
const aFinding = fc.tuple(severity, code, subject).map(([s, c, x]) => finding(s, c, x));
const waiver = fc.record({
  code,
  until: fc.constantFrom(ago(60), ago(-60), 'never'),
  reason: fc.constant('r'),
  by: fc.constant('b'),
});

const rules: fc.Arbitrary<Rules> = fc.record({
  onMissing: action,
  onStale: action,
  onUnknown: action,
  onWarning: action,
  onReference: action,
  windowSeconds: fc.constantFrom(0, 120),
  soakMs: fc.constantFrom(0, 60_000),
  revision: fc.constantFrom<Rules['revision']>(
    { kind: 'any' },
    { kind: 'sameImages', images: [{ image: 'registry.test/api:2', changed: true, container: 'main' }] },
  ),
  readiness: fc.constantFrom('Ignored', 'Required'),
  minCoverage: fc.constantFrom(0, 60, 100),
  dependencies: fc.constantFrom('Ignored', 'Required'),
  waivers: fc.array(waiver, { maxLength: 2 }),
});

/** A Pacto whose summary counts what its findings list, as every operator writes it. */
const pacto = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    contractStatus: fc.constantFrom(...CONTRACT_STATUSES, 'Later', undefined),
    findings: fc.array(aFinding, { maxLength: 4 }),
    observedGeneration: fc.constantFrom(3, 3, 3, 2, undefined),
    lastReconciledAt: fc.constantFrom(ago(10), ago(10), ago(5000), ago(-60), undefined),
    window: fc.constantFrom(ago(10), ago(500)),
    coverage: fc.constantFrom({ evaluated: 2, required: 2 }, { evaluated: 1, required: 2 }),
  })
  .map((p) => build(p.name, p, p.findings));

type Parts = {
  readonly contractStatus?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly lastReconciledAt?: string | undefined;
  readonly window: string;
  readonly coverage: object;
};

function build(
  name: string,
  parts: Parts,
  findings: readonly Record<string, unknown>[],
): { name: string; parts: Parts; findings: readonly Record<string, unknown>[]; verdict: Verdict } {
  const stated = parts.contractStatus;
  const errors = findings.filter((f) => f['severity'] === 'error').length;
  const verdict = verdictOf(
    pactoObject({
      name,
      status: {
        contractStatus: stated,
        findings,
        summary: { errorCount: Math.max(errors, stated === 'NonCompliant' ? 1 : 0) },
        observedGeneration: parts.observedGeneration,
        lastReconciledAt: parts.lastReconciledAt,
        observationWindows: [{ kind: 'interface', subject: 'http', firstObservedNegativeAt: parts.window }],
        evaluationCoverage: parts.coverage,
      },
    }),
  );
  assert.ok(verdict !== undefined);
  return { name, parts, findings, verdict };
}

const ask = (verdicts: readonly Verdict[], r: Rules): Decision => decide({ verdicts, rules: r, now: NOW });

/** The Pacto as an operator writes it: status and coverage follow from the findings. */
function consistent(parts: Parts, findings: readonly Record<string, unknown>[]): Verdict {
  const typed = findings as unknown as readonly Finding[];
  const unknowns = typed.filter((f) => f.severity === 'unknown').length;
  const coverage = { evaluated: 3, required: 3 + unknowns };
  return build('a', { ...parts, coverage, contractStatus: rankStatus(typed, coverage) }, findings).verdict;
}

test('gate/1.6 adding a finding never moves the decision towards allow, the status following it', () => {
  fc.assert(
    fc.property(pacto, aFinding, rules, (p, more, r) => {
      const before = ask([consistent(p.parts, p.findings)], r);
      const after = ask([consistent(p.parts, [...p.findings, more])], r);
      assert.ok(
        severityOf(after.decision) >= severityOf(before.decision),
        `${before.decision} became ${after.decision}`,
      );
    }),
    { numRuns: 3000 },
  );
});

test('gate/1.6 adding a finding never moves the decision towards allow, the status left as it was', () => {
  fc.assert(
    fc.property(pacto, aFinding, rules, (p, more, r) => {
      const stated = consistent(p.parts, p.findings).contractStatus;
      const unknowns = p.findings.filter((f) => f['severity'] === 'unknown').length;
      const parts = {
        ...p.parts,
        contractStatus: stated,
        coverage: { evaluated: 3, required: 3 + unknowns },
      };
      const before = ask([build('a', parts, p.findings).verdict], r);
      const after = ask([build('a', parts, [...p.findings, more]).verdict], r);
      assert.ok(
        severityOf(after.decision) >= severityOf(before.decision),
        `${before.decision} became ${after.decision}`,
      );
    }),
    { numRuns: 3000 },
  );
});

test('gate/1.6 removing a waiver never moves the decision towards allow', () => {
  fc.assert(
    fc.property(pacto, waiver, rules, (p, extra, r) => {
      const before = ask([p.verdict], { ...r, waivers: [...r.waivers, extra] });
      const after = ask([p.verdict], r);
      assert.ok(
        severityOf(after.decision) >= severityOf(before.decision),
        `${before.decision} became ${after.decision}`,
      );
    }),
    { numRuns: 3000 },
  );
});

test('gate/1.6 the order of verdicts does not matter, and equal input gives equal output', () => {
  fc.assert(
    fc.property(fc.uniqueArray(pacto, { selector: (p) => p.name, maxLength: 4 }), rules, (list, r) => {
      const verdicts = list.map((p) => p.verdict);
      const one = ask(verdicts, r);
      assert.deepEqual(ask(verdicts.toReversed(), r), one);
      assert.deepEqual(ask(verdicts, r), one);
    }),
  );
});

test('gate/1.6 a hold always carries a wait or a way out, and only a hold carries a wait', () => {
  fc.assert(
    fc.property(fc.array(pacto, { maxLength: 3 }), rules, (list, r) => {
      const decision = ask(
        list.map((p) => p.verdict),
        r,
      );
      if (decision.decision === 'hold') {
        assert.ok(decision.retryAfterSeconds !== undefined || decision.unblock.length > 0);
        assert.ok(decision.reasons.length > 0);
      } else {
        assert.equal(decision.retryAfterSeconds, undefined);
      }
    }),
  );
});

test('gate/1.6 no object, however malformed, throws', () => {
  const anything = fc.anything({ withNullPrototype: true, withBigInt: false });
  const hostile = fc.record(
    {
      metadata: fc.oneof(
        anything,
        fc.record({
          name: fc.string({ minLength: 1 }),
          namespace: fc.string({ minLength: 1 }),
          labels: anything,
          generation: anything,
        }),
      ),
      spec: anything,
      status: fc.oneof(
        anything,
        fc.dictionary(
          fc.constantFrom(
            'contractStatus',
            'findings',
            'observationWindows',
            'conditions',
            'lastReconciledAt',
            'observedRuntime',
            'dependencies',
            '__proto__',
            'summary',
            'readiness',
          ),
          anything,
        ),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(anything, hostile), rules, (object, r) => {
      const verdict = verdictOf(object);
      if (verdict !== undefined) ask([verdict], r);
    }),
    { numRuns: 2000 },
  );
});

test('gate/1.6 a good Pacto with any one field broken does not throw', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.constantFrom(Number.MAX_SAFE_INTEGER, -1, '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'),
  );
  const field = fc.constantFrom(
    'contractStatus',
    'contractStatusSince',
    'findings',
    'lastReconciledAt',
    'observationWindows',
    'observedGeneration',
    'observedRuntime',
    'stabilizationWindowSeconds',
    'evaluationCoverage',
    'summary',
    'contract',
    'dependencies',
  );
  const open = {
    contractStatus: 'Unknown',
    findings: [finding('unknown', 'EVIDENCE_INSUFFICIENT')],
    observationWindows: [{ kind: 'interface', subject: 'http', firstObservedNegativeAt: ago(10) }],
  };
  fc.assert(
    fc.property(field, anything, fc.constantFrom({}, open), rules, (key, value, base, r) => {
      const verdict = verdictOf(pactoObject({ status: { ...base, [key]: value } }));
      if (verdict !== undefined) ask([verdict], r);
    }),
    { numRuns: 3000 },
  );
});

test('gate/1.6 a verdict that is not fresh never allows under the default rules', () => {
  fc.assert(
    fc.property(pacto, (p) => {
      const { observedGeneration, lastReconciledAt } = p.parts;
      fc.pre(observedGeneration !== 3 || lastReconciledAt !== ago(10));
      assert.notEqual(ask([p.verdict], DEFAULT_RULES).decision, 'allow');
    }),
  );
});
