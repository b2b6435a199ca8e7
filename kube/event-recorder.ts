// Events about objects, for people who look: written in the background, aggregated, limited, never in anyone's way.
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Counter, Metrics } from '../runtime/metrics.ts';
import { KubeApiError } from './api-error.ts';
import type { KubeClient } from './client.ts';
import { EventCorrelator, type EventInput } from './event-correlator.ts';
import {
  type EventApi,
  type EventSource,
  eventNamespace,
  eventObject,
  eventPatch,
  eventType,
  type Written,
} from './event-forms.ts';
import { isUnreachable } from './transport.ts';

export type EventRecorderOptions = {
  readonly client: KubeClient;
  readonly source: EventSource;
  /** Default: `events.k8s.io/v1`. */
  readonly api?: EventApi;
  /** Events that may wait; more are dropped and counted. Default: 1,000. */
  readonly capacity?: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
};

const OUTCOMES = ['written', 'limited', 'overflow', 'refused', 'unreachable'] as const;
type Outcome = (typeof OUTCOMES)[number];

const MAX_TRIES = 12;
const REQUEST_MS = 10_000;

export class EventRecorder {
  readonly name = 'event-recorder';
  readonly #options: EventRecorderOptions;
  readonly #api: EventApi;
  readonly #correlator: EventCorrelator;
  readonly #outcomes: Counter<'outcome'>;
  readonly #waiting: EventInput[] = [];
  #wake: (() => void) | undefined;
  #names = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#api = options.api ?? 'events.k8s.io/v1';
    this.#correlator = new EventCorrelator(options.clock, () => this.#suffix());
    this.#outcomes = options.metrics.counter({
      name: 'kube_events_total',
      help: 'Number of events recorded, by what became of them.',
      labels: ['outcome'],
      zero: OUTCOMES.map((outcome) => ({ outcome })),
    });
  }

  /** Takes an event to be written soon. Returns at once and never throws; under pressure the event is dropped. */
  record(event: EventInput): void {
    if (this.#waiting.length >= (this.#options.capacity ?? 1_000)) {
      this.#count('overflow');
      return;
    }
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** Writes events until `signal` aborts; what still waits then is dropped. */
  async run(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#wake?.();
    signal.addEventListener('abort', onAbort);
    try {
      while (!signal.aborted) {
        const event = this.#waiting.shift();
        if (event === undefined) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
          continue;
        }
        const correlated = this.#correlator.correlate(event);
        if (correlated.kind === 'drop') this.#count('limited');
        else await this.#write(correlated, signal);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #write(correlated: Written, signal: AbortSignal): Promise<void> {
    const { client, log } = this.#options;
    for (let attempt = 0; attempt < MAX_TRIES && !signal.aborted; attempt += 1) {
      try {
        await this.#send(correlated, signal);
        this.#count('written');
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isUnreachable(error)) {
          await client.gate.pass(signal);
          continue;
        }
        const { reason } = correlated.event;
        // The server's message may quote the event; a mistake of ours must not go unnamed.
        if (error instanceof KubeApiError) log.warn('an event was refused', { reason, code: error.reason });
        else log.error('an event could not be sent', { reason, error });
        this.#count('refused');
        return;
      }
    }
    if (!signal.aborted) this.#count('unreachable');
  }

  async #send(correlated: Written, signal: AbortSignal): Promise<void> {
    const { client, source } = this.#options;
    const type = eventType(this.#api);
    const options = { signal, timeoutMs: REQUEST_MS };
    if (correlated.kind === 'repeat') {
      const ref = { namespace: eventNamespace(correlated), name: correlated.series.name };
      try {
        await client.mergePatch(type, ref, eventPatch(this.#api, correlated), options);
        return;
      } catch (error) {
        // The event expired or was deleted meanwhile: it begins anew under its old name.
        if (!(error instanceof KubeApiError && error.isNotFound)) throw error;
      }
    }
    try {
      await client.create(type, eventObject(this.#api, correlated, source), options);
    } catch (error) {
      // A try whose answer was lost has created it.
      if (!(error instanceof KubeApiError && error.isAlreadyExists)) throw error;
    }
  }

  /** As client-go: the time in hexadecimal, here with a counter for events of the same millisecond. */
  #suffix(): string {
    this.#names = (this.#names + 1) % 0xfffff;
    const nanoseconds = BigInt(Math.floor(this.#options.clock.wall.now())) * 1_000_000n + BigInt(this.#names);
    return nanoseconds.toString(16);
  }

  #count(outcome: Outcome): void {
    this.#outcomes.inc({ outcome });
  }
}
