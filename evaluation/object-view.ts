// The view over a list of raw objects, such as files hold: the same projections as over the operator's caches, so that
// equal objects give equal answers.
import { matchesLabels } from '../api/label-selector.ts';
import { byText } from '../api/by-text.ts';
import { WORKLOAD_KINDS } from '../api/pacto.ts';
import * as read from '../api/read.ts';
import { endpointSliceView } from './projections/endpoint-slice.ts';
import { monitorView } from './projections/monitor.ts';
import { leaseView, nodeObservationView } from './projections/node-observation.ts';
import { podView } from './projections/pod.ts';
import { providerView } from './projections/provider.ts';
import { httpRouteView, ingressView } from './projections/routes.ts';
import { serviceView } from './projections/service.ts';
import { workloadView } from './projections/workload.ts';
import { resolvedRepository } from './repository.ts';
import type { ClusterView, Lookup } from './view.ts';

/** The view of exactly these objects: what is not among them is absent. Objects of other kinds are ignored. */
export function viewOfObjects(objects: Iterable<unknown>): ClusterView {
  const byKind = Map.groupBy(objects, (object) => read.string(object, 'kind') ?? '');
  const project = <T>(kind: string, make: (object: unknown) => T): readonly T[] =>
    (byKind.get(kind) ?? []).map(make);
  const services = project('Service', serviceView);
  const slices = project('EndpointSlice', endpointSliceView);
  const workloads = WORKLOAD_KINDS.flatMap((kind) => project(kind, workloadView(kind)));
  const pactos = project('Pacto', providerView);
  const ingresses = project('Ingress', ingressView);
  const routes = project('HTTPRoute', httpRouteView);
  const pods = project('Pod', podView);
  const observations = project('NodeRuntimeObservation', nodeObservationView).filter(
    (item) => item !== undefined,
  );
  const leases = project('Lease', leaseView).filter((item) => item !== undefined);
  const monitors = {
    ServiceMonitor: project('ServiceMonitor', monitorView('ServiceMonitor')),
    PodMonitor: project('PodMonitor', monitorView('PodMonitor')),
  };
  return {
    service: (namespace, name) => first(services, (item) => isNamed(item, namespace, name)),
    endpointSlices: (namespace, serviceName) =>
      all(slices, (slice) => slice.namespace === namespace && slice.serviceName === serviceName),
    workload: (kind, namespace, name) =>
      first(workloads, (item) => item.kind === kind && isNamed(item, namespace, name)),
    pactosOfRepository: (repository) =>
      all(pactos, ({ contract }) => {
        const ref = contract?.resolvedRef ?? '';
        return ref !== '' && resolvedRepository(ref) === repository;
      }),
    pactosNamed: (service) => all(pactos, ({ contract }) => contract?.serviceName === service),
    pactosOn: (namespace, service) =>
      all(pactos, (pacto) => pacto.namespace === namespace && pacto.serviceName === service),
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
      all(workloads, (w) => w.kind === 'Job' && w.namespace === namespace && w.owners.includes(uid)),
    servicesAt: (address) => all(services, ({ clusterIPs }) => clusterIPs.includes(address)),
    endpointSlicesAt: (address) =>
      all(slices, ({ endpoints }) => endpoints.some(({ addresses }) => addresses.includes(address))),
    nodeObservation: (node) => first(observations, (item) => item.name === node),
    lease: (node) => first(leases, (item) => item.name === node),
  };
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
