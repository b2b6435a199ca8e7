// Waivers: findings set aside for a time, by name, and never silently (gate 1.5).
import type { Finding } from '../api/finding.ts';
import type { PolicyWaiver } from '../api/promotion-policy.ts';
import { parseTime } from '../api/time.ts';

export type WaiverMatch =
  | { readonly kind: 'none' }
  | { readonly kind: 'waived'; readonly waiver: PolicyWaiver }
  | { readonly kind: 'expired'; readonly waiver: PolicyWaiver };

/** Finds the waiver for a finding: by code and, when the waiver names one, by subject. A live one beats an expired one. */
export function waiverFor(
  finding: Pick<Finding, 'code' | 'subject'>,
  waivers: readonly PolicyWaiver[],
  nowMs: number,
): WaiverMatch {
  const matching = waivers.filter(
    (w) => w.code === finding.code && (w.subject === undefined || w.subject === finding.subject),
  );
  const live = matching.find((w) => isLive(w, nowMs));
  if (live !== undefined) return { kind: 'waived', waiver: live };
  const expired = matching[0];
  return expired === undefined ? { kind: 'none' } : { kind: 'expired', waiver: expired };
}

/** A waiver whose end cannot be read is no waiver. */
function isLive(waiver: PolicyWaiver, nowMs: number): boolean {
  const until = parseTime(waiver.until);
  return until !== undefined && nowMs < until;
}
