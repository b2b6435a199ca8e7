// How long a failed key waits: the longer of its own growing delay and the turn it gets from a bucket all keys share.
import type { MonotonicClock, MonotonicTime } from '../runtime/clock.ts';

export type RateLimiterOptions = {
  readonly monotonic: MonotonicClock;
  /** First delay of a key, in milliseconds. Default: 5. */
  readonly baseMs?: number;
  /** Longest delay of a key, in milliseconds. Default: 1,000,000. */
  readonly maxMs?: number;
  /** Retries per second over all keys, once the burst is used up. Default: 10. */
  readonly perSecond?: number;
  /** Retries that may go at once. Default: 100. */
  readonly burst?: number;
};

export class RateLimiter {
  readonly #monotonic: MonotonicClock;
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #failures = new Map<string, number>();
  /** May fall below zero: then the next turn lies in the future. */
  #tokens: number;
  #filledAt: MonotonicTime;

  constructor(options: RateLimiterOptions) {
    this.#monotonic = options.monotonic;
    this.#baseMs = options.baseMs ?? 5;
    this.#maxMs = options.maxMs ?? 1_000_000;
    this.#perSecond = options.perSecond ?? 10;
    this.#burst = options.burst ?? 100;
    this.#tokens = this.#burst;
    this.#filledAt = this.#monotonic.now();
  }

  /** Counts a failure of `key` and says how long it waits, in milliseconds. */
  next(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const own = Math.min(this.#maxMs, this.#baseMs * 2 ** Math.min(failures, 60));
    return Math.max(own, this.#turn());
  }

  /** Forgets the failures of `key`. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Failures of `key` since it was last forgotten. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  #turn(): number {
    const now = this.#monotonic.now();
    const filled = ((now - this.#filledAt) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + filled) - 1;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1_000;
  }
}
