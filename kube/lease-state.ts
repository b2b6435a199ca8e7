// The rules of leader election without any I/O: who may lead, judged by what was seen when on our own clock.
import type { MonotonicTime } from '../runtime/clock.ts';

/** What a Lease says, as far as election goes. */
export type LeaseRecord = {
  /** Empty when nobody holds it. */
  readonly holder: string;
  /** The holder loses it when it does not renew for this long. */
  readonly durationMs: number;
  readonly transitions: number;
  /** Changes with each renewal; compared, never read as a time: the holder's clock is not ours. */
  readonly renewTime: string;
};

export type LeaseTimings = {
  /** Others wait this long after the last renewal they saw, in milliseconds. Default: 15,000. */
  readonly leaseDurationMs: number;
  /** A leader that could not renew for this long stops leading, in milliseconds. Default: 10,000. */
  readonly renewDeadlineMs: number;
  /** Time between two attempts, in milliseconds. Default: 2,000. */
  readonly retryPeriodMs: number;
};

export const DEFAULT_TIMINGS: LeaseTimings = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/** Throws a RangeError for timings under which two could lead at once or a leader could not keep its lease. */
export function checkTimings(timings: LeaseTimings): void {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = timings;
  if (!(leaseDurationMs > renewDeadlineMs)) {
    throw new RangeError(
      `lease duration (${leaseDurationMs} ms) must be greater than the renew deadline (${renewDeadlineMs} ms)`,
    );
  }
  if (!(renewDeadlineMs > 1.2 * retryPeriodMs)) {
    throw new RangeError(
      `renew deadline (${renewDeadlineMs} ms) must be greater than 1.2 times the retry period (${retryPeriodMs} ms)`,
    );
  }
  if (!(retryPeriodMs > 0) || leaseDurationMs < 1_000) {
    throw new RangeError('the retry period must be above zero and the lease duration at least 1000 ms');
  }
}

export class LeaseState {
  readonly #identity: string;
  readonly #timings: LeaseTimings;
  #seen: { readonly record: LeaseRecord; readonly at: MonotonicTime } | undefined;
  /** Start of the last request that renewed the lease: it cannot have been stored earlier. */
  #renewedAt: MonotonicTime | undefined;

  constructor(identity: string, timings: LeaseTimings) {
    checkTimings(timings);
    this.#identity = identity;
    this.#timings = timings;
  }

  /** Who was last seen to hold the lease; empty for nobody. */
  get holder(): string {
    return this.#seen?.record.holder ?? '';
  }

  /** Notes what the Lease said; only a change starts the holder's time anew. */
  see(record: LeaseRecord, now: MonotonicTime): void {
    const seen = this.#seen?.record;
    if (
      seen?.holder === record.holder &&
      seen.renewTime === record.renewTime &&
      seen.transitions === record.transitions
    ) {
      return;
    }
    this.#seen = { record, at: now };
  }

  /** Whether trying to write our name is allowed now. */
  mayTake(now: MonotonicTime): boolean {
    if (this.#seen === undefined) return true;
    const { record, at } = this.#seen;
    if (record.holder === '' || record.holder === this.#identity) return true;
    return now - at >= record.durationMs;
  }

  /** Our name was written by a request that started at `startedAt`. */
  renewed(startedAt: MonotonicTime): void {
    this.#renewedAt = startedAt;
  }

  /** We gave the lease up or lost it. */
  gone(): void {
    this.#renewedAt = undefined;
  }

  /** Milliseconds for which we may still act as the leader; zero or less when we may not. */
  leftMs(now: MonotonicTime): number {
    return this.#renewedAt === undefined ? 0 : this.#renewedAt + this.#timings.renewDeadlineMs - now;
  }
}
