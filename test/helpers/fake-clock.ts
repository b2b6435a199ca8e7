// A clock that stands still until a test moves it; due timers run in order of time, then of creation.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Clock,
  type MonotonicTime,
  monotonicTime,
  type WallTime,
  wallTime,
} from '../../runtime/clock.ts';

type Timer = { readonly at: number; readonly order: number; readonly callback: () => void };

/** Wall time a fake clock starts at: a whole second, so that rounding shows. */
export const FAKE_EPOCH_MS = Date.UTC(2026, 0, 1);

export class FakeClock implements Clock {
  #elapsedMs = 0;
  #wallOffsetMs = FAKE_EPOCH_MS;
  #order = 0;
  readonly #timers = new Set<Timer>();

  readonly wall = { now: (): WallTime => wallTime(this.#wallOffsetMs + this.#elapsedMs) };
  readonly monotonic = { now: (): MonotonicTime => monotonicTime(this.#elapsedMs) };
  readonly timers = {
    after: (delayMs: number, callback: () => void): (() => void) => {
      const timer = { at: this.#elapsedMs + Math.max(0, delayMs), order: this.#order++, callback };
      this.#timers.add(timer);
      return () => this.#timers.delete(timer);
    },
  };

  /** Timers that wait; a component that has stopped leaves none. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer, or undefined when none waits. */
  get nextInMs(): number | undefined {
    const next = this.#next(Number.POSITIVE_INFINITY);
    return next === undefined ? undefined : next.at - this.#elapsedMs;
  }

  /** Moves time on and runs what falls due, letting promises settle around each timer. */
  async advance(ms: number): Promise<void> {
    const target = this.#elapsedMs + ms;
    await settle();
    for (let timer = this.#next(target); timer !== undefined; timer = this.#next(target)) {
      this.#fire(timer);
      await settle();
    }
    this.#elapsedMs = target;
    await settle();
  }

  /** As {@link advance}, without letting promises run in between: for code that is synchronous as a whole. */
  advanceSync(ms: number): void {
    const target = this.#elapsedMs + ms;
    for (let timer = this.#next(target); timer !== undefined; timer = this.#next(target)) this.#fire(timer);
    this.#elapsedMs = target;
  }

  /** Sets the wall clock back or forth, as an administrator or a time daemon does. Timers do not notice. */
  stepWall(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    this.#elapsedMs = timer.at;
    timer.callback();
  }

  #next(target: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > target) continue;
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) {
        next = timer;
      }
    }
    return next;
  }
}

/** Lets everything run that only waits for promises or immediates. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}
