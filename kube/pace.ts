// Keeps long work from holding the event loop up: after a few milliseconds of it everything else gets a turn.
import type { MonotonicClock, MonotonicTime } from '../runtime/clock.ts';

/**
 * Work done without a break, in milliseconds: with what one object costs on top, and a collection of the heap, it stays
 * below ten.
 */
const SLICE_MS = 2;

/**
 * One for all who share an event loop and have much to do. They share the time of a turn: if each had its own, many would
 * hold the loop up together. Whoever works asks {@link due} after each piece and then waits for {@link rest}.
 */
export class Pace {
  readonly #monotonic: MonotonicClock;
  /** When the first piece of this turn of the event loop began. */
  #began: MonotonicTime | undefined;
  #scheduled = false;
  /** Whether nobody who rests was let go on in the turn before, for want of time. */
  #skipped = false;
  readonly #resting: (() => void)[] = [];

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /**
   * Whether to rest after this piece. While others rest a piece at a time is done: what has come for them waits in
   * buffers, which are dear once they are old.
   */
  due(): boolean {
    return this.spent() || this.#resting.length > 0;
  }

  /** Whether the time of this turn is used up. The first call in a turn begins to count. */
  spent(): boolean {
    this.#schedule();
    const now = this.#monotonic.now();
    this.#began ??= now;
    return now - this.#began >= SLICE_MS;
  }

  /** Resolves in a later turn, one who waits at a time, in the order they came. */
  rest(): Promise<void> {
    this.#schedule();
    return new Promise((resolve) => {
      this.#resting.push(resolve);
    });
  }

  /** The second comes after the work of whoever the first lets go on, and before the data of the next turn. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#goOn());
    setImmediate(() => this.#endTurn());
  }

  /** Immediates come after the data of a turn, which may have used its time up. That is no reason twice in a row. */
  #goOn(): void {
    const isUsedUp = this.#began !== undefined && this.spent();
    this.#skipped = isUsedUp && !this.#skipped;
    if (!this.#skipped) this.#resting.shift()?.();
  }

  #endTurn(): void {
    this.#began = undefined;
    this.#scheduled = false;
    if (this.#resting.length > 0) this.#schedule();
  }
}
