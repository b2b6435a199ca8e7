// The view over a list of raw objects, such as files hold: the same projections as over the operator's caches, so that
// equal objects give equal answers.
import { matchesLabels } from '../api/label-selector.ts';
import { byText } from '../api/by-text.ts';
import { AGENT_NAMESPACE, PACTO_GROUP } from '../api/names.ts';
import { WORKLOAD_KINDS } from '../api/pacto.ts';
import * as read from '../api/read.ts';
import { endpointSliceView } from './projections/endpoint-slice.ts';
import { monitorView } from './projections/monitor.ts';
import { namesOf } from './projections/names.ts';
import { leaseView, nodeObservationView } from './projections/node-observation.ts';
import { podView } from './projections/pod.ts';
import { providerView } from './projections/provider.ts';
import { httpRouteView, ingressView } from './projections/routes.ts';
import { serviceView } from './projections/service.ts';
import { workloadView } from './projections/workload.ts';
import { resolvedRepository } from './repository.ts';
import type { ClusterView, Lookup } from './view.ts';

/** API group of each kind that is looked up; other groups have kinds of the same names. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['Service', ''],
  ['EndpointSlice', 'discovery.k8s.io'],
  ['Deployment', 'apps'],
  ['StatefulSet', 'apps'],
  ['ReplicaSet', 'apps'],
  ['Job', 'batch'],
  ['CronJob', 'batch'],
  ['Pacto', PACTO_GROUP],
  ['Ingress', 'networking.k8s.io'],
  ['HTTPRoute', 'gateway.networking.k8s.io'],
  ['Pod', ''],
  ['NodeRuntimeObservation', PACTO_GROUP],
  ['Lease', 'coordination.k8s.io'],
  ['ServiceMonitor', 'monitoring.coreos.com'],
  ['PodMonitor', 'monitoring.coreos.com'],
]);

export type ObjectViewOptions = {
  /** Namespace of the node agents, whose word alone counts about nodes. Default: `pacto-node-agent`. */
  readonly agentNamespace?: string;
};

/**
 * The view of exactly these objects: what is not among them is absent. Objects of other kinds, and those without a name,
 * are ignored. Of two objects that are the same one to an API server the first counts.
 */
export function viewOfObjects(
  objects: Iterable<unknown>,
  { agentNamespace = AGENT_NAMESPACE }: ObjectViewOptions = {},
): ClusterView {
  const byKind = Map.groupBy(distinct(objects), (object) => kindOf(object) ?? '');
  const project = <T>(kind: string, make: (object: unknown) => T): readonly T[] =>
    (byKind.get(kind) ?? []).map(make);
  const ofAgents = <T>(kind: string, make: (object: unknown) => T | undefined): readonly T[] =>
    (byKind.get(kind) ?? [])
      .filter((object) => namesOf(object).namespace === agentNamespace)
      .flatMap((object) => make(object) ?? []);
  const services = project('Service', serviceView);
  const slices = project('EndpointSlice', endpointSliceView);
  const workloads = WORKLOAD_KINDS.flatMap((kind) => project(kind, workloadView(kind)));
  const pactos = project('Pacto', providerView);
  const ingresses = project('Ingress', ingressView);
  const routes = project('HTTPRoute', httpRouteView);
  const pods = project('Pod', podView);
  const observations = ofAgents('NodeRuntimeObservation', nodeObservationView);
  const leases = ofAgents('Lease', leaseView);
  const monitors = {
    ServiceMonitor: project('ServiceMonitor', monitorView('ServiceMonitor')),
    PodMonitor: project('PodMonitor', monitorView('PodMonitor')),
  };
  return {
    service: (namespace, name) => first(services, (item) => isNamed(item, namespace, name)),
    endpointSlices: (namespace, serviceName) =>
      all(slices, (slice) => slice.namespace === namespace && isCalled(slice.serviceName, serviceName)),
    workload: (kind, namespace, name) =>
      first(workloads, (item) => item.kind === kind && isNamed(item, namespace, name)),
    pactosOfRepository: (repository) =>
      all(pactos, ({ contract }) => {
        const ref = contract?.resolvedRef ?? '';
        return ref !== '' && resolvedRepository(ref) === repository;
      }),
    pactosNamed: (service) => all(pactos, ({ contract }) => isCalled(contract?.serviceName, service)),
    pactosOn: (namespace, service) =>
      all(pactos, (pacto) => pacto.namespace === namespace && isCalled(pacto.serviceName, service)),
    ingressesTo: (namespace, service) =>
      all(
        ingresses,
        (ingress) => ingress.namespace === namespace && ingress.backends.some((b) => b.service === service),
      ),
    httpRoutesTo: (namespace, service) =>
      all(routes, ({ backends }) =>
        backends.some((backend) => backend.namespace === namespace && backend.service === service),
      ),
    monitors: (kind, namespace) => all(monitors[kind], (monitor) => monitor.namespace === namespace),
    pod: (namespace, name) => first(pods, (item) => isNamed(item, namespace, name)),
    podsMatching: (namespace, selector) =>
      all(pods, (pod) => pod.namespace === namespace && matchesLabels(selector, pod.labels)),
    jobsOwnedBy: (namespace, uid) =>
      all(
        workloads,
        (w) => w.kind === 'Job' && w.namespace === namespace && w.ownerUids?.includes(uid) === true,
      ),
    servicesAt: (address) => all(services, ({ clusterIPs }) => clusterIPs.includes(address)),
    endpointSlicesAt: (address) =>
      all(slices, ({ endpoints }) => endpoints.some(({ addresses }) => addresses.includes(address))),
    nodeObservation: (node) => first(observations, (item) => item.name === node),
    lease: (node) => first(leases, (item) => item.name === node),
  };
}

function distinct(objects: Iterable<unknown>): Iterable<unknown> {
  const known = new Map<string, unknown>();
  for (const object of objects) {
    const { namespace, name } = namesOf(object);
    const identity = JSON.stringify([kindOf(object), namespace, name]);
    if (!known.has(identity)) known.set(identity, object);
  }
  return known.values();
}

/** The kind of an object that has a name; a kind of another group is none of ours. */
function kindOf(object: unknown): string | undefined {
  const kind = read.string(object, 'kind');
  if (kind === undefined || namesOf(object).name === '') return undefined;
  const apiVersion = read.string(object, 'apiVersion');
  const slash = apiVersion?.lastIndexOf('/') ?? -1;
  return apiVersion === undefined || GROUPS.get(kind) === apiVersion.slice(0, Math.max(0, slash))
    ? kind
    : undefined;
}

/** An object that names nothing is not found under the empty name. */
function isCalled(own: string | undefined, asked: string): boolean {
  return asked !== '' && own === asked;
}

type Named = { readonly namespace: string; readonly name: string };

function isNamed(item: Named, namespace: string, name: string): boolean {
  return item.namespace === namespace && item.name === name;
}

function first<T>(items: readonly T[], fits: (item: T) => boolean): Lookup<T> {
  const found = items.find(fits);
  return found === undefined ? { kind: 'absent' } : { kind: 'found', value: found };
}

/** In the order of a cache: by namespace and name. */
function all<T extends Named>(items: readonly T[], fits: (item: T) => boolean): Lookup<readonly T[]> {
  const value = items
    .filter(fits)
    .sort((a, b) => byText(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`));
  return { kind: 'found', value };
}
