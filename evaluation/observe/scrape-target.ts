// Where the metrics of a Service are: what monitors, annotations, port names and the contract say, in this order
// (evaluation.md 6.1).
import { SCRAPE_ANNOTATIONS } from '../read-annotations.ts';
import type { MonitorEndpoint, MonitorKind, ServicePort, ServiceView } from '../view.ts';
import type { CapabilityPort } from './capability-port.ts';
import { noted, type ObserverContext } from './observer-context.ts';

/** `port` is one of the Service's host. */
export type ScrapeTarget = { readonly port: number; readonly path: string };

const DEFAULT_PATH = '/metrics';
const METRICS_PORTS: ReadonlySet<string> = new Set(['metrics', 'http-metrics']);

export function scrapeTarget(
  context: ObserverContext,
  { service, port, path }: Extract<CapabilityPort, { kind: 'port' }>,
): ScrapeTarget | undefined {
  const named = service.ports.find(({ name }) => METRICS_PORTS.has(name));
  return (
    monitored(context, 'ServiceMonitor', service) ??
    monitored(context, 'PodMonitor', service) ??
    annotated(service) ??
    (named === undefined ? undefined : { port: named.port, path: path ?? DEFAULT_PATH }) ??
    (path === undefined ? undefined : { port: port.port, path })
  );
}

/** A list that cannot be read hides a monitor, and the next way is taken. */
function monitored(
  context: ObserverContext,
  kind: MonitorKind,
  service: ServiceView,
): ScrapeTarget | undefined {
  const { view, namespace } = context.input;
  const monitors = noted(context, kind, namespace, view.monitors(kind, namespace), '');
  if (monitors.kind !== 'found') return undefined;
  const labels = kind === 'ServiceMonitor' ? service.labels : service.selector;
  if (kind === 'PodMonitor' && Object.keys(labels).length === 0) return undefined;
  for (const { matchLabels, endpoints } of monitors.value) {
    if (matchLabels === undefined || !isSubset(matchLabels, labels)) continue;
    for (const endpoint of endpoints) {
      const port = resolvePort(kind, endpoint, service.ports);
      if (port !== undefined) return { port, path: endpoint.path ?? DEFAULT_PATH };
    }
  }
  return undefined;
}

/** A ServiceMonitor names ports of the Service, a PodMonitor those of its pods. */
function resolvePort(
  kind: MonitorKind,
  { port, targetPort }: MonitorEndpoint,
  ports: readonly ServicePort[],
): number | undefined {
  if (typeof port === 'number') return isPort(port) ? port : undefined;
  const behind = (target: number | string): number | undefined =>
    ports.find((candidate) => (candidate.targetPort ?? candidate.port) === target)?.port;
  if (port !== undefined) {
    return kind === 'ServiceMonitor' ? ports.find(({ name }) => name === port)?.port : behind(port);
  }
  if (targetPort === undefined) return undefined;
  return (
    behind(targetPort) ?? (typeof targetPort === 'number' && isPort(targetPort) ? targetPort : undefined)
  );
}

function annotated({ annotations }: ServiceView): ScrapeTarget | undefined {
  const text = annotations[SCRAPE_ANNOTATIONS.port] ?? '';
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  if (annotations[SCRAPE_ANNOTATIONS.scrape] !== 'true' || !isPort(port)) return undefined;
  const path = annotations[SCRAPE_ANNOTATIONS.path] ?? '';
  return { port, path: path === '' ? DEFAULT_PATH : path };
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

function isSubset(part: Readonly<Record<string, string>>, whole: Readonly<Record<string, string>>): boolean {
  return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && whole[key] === value);
}
