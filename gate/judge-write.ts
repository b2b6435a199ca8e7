// The whole of an admission decision, pure: what the write does, which policies govern it, and what they answer together.
import type { PolicyMode } from '../api/promotion-policy.ts';
import { cacheStale, type JudgeContext, judgePolicy, type Promotion } from './judge-policy.ts';
import { combine, type Decision, decisionOf } from './decision.ts';
import { governingPolicies } from './governing-policies.ts';
import type { Policy } from './policy.ts';
import { classifyWorkload, workloadKind } from './promotions/workload.ts';
import * as read from '../api/read.ts';
import { formatTime } from '../api/time.ts';
import type { GateView } from './gate-view.ts';
import type { Movement, Write } from './write.ts';

export type PolicyAnswer = {
  readonly policy: string;
  readonly mode: PolicyMode;
  readonly decision: Decision;
};

/** The answer to one write. Only answers of policies in mode Enforce decide; the others are told or recorded. */
export type WriteAnswer = {
  readonly movement: Movement['kind'];
  readonly allowed: boolean;
  readonly decision: Decision;
  readonly policies: readonly PolicyAnswer[];
};

/** Judges one write. Never throws on any object, and never waits. */
export function judgeWrite(write: Write, context: JudgeContext): WriteAnswer {
  const movement = classify(write, context.view);
  switch (movement.kind) {
    case 'none':
      return passed(movement, 'NotAPromotion', movement.why, context.now);
    case 'rollback':
      return passed(
        movement,
        'Rollback',
        `${movement.target.kind} ${movement.target.namespace}/${movement.target.name} returns to ${movement.to}`,
        context.now,
      );
    case 'promotion':
      return judgePromotion(movement, context);
  }
}

/** What a write does; objects of kinds the gate does not know move nothing on. */
export function classify(write: Write, view: Pick<GateView, 'revisions'>): Movement {
  if (write.operation !== 'CREATE' && write.operation !== 'UPDATE') {
    return { kind: 'none', why: `operation ${write.operation} moves nothing on` };
  }
  const kind = workloadKind(write);
  if (kind === undefined) return { kind: 'none', why: `${write.kind} is no kind the gate governs` };
  const uid = read.string(read.object(write.oldObject, 'metadata'), 'uid');
  return classifyWorkload(write, kind, uid === undefined ? [] : view.revisions(uid));
}

function judgePromotion(promotion: Promotion, context: JudgeContext): WriteAnswer {
  const governing = governingPolicies(promotion.target, context.view);
  if (governing.kind === 'unreadable') {
    const decision = cacheStale(governing.reason, context);
    return { movement: 'promotion', allowed: decision.decision === 'allow', decision, policies: [] };
  }
  const policies = (governing.kind === 'found' ? governing.value : []).map(
    (policy: Policy): PolicyAnswer => ({
      policy: policy.name,
      mode: policy.mode,
      decision: judgePolicy(policy, promotion, context),
    }),
  );
  const enforced = policies.filter((p) => p.mode === 'Enforce').map((p) => p.decision);
  const decision = combine(enforced, formatTime(context.now.getTime()));
  return { movement: 'promotion', allowed: decision.decision === 'allow', decision, policies };
}

function passed(
  movement: Movement,
  code: 'NotAPromotion' | 'Rollback',
  message: string,
  now: Date,
): WriteAnswer {
  return {
    movement: movement.kind,
    allowed: true,
    decision: decisionOf('allow', now.getTime(), { reasons: [{ code, message }] }),
    policies: [],
  };
}
