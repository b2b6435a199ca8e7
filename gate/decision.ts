// The answer of the gate and how several answers become one: deny beats hold beats allow.
import type { Finding } from '../api/finding.ts';
import { formatTime } from '../api/time.ts';
import type { Reason } from './reasons.ts';

export const OUTCOMES = ['allow', 'hold', 'deny'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The Pactos a decision looked at, as they were. */
export type JudgedPacto = {
  readonly namespace: string;
  readonly name: string;
  readonly contractStatus?: string;
  readonly contractVersion?: string;
  readonly lastReconciledAt?: string;
};

export type WaivedFinding = {
  readonly pacto: string;
  readonly code: Finding['code'];
  readonly subject?: string;
  readonly reason: string;
  readonly by: string;
  readonly until: string;
};

export type Decision = {
  readonly decision: Outcome;
  /** Whole seconds until asking again makes sense; only on hold. */
  readonly retryAfterSeconds?: number;
  /** Worst first. */
  readonly reasons: readonly Reason[];
  /** What would change the answer, in words a person can act on. */
  readonly unblock: readonly string[];
  readonly pactos: readonly JudgedPacto[];
  readonly warnings: readonly string[];
  readonly waived: readonly WaivedFinding[];
  /** Name of the policy that asked, `namespace/name` or the name of a cluster policy. */
  readonly policy?: string;
  /** RFC 3339, whole seconds. */
  readonly evaluatedAt: string;
};

/**
 * Longest wait that is proposed: a day. Reasons say in words when they end; readers of the number keep it in 32 bits.
 */
const LONGEST_WAIT_SECONDS = 86_400;

/** A decision about no Pacto in particular: what `parts` leaves out is empty. */
export function decisionOf(
  outcome: Outcome,
  nowMs: number,
  parts: Partial<Omit<Decision, 'decision' | 'evaluatedAt'>>,
): Decision {
  const empty = { reasons: [], unblock: [], pactos: [], warnings: [], waived: [] };
  return { decision: outcome, ...empty, ...parts, evaluatedAt: formatTime(nowMs) };
}

/** Rank of an outcome: a higher one wins. */
export function severityOf(outcome: Outcome): number {
  return OUTCOMES.indexOf(outcome);
}

/**
 * Joins decisions made at one moment: the worst outcome wins, the longest wait counts, every reason is kept, those of
 * the worst decisions first.
 */
export function combine(decisions: readonly Decision[], evaluatedAt: string): Decision {
  const ordered = [...decisions].sort((a, b) => severityOf(b.decision) - severityOf(a.decision));
  const decision = ordered[0]?.decision ?? 'allow';
  const waits = ordered.flatMap((d) => (d.retryAfterSeconds === undefined ? [] : [d.retryAfterSeconds]));
  return {
    decision,
    ...(decision === 'hold' && waits.length > 0
      ? { retryAfterSeconds: Math.min(LONGEST_WAIT_SECONDS, Math.max(...waits)) }
      : {}),
    reasons: ordered.flatMap((d) => d.reasons),
    unblock: unique(ordered.flatMap((d) => d.unblock)),
    pactos: uniqueBy(
      ordered.flatMap((d) => d.pactos),
      (p) => `${p.namespace}/${p.name}`,
    ),
    warnings: unique(ordered.flatMap((d) => d.warnings)),
    waived: ordered.flatMap((d) => d.waived),
    evaluatedAt,
  };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  const seen = new Map<string, T>();
  for (const item of items) if (!seen.has(key(item))) seen.set(key(item), item);
  return [...seen.values()];
}
