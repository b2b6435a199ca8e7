// Waits for a condition by asking again and again, with a deadline: the only way tests here wait for another process.
import { setTimeout as delay } from 'node:timers/promises';

const ASK_AGAIN_MS = 20;

export type WaitOptions = {
  /** Milliseconds until the wait fails. Default: 60,000, generous since a loaded machine is no failure. */
  readonly timeout?: number;
  readonly signal?: AbortSignal | undefined;
};

/**
 * The first answer of `ask` that is neither undefined nor false.
 * @param what named in the message when the time is over, as in "waited 60 s for WHAT"
 * @throws Error on timeout, with what `ask` threw last as the cause; otherwise an error thrown by `ask` means "not yet"
 */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  { timeout = 60_000, signal }: WaitOptions = {},
): Promise<T> {
  const end = performance.now() + timeout;
  let cause: unknown;
  for (;;) {
    signal?.throwIfAborted();
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > end) throw new Error(`waited ${timeout / 1000} s for ${what}`, { cause });
    await delay(ASK_AGAIN_MS, undefined, { signal });
  }
}
