// What every rule about one Pacto is given, and how rules speak of time.
import type { EffectiveStatus } from './effective-status.ts';
import type { Ruling } from './judgement.ts';
import type { Rules } from './rules.ts';
import type { Verdict } from './verdict.ts';

/** Wait proposed where only the operator's next pass can change the answer; passes take well under this. */
export const NEXT_PASS_SECONDS = 10;

export type RuleContext = {
  readonly verdict: Verdict;
  readonly rules: Rules;
  readonly nowMs: number;
  readonly status: EffectiveStatus;
};

/** One rule of the list; order is the specification's. */
export type Rule = (context: RuleContext) => Ruling;

/** `47 s`, rounded up. */
export function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}
