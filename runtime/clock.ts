// Time as values and as something to inject: a wall clock for stored timestamps, a monotonic one for durations, timers.

declare const wall: unique symbol;
declare const monotonic: unique symbol;

/** Milliseconds since the Unix epoch. For timestamps that are stored or shown; it may jump. */
export type WallTime = number & { readonly [wall]: true };

/** Milliseconds since an arbitrary start that only ever grows. For durations, deadlines and ages. */
export type MonotonicTime = number & { readonly [monotonic]: true };

export type WallClock = { now(): WallTime };
export type MonotonicClock = { now(): MonotonicTime };

/** Calls a callback later. The only way our code waits, so that a test can own time. */
export type Timers = {
  /**
   * Runs `callback` once after `delayMs` (below zero counts as zero), unless the returned function is called before.
   * A pending timer keeps the process alive: whoever starts one also cancels it.
   */
  after(delayMs: number, callback: () => void): () => void;
};

/** The three faces of time a long-running thing may need. */
export type Clock = {
  readonly wall: WallClock;
  readonly monotonic: MonotonicClock;
  readonly timers: Timers;
};

/** Reads a number of milliseconds since the epoch as a wall time. */
export function wallTime(epochMs: number): WallTime {
  return epochMs as WallTime;
}

/** Reads a number of milliseconds as a point on a monotonic clock. */
export function monotonicTime(ms: number): MonotonicTime {
  return ms as MonotonicTime;
}

/** setTimeout counts in a signed 32-bit integer and fires at once beyond it; longer waits are cut into pieces. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function after(delayMs: number, callback: () => void): () => void {
  if (Number.isNaN(delayMs)) throw new RangeError('a timer needs a number of milliseconds and got NaN');
  let handle: NodeJS.Timeout;
  const arm = (leftMs: number): void => {
    handle =
      leftMs > LONGEST_TIMER_MS
        ? setTimeout(() => arm(leftMs - LONGEST_TIMER_MS), LONGEST_TIMER_MS)
        : setTimeout(callback, Math.max(0, leftMs));
  };
  arm(delayMs);
  return () => clearTimeout(handle);
}

/** The machine's clocks and timers. */
export const systemClock: Clock = {
  wall: { now: () => wallTime(Date.now()) },
  monotonic: { now: () => monotonicTime(performance.now()) },
  timers: { after },
};
