// A queue of keys for workers: a key is worked on by one at a time, never lost, and at most once in line.
import type { Clock, MonotonicTime } from '../runtime/clock.ts';
import { monotonicTime } from '../runtime/clock.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { DelayHeap } from './delay-heap.ts';
import { RateLimiter, type RateLimiterOptions } from './rate-limiter.ts';
import { WorkQueueMetrics } from './workqueue-metrics.ts';

export type WorkQueueOptions = {
  /** Label of the metrics. */
  readonly name: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Default: 5 ms to 1,000 s per key, 10 per second with a burst of 100 over all. */
  readonly limits?: Omit<RateLimiterOptions, 'monotonic'>;
};

/**
 * Fair: keys are handed out in the order they were added. Stingy: a key added many times before it is handed out is
 * handed out once; one added while it is worked on is handed out once more, after {@link done}.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #metrics: WorkQueueMetrics;
  readonly #line: string[] = [];
  /** Keys in line before `#head` have been handed out; cut off now and then, so that taking is O(1). */
  #head = 0;
  readonly #dirty = new Set<string>();
  readonly #processing = new Set<string>();
  readonly #delayed = new DelayHeap();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #timer: { readonly due: MonotonicTime; readonly cancel: () => void } | undefined;
  #stopped = false;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#limiter = new RateLimiter({ ...options.limits, monotonic: options.clock.monotonic });
    this.#metrics = new WorkQueueMetrics(options.metrics, options.name, options.clock.monotonic);
  }

  /** Keys in line; neither those that wait for a delay nor those worked on. */
  get length(): number {
    return this.#line.length - this.#head;
  }

  /** Adds a key. No effect when it is in line already or the queue has stopped. */
  add(key: string): void {
    if (this.#stopped || this.#dirty.has(key)) return;
    this.#dirty.add(key);
    this.#metrics.added(key);
    if (this.#processing.has(key)) return;
    this.#enqueue(key);
  }

  /** Adds a key in `delayMs`; at once when that is not above zero. Of several delays the earliest counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#stopped) return;
    if (!(delayMs > 0)) {
      this.add(key);
      return;
    }
    this.#delayed.add(key, monotonicTime(this.#clock.monotonic.now() + delayMs));
    this.#arm();
  }

  /** Adds a key after a failure, as late as the limits say. */
  addRateLimited(key: string): void {
    if (this.#stopped) return;
    this.#metrics.retried();
    this.addAfter(key, this.#limiter.next(key));
  }

  /** Forgets the failures of a key: its next delay is the first again. Does not take the key out of anything. */
  forget(key: string): void {
    this.#limiter.forget(key);
  }

  /** Failures of a key since it was last forgotten. */
  failures(key: string): number {
    return this.#limiter.failures(key);
  }

  /** The next key, as soon as there is one; undefined once `signal` aborts or the queue has stopped. */
  get(signal: AbortSignal): Promise<string | undefined> {
    if (this.#stopped || signal.aborted) return Promise.resolve(undefined);
    const key = this.#take();
    if (key !== undefined) return Promise.resolve(key);
    return new Promise((resolve) => {
      const taker = (taken: string | undefined): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(taken);
      };
      const onAbort = (): void => {
        this.#takers.splice(this.#takers.indexOf(taker), 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#takers.push(taker);
    });
  }

  /** Says that the work on a key, handed out by {@link get}, has ended. */
  done(key: string): void {
    if (!this.#processing.delete(key)) return;
    this.#metrics.finished(key);
    if (this.#dirty.has(key) && !this.#stopped) this.#enqueue(key);
  }

  /** Ends the queue: nothing is handed out or taken in any more, no timer is left. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#delayed.clear();
    this.#line.length = 0;
    this.#head = 0;
    this.#dirty.clear();
    this.#metrics.emptied();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #enqueue(key: string): void {
    this.#line.push(key);
    const taker = this.#takers.shift();
    if (taker !== undefined) taker(this.#take());
  }

  #take(): string | undefined {
    const key = this.#line[this.#head];
    if (key === undefined) return undefined;
    this.#head += 1;
    if (this.#head > 1_000 && this.#head * 2 > this.#line.length) {
      this.#line.splice(0, this.#head);
      this.#head = 0;
    }
    this.#dirty.delete(key);
    this.#processing.add(key);
    this.#metrics.started(key);
    return key;
  }

  #arm(): void {
    const due = this.#delayed.next;
    if (due === undefined || (this.#timer !== undefined && this.#timer.due <= due)) return;
    this.#timer?.cancel();
    const cancel = this.#clock.timers.after(due - this.#clock.monotonic.now(), () => {
      this.#timer = undefined;
      this.#release();
    });
    this.#timer = { due, cancel };
  }

  #release(): void {
    const now = this.#clock.monotonic.now();
    for (let key = this.#delayed.takeDue(now); key !== undefined; key = this.#delayed.takeDue(now))
      this.add(key);
    this.#arm();
  }
}
