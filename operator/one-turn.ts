// Time for what is in memory: a promise that waits for nothing outside is settled within one turn of the event loop.
import type { Timers } from '../runtime/clock.ts';

/** Resolves when `promise` settles, or after one turn. Never rejects. */
export async function oneTurnFor(promise: Promise<unknown>, timers: Timers): Promise<void> {
  let cancel = (): void => undefined;
  const turn = new Promise<void>((resolve) => (cancel = timers.after(0, resolve)));
  await Promise.race([promise.catch(() => undefined), turn]);
  cancel();
}
