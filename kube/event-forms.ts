// The two shapes of an Event on the wire: core/v1 with a count, and events.k8s.io/v1 with a series.
import type { Correlated } from './event-correlator.ts';
import { microTime, secondTime } from './micro-time.ts';
import type { ResourceType } from './resource.ts';

/** Which API events are written to: `v1` is the legacy form most tools show, `events.k8s.io/v1` its successor. */
export type EventApi = 'v1' | 'events.k8s.io/v1';

export type EventSource = {
  /** Who reports: the controller's name. */
  readonly component: string;
  /** Which instance: the pod's name. */
  readonly instance: string;
};

/** An event that is to be written. */
export type Written = Exclude<Correlated, { readonly kind: 'drop' }>;

const TYPES: Readonly<Record<EventApi, ResourceType>> = {
  v1: { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true },
  'events.k8s.io/v1': {
    group: 'events.k8s.io',
    version: 'v1',
    kind: 'Event',
    plural: 'events',
    namespaced: true,
  },
};

export function eventType(api: EventApi): ResourceType {
  return TYPES[api];
}

/** Where the event lives: with its object, or in `default` for a cluster-scoped one. */
export function eventNamespace({ event }: Written): string {
  return event.subject.namespace === '' ? 'default' : event.subject.namespace;
}

/** The object to create. */
export function eventObject(api: EventApi, written: Written, source: EventSource): unknown {
  const { event, series } = written;
  const metadata = { name: series.name, namespace: eventNamespace(written) };
  const reference = withoutEmpty({ ...event.subject });
  if (api === 'v1') {
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata,
      involvedObject: reference,
      type: event.type,
      reason: event.reason,
      message: event.message,
      source: { component: source.component },
      firstTimestamp: secondTime(series.first),
      lastTimestamp: secondTime(series.last),
      count: series.count,
      reportingComponent: source.component,
      reportingInstance: source.instance,
    };
  }
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata,
    regarding: reference,
    type: event.type,
    reason: event.reason,
    note: event.message,
    action: event.action ?? event.reason,
    eventTime: microTime(series.first),
    reportingController: source.component,
    reportingInstance: source.instance,
  };
}

/** The merge patch that counts on. */
export function eventPatch(api: EventApi, { series }: Written): unknown {
  return api === 'v1'
    ? { count: series.count, lastTimestamp: secondTime(series.last) }
    : { series: { count: series.count, lastObservedTime: microTime(series.last) } };
}

function withoutEmpty(reference: Record<string, string | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(reference)) {
    if (value !== undefined && value !== '') kept[key] = value;
  }
  return kept;
}
