// Stabilization: an absence counts only after it has lasted a whole window (evaluation.md 13).
import type { ObservationWindow } from '../api/pacto.ts';
import { formatTime } from '../api/time.ts';
import { streakKey, type StreakKey, streakStart, type StreakUpdate, windowEnd } from '../api/windows.ts';
import type { EvidenceSet, Observation } from './evidence.ts';
import type { RawEvidence, RawObservation } from './observe/raw-observation.ts';

export type StabilizeInput = {
  readonly raw: Pick<RawEvidence, 'observations'>;
  /** Streaks as they are stored. */
  readonly windows: readonly ObservationWindow[];
  /** The clock reading of the pass, milliseconds since the epoch. */
  readonly now: number;
  /** Length of the window in milliseconds. */
  readonly windowMs: number;
  /** `<namespace>/<service or workload>` (see `runtimeIdentity`). */
  readonly identity: string;
  /** Resolved reference of the contract; empty for an inline one. */
  readonly contractRef: string;
};

export type Stabilized = {
  readonly evidence: EvidenceSet;
  /** What to do to the stored streaks, see `applyStreakUpdates`. */
  readonly updates: readonly StreakUpdate[];
};

/** Turns raw observations into evidence: negatives inside their window become Insufficient. Pure. */
export function stabilize({
  raw,
  windows,
  now,
  windowMs,
  identity,
  contractRef,
}: StabilizeInput): Stabilized {
  const stored = new Map<StreakKey, ObservationWindow>(windows.map((window) => [streakKey(window), window]));
  const updates: StreakUpdate[] = [];
  const observations = raw.observations.map((item): Observation => {
    const { streak } = item;
    if (streak === undefined || streak.effect === 'keep') return item.observation;
    const { kind, subject } = streak;
    if (streak.effect === 'clear') {
      updates.push({ kind, subject, firstObservedNegativeAt: null });
      return item.observation;
    }
    const window = stored.get(streakKey(streak));
    const end = window === undefined ? undefined : windowEnd(window, windowMs);
    const first =
      end === undefined ? streakStart(now) : (window?.firstObservedNegativeAt ?? streakStart(now));
    updates.push({ kind, subject, firstObservedNegativeAt: first });
    // The first negative never counts, not even with a window of zero.
    return end !== undefined && now >= end ? item.observation : withoutValue(item);
  });
  return {
    evidence: {
      subject: { kind: 'service', name: identity },
      contractRef,
      source: 'k8s',
      observedAt: formatTime(now),
      observations,
    },
    updates,
  };
}

function withoutValue({ observation }: RawObservation): Observation {
  const { kind, subject, provenance } = observation;
  return { kind, subject, outcome: 'Insufficient', provenance };
}
