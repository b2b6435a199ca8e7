// When a node's word still counts: the bound of its age, its heartbeat, and single points in time (evaluation.md 12.3).
import type { LeaseView, NodeObservationView } from '../../view.ts';
import type { KernelSettings } from './settings.ts';

export type Freshness = {
  /** Age up to which evidence counts, in milliseconds. */
  readonly boundMs: number;
  /** How far a time may lie ahead of our clock and still be believed, in milliseconds. */
  readonly aheadMs: number;
};

/** Lease durations outside these bounds, in seconds, are no honest agent's. */
const LEASE_SECONDS = { min: 15, max: 1_800 } as const;
const INTERVALS = 3;

export function freshnessOf(settings: KernelSettings, lease: LeaseView | undefined): Freshness {
  const seconds = settings.managed ? undefined : lease?.durationSeconds;
  const told =
    seconds === undefined
      ? undefined
      : Math.min(Math.max(seconds, LEASE_SECONDS.min), LEASE_SECONDS.max) * 1000;
  return {
    boundMs: settings.stalenessMs ?? told ?? INTERVALS * settings.publishIntervalMs,
    aheadMs: told === undefined ? settings.publishIntervalMs : told / INTERVALS,
  };
}

/** Whether a point in time is young enough, and not in a future that nobody can have seen. */
export function isRecent(time: number, now: number, { boundMs, aheadMs }: Freshness): boolean {
  return now - time <= boundMs && time - now <= aheadMs;
}

/** The agent renews its Lease after it has written, so the newer of both is its heartbeat. */
export function isAlive(
  observation: NodeObservationView,
  lease: LeaseView | undefined,
  now: number,
  freshness: Freshness,
): boolean {
  return [observation.lastPublished, lease?.renewTime].some(
    (time) => time !== undefined && isRecent(time, now, freshness),
  );
}
