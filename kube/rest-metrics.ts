// Requests to the API server under the names dashboards chart: rest_client_requests_total and its duration.
import type { Counter, Histogram, Metrics } from '../runtime/metrics.ts';

export class RestMetrics {
  readonly #requests: Counter<'code' | 'method' | 'host'>;
  readonly #duration: Histogram<'verb' | 'host'>;
  readonly #host: string;

  /** `host` is the API server's host and port. */
  constructor(metrics: Metrics, host: string) {
    this.#host = host;
    this.#requests = metrics.counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host.',
      labels: ['code', 'method', 'host'],
    });
    this.#duration = metrics.histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Time to the headers of the answer in seconds, by verb and host.',
      labels: ['verb', 'host'],
    });
  }

  /** Counts one request; `code` is the status or `<error>`. */
  observe(method: string, code: string, seconds: number): void {
    this.#requests.inc({ code, method, host: this.#host });
    this.#duration.observe({ verb: method, host: this.#host }, seconds);
  }
}
