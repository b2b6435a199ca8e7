// Growing, jittered delays between attempts.
import type { MonotonicClock, MonotonicTime } from '../runtime/clock.ts';

export type BackoffOptions = {
  readonly monotonic: MonotonicClock;
  /** Ceiling of the first delay, in milliseconds. Default: 800. */
  readonly initialMs?: number;
  /** Default: 30,000. */
  readonly maxMs?: number;
  /** After this long without asking for a delay the next is the first again, in milliseconds. Default: 120,000. */
  readonly resetAfterMs?: number;
  /** In [0, 1). Default: Math.random. */
  readonly random?: () => number;
};

/** Doubles the ceiling with each attempt; a delay is drawn between half the first ceiling and the present one. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #resetAfterMs: number;
  readonly #random: () => number;
  #ceilingMs: number;
  #askedAt: MonotonicTime | undefined;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#initialMs = options.initialMs ?? 800;
    this.#maxMs = options.maxMs ?? 30_000;
    this.#resetAfterMs = options.resetAfterMs ?? 120_000;
    this.#random = options.random ?? Math.random;
    this.#ceilingMs = this.#initialMs;
  }

  /** The next delay, in milliseconds. */
  next(): number {
    const now = this.#options.monotonic.now();
    if (this.#askedAt !== undefined && now - this.#askedAt > this.#resetAfterMs)
      this.#ceilingMs = this.#initialMs;
    // A floor keeps full jitter from drawing near-zero delays again and again against a failing server.
    const floorMs = this.#initialMs / 2;
    const delayMs = floorMs + this.#random() * (this.#ceilingMs - floorMs);
    this.#ceilingMs = Math.min(this.#maxMs, this.#ceilingMs * 2);
    this.#askedAt = now;
    return delayMs;
  }
}
