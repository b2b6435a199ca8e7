// The one way a probe ends from outside: its time is over, or its pass was called off.
import type { Timers } from '../../runtime/clock.ts';

export type ProbeOptions = {
  readonly timers: Timers;
  /** Whole time of one probe in milliseconds. Default, also for what is not positive: 5,000. */
  readonly timeoutMs?: number;
};

const DEFAULT_TIMEOUT_MS = 5_000;

/** Calls `end` at the deadline or at the abort, at once when that has happened already. Returns the way to call it off. */
export function probeDeadline(
  { timers, timeoutMs = DEFAULT_TIMEOUT_MS }: ProbeOptions,
  signal: AbortSignal,
  end: () => void,
): () => void {
  const cancelTimer = timers.after(timeoutMs > 0 ? timeoutMs : DEFAULT_TIMEOUT_MS, end);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) queueMicrotask(end);
  return () => {
    cancelTimer();
    signal.removeEventListener('abort', end);
  };
}
