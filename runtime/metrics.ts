// The metrics of one process: a registry of its own, handed to whoever counts; nothing hangs on a global.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type { Counter, Gauge, Histogram } from 'prom-client';

export type MetricOptions<L extends string> = {
  /** Full name with unit, as charted: `workqueue_depth`, `rest_client_request_duration_seconds`. */
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  /** Names of the labels. Never one whose values are object names. Default: none. */
  readonly labels?: readonly L[];
  /** Label sets that exist from the start at zero, so that a rate over them is right from the first event on. */
  readonly zero?: readonly Readonly<Record<L, string>>[];
};

export type GaugeOptions<L extends string> = MetricOptions<L> & {
  /** Called when the metrics are read, for a value that is computed rather than counted. Default: none. */
  readonly collect?: () => { readonly labels: Readonly<Record<L, string>>; readonly value: number };
};

export type HistogramOptions<L extends string> = MetricOptions<L> & {
  /** Upper bounds in the metric's unit. Default: 5 ms to 60 s in steps fit for request times. */
  readonly buckets?: readonly number[];
};

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/**
 * Declares metrics on one registry. Declaring a name twice gives the metric that exists, so two caches or queues share
 * one family and differ by label; a second declaration of another type or with other labels throws.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #declared = new Map<string, string>();
  readonly #collectors: (() => void)[] = [];

  /** Content type of {@link render}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  counter<L extends string = never>(options: MetricOptions<L>): Counter<L> {
    const metric = this.#declare('counter', options, (config) => new Counter<L>(config));
    for (const labels of options.zero ?? []) metric.inc(labels, 0);
    return metric;
  }

  gauge<L extends string = never>(options: GaugeOptions<L>): Gauge<L> {
    const metric = this.#declare('gauge', options, (config) => new Gauge<L>(config));
    const { collect } = options;
    if (collect !== undefined) {
      this.#collectors.push(() => {
        const { labels, value } = collect();
        metric.set(labels, value);
      });
    }
    for (const labels of options.zero ?? []) metric.inc(labels, 0);
    return metric;
  }

  histogram<L extends string = never>(options: HistogramOptions<L>): Histogram<L> {
    const buckets = [...(options.buckets ?? SECONDS)];
    const metric = this.#declare('histogram', options, (config) => new Histogram<L>({ ...config, buckets }));
    for (const labels of options.zero ?? []) metric.zero(labels);
    return metric;
  }

  /** Adds what every Node process has: CPU, memory, event loop delay, collections. Call once per process. */
  collectProcessMetrics(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** The text exposition of all metrics. */
  render(): Promise<string> {
    for (const collect of this.#collectors) collect();
    return this.#registry.metrics();
  }

  #declare<L extends string, M extends Counter<L> | Gauge<L> | Histogram<L>>(
    type: string,
    options: MetricOptions<L>,
    create: (config: { name: string; help: string; labelNames: L[]; registers: Registry[] }) => M,
  ): M {
    const signature = `${type}(${[...(options.labels ?? [])].sort().join(',')})`;
    const declared = this.#declared.get(options.name);
    if (declared === undefined) {
      this.#declared.set(options.name, signature);
      const labelNames = [...(options.labels ?? [])];
      return create({ name: options.name, help: options.help, labelNames, registers: [this.#registry] });
    }
    if (declared !== signature) {
      throw new Error(`metric ${options.name} is declared as ${declared} and again as ${signature}`);
    }
    return this.#registry.getSingleMetric(options.name) as unknown as M;
  }
}
