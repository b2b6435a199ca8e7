// The workqueue_* metrics of one queue, under the names controller dashboards chart.
import type { MonotonicClock, MonotonicTime } from '../runtime/clock.ts';
import type { Counter, Gauge, Histogram, Metrics } from '../runtime/metrics.ts';

const BUCKETS = [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1_000];

export class WorkQueueMetrics {
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #monotonic: MonotonicClock;
  readonly #depth: Gauge<'name' | 'controller'>;
  readonly #adds: Counter<'name' | 'controller'>;
  readonly #retries: Counter<'name' | 'controller'>;
  readonly #waited: Histogram<'name' | 'controller'>;
  readonly #worked: Histogram<'name' | 'controller'>;
  readonly #addedAt = new Map<string, MonotonicTime>();
  readonly #startedAt = new Map<string, MonotonicTime>();

  constructor(metrics: Metrics, name: string, monotonic: MonotonicClock) {
    this.#labels = { name, controller: name };
    this.#monotonic = monotonic;
    const labels = ['name', 'controller'] as const;
    const zero = [this.#labels];
    this.#depth = metrics.gauge({
      name: 'workqueue_depth',
      help: 'Number of keys waiting for a worker or to be added again after their present pass.',
      labels,
      zero,
    });
    this.#adds = metrics.counter({
      name: 'workqueue_adds_total',
      help: 'Number of keys added, those already in line left out.',
      labels,
      zero,
    });
    this.#retries = metrics.counter({
      name: 'workqueue_retries_total',
      help: 'Number of keys added again after a failure.',
      labels,
      zero,
    });
    this.#waited = metrics.histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long a key waited in line before it was worked on, in seconds.',
      labels,
      zero,
      buckets: BUCKETS,
    });
    this.#worked = metrics.histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long the work on a key took, in seconds.',
      labels,
      zero,
      buckets: BUCKETS,
    });
    const now = (): number => monotonic.now();
    metrics.gauge({
      name: 'workqueue_unfinished_work_seconds',
      help: 'Seconds of work on keys that is not finished, in sum.',
      labels,
      collect: () => ({ labels: this.#labels, value: this.#unfinished((sum, ms) => sum + ms, now()) }),
    });
    metrics.gauge({
      name: 'workqueue_longest_running_processor_seconds',
      help: 'Seconds the longest unfinished work on a key has taken.',
      labels,
      collect: () => ({ labels: this.#labels, value: this.#unfinished(Math.max, now()) }),
    });
  }

  added(key: string): void {
    this.#adds.inc(this.#labels);
    this.#depth.inc(this.#labels);
    this.#addedAt.set(key, this.#monotonic.now());
  }

  started(key: string): void {
    const now = this.#monotonic.now();
    this.#depth.dec(this.#labels);
    this.#waited.observe(this.#labels, (now - (this.#addedAt.get(key) ?? now)) / 1_000);
    this.#addedAt.delete(key);
    this.#startedAt.set(key, now);
  }

  finished(key: string): void {
    const now = this.#monotonic.now();
    this.#worked.observe(this.#labels, (now - (this.#startedAt.get(key) ?? now)) / 1_000);
    this.#startedAt.delete(key);
  }

  retried(): void {
    this.#retries.inc(this.#labels);
  }

  emptied(): void {
    this.#depth.set(this.#labels, 0);
    this.#addedAt.clear();
  }

  #unfinished(combine: (so: number, ms: number) => number, now: number): number {
    let ms = 0;
    for (const started of this.#startedAt.values()) ms = combine(ms, now - started);
    return ms / 1_000;
  }
}
