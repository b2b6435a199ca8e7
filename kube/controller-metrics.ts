// The controller_runtime_* metrics of one controller, under the names controller dashboards chart.
import type { Counter, Gauge, Histogram, Metrics } from '../runtime/metrics.ts';

type Outcome = 'done' | 'requeueAfter' | 'terminal' | 'failed';

const RESULTS = ['success', 'requeue_after', 'error', 'requeue'] as const;
const BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

export class ControllerMetrics {
  readonly #controller: string;
  readonly #total: Counter<'controller' | 'result'>;
  readonly #errors: Counter<'controller'>;
  readonly #terminal: Counter<'controller'>;
  readonly #time: Histogram<'controller'>;
  readonly #active: Gauge<'controller'>;

  constructor(metrics: Metrics, controller: string, workers: number) {
    this.#controller = controller;
    const zero = [{ controller }];
    this.#total = metrics.counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Total number of reconciliations per controller',
      labels: ['controller', 'result'],
      zero: RESULTS.map((result) => ({ controller, result })),
    });
    this.#errors = metrics.counter({
      name: 'controller_runtime_reconcile_errors_total',
      help: 'Total number of reconciliation errors per controller',
      labels: ['controller'],
      zero,
    });
    this.#terminal = metrics.counter({
      name: 'controller_runtime_terminal_reconcile_errors_total',
      help: 'Total number of terminal reconciliation errors per controller',
      labels: ['controller'],
      zero,
    });
    this.#time = metrics.histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Length of time per reconciliation per controller',
      labels: ['controller'],
      zero,
      buckets: BUCKETS,
    });
    this.#active = metrics.gauge({
      name: 'controller_runtime_active_workers',
      help: 'Number of currently used workers per controller',
      labels: ['controller'],
      zero,
    });
    metrics
      .gauge({
        name: 'controller_runtime_max_concurrent_reconciles',
        help: 'Maximum number of concurrent reconciles per controller',
        labels: ['controller'],
      })
      .set({ controller }, workers);
  }

  started(): void {
    this.#active.inc({ controller: this.#controller });
  }

  finished(outcome: Outcome, seconds: number): void {
    const controller = this.#controller;
    this.#active.dec({ controller });
    this.#time.observe({ controller }, seconds);
    switch (outcome) {
      case 'done':
        this.#total.inc({ controller, result: 'success' });
        return;
      case 'requeueAfter':
        this.#total.inc({ controller, result: 'requeue_after' });
        return;
      case 'terminal':
        this.#terminal.inc({ controller });
        this.#errors.inc({ controller });
        this.#total.inc({ controller, result: 'error' });
        return;
      case 'failed':
        this.#errors.inc({ controller });
        this.#total.inc({ controller, result: 'error' });
        return;
    }
  }
}
