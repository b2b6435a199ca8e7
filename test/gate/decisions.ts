// One Pacto through the rules: what tests of single rules start from.
import assert from 'node:assert/strict';
import { decide } from '../../gate/decide.ts';
import type { Decision } from '../../gate/decision.ts';
import { DEFAULT_RULES, type Rules } from '../../gate/rules.ts';
import { type MissingVerdict, type Verdict, verdictOf } from '../../gate/verdict.ts';
import { NOW, type PactoParts, pactoObject } from './pactos.ts';

export function verdict(parts: PactoParts = {}): Verdict {
  const read = verdictOf(pactoObject(parts));
  assert.ok(read !== undefined);
  return read;
}

export const MISSING: MissingVerdict = {
  kind: 'missing',
  namespace: 'shop',
  name: 'api',
  why: 'it does not exist',
};

export function judged(subject: Verdict | MissingVerdict, rules: Partial<Rules> = {}): Decision {
  return decide({ verdicts: [subject], rules: { ...DEFAULT_RULES, ...rules }, now: NOW });
}

export function expectDecision(decision: Decision, outcome: Decision['decision'], ...codes: string[]): void {
  assert.equal(decision.decision, outcome);
  assert.deepEqual([...new Set(decision.reasons.map((r) => r.code))], codes);
  if (outcome === 'hold') {
    assert.ok(
      decision.retryAfterSeconds !== undefined || decision.unblock.length > 0,
      'a hold says how it ends',
    );
  } else {
    assert.equal(decision.retryAfterSeconds, undefined);
  }
}
