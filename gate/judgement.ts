// One step's effect on a decision while the rules are read from the top.
import type { RuleAction } from '../api/promotion-policy.ts';
import type { Outcome, WaivedFinding } from './decision.ts';
import type { Reason } from './reasons.ts';

/** What one Pacto alone says; `combine` joins several. */
export type Judgement = {
  readonly outcome: Outcome;
  readonly retryAfterSeconds?: number;
  readonly reasons: readonly Reason[];
  readonly unblock: readonly string[];
  readonly warnings: readonly string[];
  readonly waived: readonly WaivedFinding[];
};

/** The part of a judgement a single rule can speak about. */
export type Ruling =
  | { readonly kind: 'continue'; readonly warning?: string }
  | { readonly kind: 'end'; readonly warning?: string }
  | {
      readonly kind: 'stop';
      readonly outcome: 'hold' | 'deny';
      readonly reasons: readonly Reason[];
      readonly unblock: readonly string[];
      readonly retryAfterSeconds?: number;
    };

export const CONTINUE: Ruling = Object.freeze({ kind: 'continue' });

/** A configurable rule (marked c in gate 1.3): Allow leaves a warning and lets the reading go on. */
export function configurable(
  action: RuleAction,
  reason: Reason,
  unblock: string,
  options: { readonly retryAfterSeconds?: number; readonly onAllow?: 'continue' | 'end' } = {},
): Ruling {
  if (action === 'Allow') return { kind: options.onAllow ?? 'continue', warning: reason.message };
  return {
    kind: 'stop',
    outcome: action === 'Deny' ? 'deny' : 'hold',
    reasons: [reason],
    unblock: [unblock],
    ...(action === 'Hold' && options.retryAfterSeconds !== undefined
      ? { retryAfterSeconds: options.retryAfterSeconds }
      : {}),
  };
}
