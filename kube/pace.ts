// Keeps long work from holding the event loop up: after a few milliseconds of it everything else gets a turn.
import type { MonotonicClock, MonotonicTime } from '../runtime/clock.ts';

/** Work done without a break, in milliseconds: with what one object costs on top, and a collection of the heap, it stays below ten. */
const SLICE_MS = 2;

/**
 * One for all who share an event loop and have much to do. They share the time of a turn: if each had its own, many would
 * hold the loop up together. Whoever works asks {@link due} after each piece and then waits for {@link rest}.
 */
export class Pace {
  readonly #monotonic: MonotonicClock;
  /** When the first piece of this turn of the event loop began. */
  #began: MonotonicTime | undefined;
  /** Whether it began by itself, as data came, and not after a rest. */
  #unasked = false;
  #scheduled = false;
  readonly #resting: (() => void)[] = [];

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /** Whether enough was done in this turn. The first call in a turn begins to count. */
  due(): boolean {
    if (this.#began === undefined) this.#begin();
    // While others rest a piece at a time is done: what has come for them waits in buffers, which are dear once they are old.
    return this.#resting.length > 0 || this.#monotonic.now() - (this.#began ?? 0) >= SLICE_MS;
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
    this.#unasked = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#next();
    });
  }

  /** Immediates come after the data of a turn: work that began with those has had its time in this turn already. */
  #next(): void {
    const late = this.#unasked;
    this.#began = undefined;
    this.#unasked = false;
    const next = late ? undefined : this.#resting.shift();
    if (next !== undefined) {
      this.#began = this.#monotonic.now();
      next();
    }
    if (next !== undefined || this.#resting.length > 0) this.#schedule();
  }
}
