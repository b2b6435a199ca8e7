// Waiting for nothing but the end: what a component without work of its own does until it is stopped.

/** Resolves when `signal` aborts, at once when it has. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
