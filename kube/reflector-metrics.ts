// What reflectors count, by kind: lists, watches, events and failures.
import type { Counter, Metrics } from '../runtime/metrics.ts';
import { KubeApiError } from './api-error.ts';
import { WatchStreamError } from './line-splitter.ts';
import { isUnreachable } from './transport.ts';

const FAILURES = ['malformed', 'connection', 'gone', 'refused', 'throttled', 'server'] as const;
type ReflectorFailure = (typeof FAILURES)[number];
export type ReflectorCount = 'lists' | 'streamingLists' | 'unfinishedLists' | 'watches' | 'events';

const COUNTS: Readonly<Record<ReflectorCount, { readonly name: string; readonly help: string }>> = {
  lists: { name: 'kube_reflector_lists_total', help: 'Number of paged lists begun.' },
  streamingLists: { name: 'kube_reflector_streaming_lists_total', help: 'Number of streaming lists begun.' },
  unfinishedLists: {
    name: 'kube_reflector_unfinished_lists_total',
    help: 'Number of lists that ended before they were whole.',
  },
  watches: { name: 'kube_reflector_watches_total', help: 'Number of watches begun from a known version.' },
  events: { name: 'kube_reflector_events_total', help: 'Number of objects received by watches.' },
};

export class ReflectorMetrics {
  readonly #kind: string;
  readonly #counts: ReadonlyMap<ReflectorCount, Counter<'kind'>>;
  readonly #failures: Counter<'kind' | 'cause'>;

  constructor(metrics: Metrics, kind: string) {
    this.#kind = kind;
    const counter = (count: ReflectorCount): Counter<'kind'> =>
      metrics.counter({ ...COUNTS[count], labels: ['kind'], zero: [{ kind }] });
    this.#counts = new Map([
      ['lists', counter('lists')],
      ['streamingLists', counter('streamingLists')],
      ['unfinishedLists', counter('unfinishedLists')],
      ['watches', counter('watches')],
      ['events', counter('events')],
    ]);
    this.#failures = metrics.counter({
      name: 'kube_reflector_failures_total',
      help: 'Number of lists and watches that failed, by cause.',
      labels: ['kind', 'cause'],
      zero: FAILURES.map((cause) => ({ kind, cause })),
    });
  }

  count(what: ReflectorCount): void {
    this.#counts.get(what)?.inc({ kind: this.#kind });
  }

  failed(error: unknown): void {
    this.#failures.inc({ kind: this.#kind, cause: causeOf(error) });
  }
}

function causeOf(error: unknown): ReflectorFailure {
  if (error instanceof WatchStreamError) return 'malformed';
  if (isUnreachable(error)) return 'connection';
  if (!(error instanceof KubeApiError)) return 'server';
  if (error.isGone) return 'gone';
  if (error.isTooManyRequests) return 'throttled';
  return error.status < 500 ? 'refused' : 'server';
}
