// What evaluation reads of a ServiceMonitor or PodMonitor; fields about authentication are never looked at.
import * as read from '../../api/read.ts';
import type { MonitorKind } from '../view.ts';
import type { MonitorView } from '../view-objects.ts';
import { namesOf, portReference } from './names.ts';

const ENDPOINTS: Readonly<Record<MonitorKind, string>> = {
  ServiceMonitor: 'endpoints',
  PodMonitor: 'podMetricsEndpoints',
};

export function monitorView(kind: MonitorKind): (object: unknown) => MonitorView {
  return (object) => {
    const spec = read.object(object, 'spec');
    const labels = read.object(read.object(spec, 'selector'), 'matchLabels');
    return {
      ...namesOf(object),
      ...(labels === undefined ? {} : { matchLabels: matchable(labels) }),
      endpoints: read
        .list(spec, ENDPOINTS[kind])
        .filter(read.isObject)
        .map((endpoint) =>
          read.defined({
            path: read.string(endpoint, 'path'),
            port: portReference(endpoint, 'port') ?? read.integer(endpoint, 'portNumber'),
            targetPort: portReference(endpoint, 'targetPort'),
          }),
        ),
    };
  };
}

/** A value that is no text can equal no label; it stays as one that no label can have. */
function matchable(labels: read.Json): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [key, typeof value === 'string' ? value : '\0']),
  );
}
