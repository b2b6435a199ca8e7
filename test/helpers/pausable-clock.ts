// One process's view of a shared fake clock: while it is paused its timers wait, as under SIGSTOP, but time goes on.
import type { Clock } from '../../runtime/clock.ts';

export class PausableClock implements Clock {
  readonly #base: Clock;
  readonly wall: Clock['wall'];
  readonly monotonic: Clock['monotonic'];
  readonly #held: (() => void)[] = [];
  #state: 'running' | 'paused' = 'running';

  constructor(base: Clock) {
    this.#base = base;
    this.wall = base.wall;
    this.monotonic = base.monotonic;
  }

  readonly timers = {
    after: (delayMs: number, callback: () => void): (() => void) => {
      let live = true;
      const run = (): void => {
        if (!live) return;
        if (this.#state === 'paused') this.#held.push(run);
        else callback();
      };
      const cancel = this.#base.timers.after(delayMs, run);
      return () => {
        live = false;
        cancel();
      };
    },
  };

  get paused(): boolean {
    return this.#state === 'paused';
  }

  pause(): void {
    this.#state = 'paused';
  }

  /** Runs at once what fell due meanwhile. */
  resume(): void {
    this.#state = 'running';
    for (const run of this.#held.splice(0)) run();
  }
}
