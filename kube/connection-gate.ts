// One place where everything that lost its connection waits: a single probe asks for the server, then all go on at once.
import type { Timers } from '../runtime/clock.ts';
import { sleep } from '../runtime/sleep.ts';

export type ConnectionGateOptions = {
  readonly timers: Timers;
  /** Asks the server whether it is ready: resolves to an HTTP status, rejects when there is no connection. */
  readonly probe: (signal: AbortSignal) => Promise<number>;
  /** Time between two probes, in milliseconds. Default: 500. */
  readonly intervalMs?: number;
};

export class ConnectionGate {
  readonly #options: ConnectionGateOptions;
  readonly #waiting = new Set<() => void>();
  #stopProbing: AbortController | undefined;

  constructor(options: ConnectionGateOptions) {
    this.#options = options;
  }

  /**
   * Waits until the server answers. The first probe goes out at once, so a cut of a single connection costs one round
   * trip. Says `aborted` when `signal` was first. Probes only while somebody waits.
   */
  pass(signal: AbortSignal): Promise<'open' | 'aborted'> {
    if (signal.aborted) return Promise.resolve('aborted');
    return new Promise((resolve) => {
      const open = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve('open');
      };
      const onAbort = (): void => {
        this.#waiting.delete(open);
        if (this.#waiting.size === 0) this.#stopProbing?.abort();
        resolve('aborted');
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(open);
      if (this.#stopProbing === undefined || this.#stopProbing.signal.aborted) void this.#probe();
    });
  }

  async #probe(): Promise<void> {
    const stop = new AbortController();
    this.#stopProbing = stop;
    while (!stop.signal.aborted) {
      if (await this.#isReady(stop.signal)) break;
      await sleep(this.#options.timers, this.#options.intervalMs ?? 500, stop.signal);
    }
    // A newer probe may have taken over after an abort; the waiting are then its own.
    if (this.#stopProbing !== stop) return;
    this.#stopProbing = undefined;
    if (stop.signal.aborted) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const open of waiting) open();
  }

  async #isReady(signal: AbortSignal): Promise<boolean> {
    try {
      // Below 500 somebody answers for the server: a refusal (401, 403) or a throttle is no reason to wait here.
      return (await this.#options.probe(signal)) < 500;
    } catch {
      return false;
    }
  }
}
