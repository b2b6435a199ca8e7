// Waiting that can be called off: the one helper loops use between attempts.
import type { Timers } from './clock.ts';

/**
 * Waits `delayMs` milliseconds or until `signal` aborts, whichever comes first, and says which it was. Never throws and
 * leaves neither timer nor listener behind.
 */
export function sleep(timers: Timers, delayMs: number, signal: AbortSignal): Promise<'elapsed' | 'aborted'> {
  if (signal.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => {
    const onAbort = (): void => {
      cancel();
      resolve('aborted');
    };
    const cancel = timers.after(delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve('elapsed');
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
