// The status the rules look at: the one the operator wrote, unless waivers set every violation aside, and never better
// than what the findings themselves say.
import { rankStatus } from '../api/contract-status.ts';
import type { Finding } from '../api/finding.ts';
import type { PolicyWaiver } from '../api/promotion-policy.ts';
import type { WaivedFinding } from './decision.ts';
import { pactoKey, type Verdict } from './verdict.ts';
import { waiverFor } from './waivers.ts';

export type Violation = { readonly finding: Finding; readonly expired?: PolicyWaiver };

export type EffectiveStatus = {
  /** The word rules compare; may be one this version does not know. */
  readonly word: string;
  /** True for Unknown, NotEvaluated and words this version does not know. */
  readonly undecided: boolean;
  /** Findings that were not waived. */
  readonly findings: readonly Finding[];
  /** Error findings that were not waived. */
  readonly violations: readonly Violation[];
  readonly waived: readonly WaivedFinding[];
};

const DECIDED = new Set(['Compliant', 'Warning', 'NonCompliant', 'Reference', 'Invalid']);
/** Statuses that are derived from findings, from good to bad; only these can be re-ranked. */
const LADDER = ['Compliant', 'Warning', 'Unknown', 'NonCompliant'];

/** Applies waivers and ranks what remains. A waiver never covers Invalid. */
export function effectiveStatus(
  verdict: Verdict,
  waivers: readonly PolicyWaiver[],
  nowMs: number,
): EffectiveStatus {
  const findings: Finding[] = [];
  const violations: Violation[] = [];
  const waived: WaivedFinding[] = [];
  for (const finding of verdict.findings) {
    const match = waiverFor(finding, waivers, nowMs);
    // A waiver sets aside what is proven. What could not be decided is the business of onUnknown.
    if (match.kind === 'waived' && finding.severity !== 'unknown') {
      waived.push(waivedFinding(verdict, finding, match.waiver));
      continue;
    }
    findings.push(finding);
    if (finding.severity !== 'error') continue;
    violations.push(match.kind === 'expired' ? { finding, expired: match.waiver } : { finding });
  }
  const word = effectiveWord(verdict, findings);
  return { word, undecided: !DECIDED.has(word), findings, violations, waived };
}

function effectiveWord(verdict: Verdict, remaining: readonly Finding[]): string {
  const stated = verdict.contractStatus ?? 'Unknown';
  const rank = LADDER.indexOf(stated);
  if (rank === -1) return stated;
  const ranked = rankStatus(remaining, verdict.coverage ?? { evaluated: 0, required: 0 });
  // A list cut for size hides errors that no waiver can have named.
  const listed = verdict.findings.filter((f) => f.severity === 'error').length;
  const hidden = verdict.errorCount > listed || (stated === 'NonCompliant' && listed === 0);
  if (hidden) return 'NonCompliant';
  const everyErrorWaived = listed > 0 && !remaining.some((f) => f.severity === 'error');
  if (stated === 'NonCompliant' && everyErrorWaived) return ranked;
  if (stated === 'Warning' && verdict.findings.some((f) => f.severity === 'warning')) return ranked;
  return LADDER[Math.max(rank, LADDER.indexOf(ranked))] ?? stated;
}

function waivedFinding(verdict: Verdict, finding: Finding, waiver: PolicyWaiver): WaivedFinding {
  return {
    pacto: pactoKey(verdict),
    code: finding.code,
    ...(finding.subject === undefined ? {} : { subject: finding.subject }),
    reason: waiver.reason,
    by: waiver.by,
    until: waiver.until,
  };
}
