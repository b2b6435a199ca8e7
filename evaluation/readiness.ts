// Readiness: the score of a service's self-assessment at one moment (contract.md 7.2). It never touches the verdict.
import type { ConditionUpdate } from '../api/conditions.ts';
import type { ReadinessClaim, ReadinessStatus } from '../api/pacto.ts';
import { daysUntil, endOfDay, parseDay } from '../contract/calendar-day.ts';
import type { ContractReadiness, ReadinessClaimEntry } from '../contract/model.ts';

const DEFAULT_MIN_SCORE = 100;
const DEFAULT_CREDIT = 0.5;

/** Every field of the result is set; `daysRemaining` is absent once the assessment has expired. */
export type ReadinessResult = Required<Omit<ReadinessStatus, 'daysRemaining' | 'revisions'>> &
  Pick<ReadinessStatus, 'daysRemaining' | 'revisions'>;

/**
 * Scores an assessment. A day that does not parse counts as passed, so a mistake fails closed.
 * @param now milliseconds since the epoch
 * @returns undefined when nothing is claimed
 */
export function assessReadiness(
  declared: ContractReadiness | undefined,
  now: number,
): ReadinessResult | undefined {
  if (declared === undefined || declared.claims.length === 0) return undefined;
  const { claims, expires, history, minScore = DEFAULT_MIN_SCORE, partialCredit = DEFAULT_CREDIT } = declared;
  const start = parseDay(expires);
  const expired = start === undefined || now >= endOfDay(start);
  const scored = claims.map((claim) => scoredClaim(claim, partialCredit, expired));
  const counted = scored.filter(({ excluded }) => excluded !== true);
  const totalWeight = sum(counted.map(({ weight }) => weight));
  const earnedWeight = sum(counted.map((claim) => claim.earnedWeight ?? 0));
  const score = totalWeight > 0 ? Math.round((earnedWeight / totalWeight) * 100) : 0;
  const count = (status: ReadinessClaim['status']): number =>
    claims.filter((claim) => claim.status === status).length;
  return {
    score,
    minScore,
    totalWeight,
    earnedWeight,
    doneCount: count('done'),
    partialCount: count('partial'),
    notDoneCount: count('not-done'),
    deferredCount: count('deferred'),
    passing: !expired && score >= minScore,
    expired,
    expires,
    ...(!expired && { daysRemaining: daysUntil(start, now) }),
    ...(history.length > 0 && { revisions: history }),
    claims: scored,
  };
}

/** The result as it is written: empty, zero and false members are left out, as every reader of this status expects. */
export function readinessStatus(result: ReadinessResult): ReadinessStatus {
  // daysRemaining is a pointer upstream: 0 means the last day and is written.
  const { daysRemaining, ...rest } = result;
  const kept = Object.entries(rest).filter(([, value]) => value !== 0 && value !== false && value !== '');
  return { ...Object.fromEntries(kept), ...(daysRemaining !== undefined && { daysRemaining }) };
}

/** The ReadinessSatisfied condition of a result (controller.md 3.1). */
export function readinessCondition(
  result: ReadinessResult,
  observedGeneration: number | undefined,
): ConditionUpdate {
  const { score, minScore, passing, expired, expires } = result;
  const counts = `${result.doneCount} done, ${result.partialCount} partial, ${result.notDoneCount} not-done, ${result.deferredCount} deferred`;
  const type = 'ReadinessSatisfied';
  const generation = observedGeneration === undefined ? {} : { observedGeneration };
  if (passing) {
    const message = `readiness score ${score} meets minScore ${minScore}`;
    return { type, status: 'True', reason: 'Satisfied', message, ...generation };
  }
  if (expired) {
    const message = `readiness assessment expired (expires ${expires}); score ${score} below minScore ${minScore}`;
    return { type, status: 'False', reason: 'Expired', message, ...generation };
  }
  const message = `readiness score ${score} below minScore ${minScore} (${counts})`;
  return { type, status: 'False', reason: 'BelowMinScore', message, ...generation };
}

function scoredClaim(claim: ReadinessClaimEntry, credit: number, expired: boolean): ReadinessClaim {
  const { id, type, category, status, evidence, description, weight } = claim;
  return {
    id,
    type,
    ...(category !== undefined && { category }),
    status,
    ...(evidence !== '' && { evidence }),
    ...(description !== undefined && { description }),
    weight,
    earnedWeight: expired ? 0 : earnedBy(status, weight, credit),
    ...(status === 'deferred' && { excluded: true }),
  };
}

/** Rounded per claim, so that the parts always add up to the whole. */
function earnedBy(status: ReadinessClaim['status'], weight: number, credit: number): number {
  if (status === 'done') return weight;
  return status === 'partial' ? Math.round(weight * credit) : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
