// Keeps long work from holding the event loop up: after a few milliseconds of it everything else gets a turn.
import type { MonotonicClock, MonotonicTime } from '../runtime/clock.ts';

/** Work done without a break, in milliseconds: with what one object costs on top it stays well below ten. */
const SLICE_MS = 4;

/**
 * One for all who share an event loop and have much to do. They share the time of a turn: if each had its own, many would
 * hold the loop up together. Whoever works asks {@link due} after each piece and then waits for {@link rest}.
 */
export class Pace {
  readonly #monotonic: MonotonicClock;
  /** When the first piece of this turn of the event loop began. */
  #began: MonotonicTime | undefined;
  readonly #resting: (() => void)[] = [];

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /** Whether enough was done in this turn. The first call in a turn begins to count. */
  due(): boolean {
    if (this.#began === undefined) this.#begin();
    else if (this.#resting.length > 0) return true;
    return this.#monotonic.now() - (this.#began ?? 0) >= SLICE_MS;
  }

  /** Resolves in a later turn, one who waits at a time, in the order they came. */
  rest(): Promise<void> {
    if (this.#began === undefined) this.#begin();
    return new Promise((resolve) => {
      this.#resting.push(resolve);
    });
  }

  #begin(): void {
    this.#began = this.#monotonic.now();
    setImmediate(() => {
      this.#began = undefined;
      const next = this.#resting.shift();
      if (next === undefined) return;
      this.#begin();
      next();
    });
  }
}
