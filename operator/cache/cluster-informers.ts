// The informers behind what evaluation looks up: one per kind, with an index for every way an object is found.
import type { Lookup } from '../../api/lookup.ts';
import type { LabelSelector } from '../../api/meta.ts';
import { matchesLabels } from '../../api/label-selector.ts';
import { WORKLOAD_KINDS, type WorkloadKind } from '../../api/pacto.ts';
import * as read from '../../api/read.ts';
import { endpointSliceView } from '../../evaluation/projections/endpoint-slice.ts';
import { monitorView } from '../../evaluation/projections/monitor.ts';
import { leaseView, nodeObservationView } from '../../evaluation/projections/node-observation.ts';
import { podView } from '../../evaluation/projections/pod.ts';
import { httpRouteView, ingressView } from '../../evaluation/projections/routes.ts';
import { serviceView } from '../../evaluation/projections/service.ts';
import { workloadView } from '../../evaluation/projections/workload.ts';
import type {
  EndpointSliceView,
  HttpRouteView,
  IngressView,
  LeaseView,
  MonitorKind,
  MonitorView,
  NodeObservationView,
  PodView,
  ServiceView,
  WorkloadView,
} from '../../evaluation/view.ts';
import type { Indexes } from '../../kube/cache.ts';
import { Informer, type InformerOptions } from '../../kube/informer.ts';
import type { GroupedInformer } from '../../kube/informer-group.ts';
import { objectKey } from '../../kube/object-meta.ts';
import {
  CONFIG_MAPS,
  ENDPOINT_SLICES,
  HTTP_ROUTES,
  INGRESSES,
  LEASES,
  MONITORS,
  NODE_OBSERVATIONS,
  PODS,
  SERVICES,
  WORKLOADS,
} from '../resources.ts';
import { compact } from './compact.ts';
import { OptionalInformer } from './optional-informer.ts';

export type SharedInformerOptions = Pick<
  InformerOptions<unknown>,
  'client' | 'clock' | 'log' | 'metrics' | 'namespace' | 'maxAgeMs' | 'seal'
>;

export type ClusterInformersOptions = SharedInformerOptions & {
  /** Watch ServiceMonitors and PodMonitors. Default: false. */
  readonly monitors?: boolean;
  /** Watch Pods, and the observations and Leases of node agents in this namespace. Default: none of them. */
  readonly agentNamespace?: string;
};

/** A pod, with what its owner is called; for finding the Pactos it concerns. */
export type PodRecord = PodView & { readonly owner?: { readonly kind: string; readonly name: string } };

const BY_SERVICE = 'service';
const BY_ADDRESS = 'address';
const BY_POD = 'pod';
const BY_LABEL = 'label';
const BY_NODE = 'node';
const BY_OWNER = 'owner';
const BY_NAMESPACE = 'namespace';

/** Ways to find a workload by what owns it, where somebody looks for one. */
const OWNERSHIP: Partial<Record<WorkloadKind, Indexes<WorkloadView>>> = {
  Job: { [BY_OWNER]: ({ ownerUids = [] }) => ownerUids },
};

export class ClusterInformers {
  readonly services: Informer<ServiceView>;
  readonly slices: Informer<EndpointSliceView>;
  readonly workloads: ReadonlyMap<WorkloadKind, Informer<WorkloadView>>;
  readonly ingresses: Informer<IngressView>;
  readonly routes: OptionalInformer<HttpRouteView>;
  /** Their resourceVersions; contents are never held. */
  readonly configMaps: Informer<string>;
  readonly monitors: ReadonlyMap<MonitorKind, OptionalInformer<MonitorView>>;
  readonly pods: Informer<PodRecord> | undefined;
  readonly observations: Informer<{ readonly view?: NodeObservationView }> | undefined;
  readonly leases: Informer<{ readonly view?: LeaseView }> | undefined;
  readonly #agentNamespace: string;

  constructor({ monitors = false, agentNamespace, ...shared }: ClusterInformersOptions) {
    this.services = new Informer({
      ...shared,
      type: SERVICES,
      project: compacted(serviceView),
      indexes: { [BY_ADDRESS]: ({ clusterIPs }) => clusterIPs },
    });
    this.slices = new Informer({
      ...shared,
      type: ENDPOINT_SLICES,
      project: compacted(endpointSliceView),
      indexes: {
        [BY_SERVICE]: ({ namespace, serviceName }) =>
          serviceName === '' ? [] : [objectKey(namespace, serviceName)],
        [BY_ADDRESS]: ({ endpoints }) => unique(endpoints.flatMap(({ addresses }) => addresses)),
        [BY_POD]: ({ namespace, endpoints }) =>
          unique(endpoints.flatMap(({ pod }) => (pod === undefined ? [] : [objectKey(namespace, pod)]))),
      },
    });
    this.workloads = new Map(
      WORKLOAD_KINDS.map((kind) => [
        kind,
        new Informer({
          ...shared,
          type: WORKLOADS[kind],
          project: compacted(workloadView(kind)),
          indexes: OWNERSHIP[kind] ?? {},
        }),
      ]),
    );
    this.ingresses = new Informer({
      ...shared,
      type: INGRESSES,
      project: compacted(ingressView),
      indexes: { [BY_SERVICE]: routedServices },
    });
    this.routes = new OptionalInformer({
      ...shared,
      types: HTTP_ROUTES,
      project: compacted(httpRouteView),
      indexes: { [BY_SERVICE]: routedByRoute },
    });
    this.configMaps = new Informer({
      ...shared,
      type: CONFIG_MAPS,
      representation: 'metadata',
      project: (object) => read.string(read.object(object, 'metadata'), 'resourceVersion') ?? '',
    });
    const kinds: readonly MonitorKind[] = monitors ? ['ServiceMonitor', 'PodMonitor'] : [];
    this.monitors = new Map(
      kinds.map((kind) => [
        kind,
        new OptionalInformer({
          ...shared,
          types: [MONITORS[kind]],
          project: compacted(monitorView(kind)),
          indexes: { [BY_NAMESPACE]: ({ namespace }) => [namespace] },
        }),
      ]),
    );
    this.#agentNamespace = agentNamespace ?? '';
    if (agentNamespace === undefined) return;
    this.pods = new Informer({
      ...shared,
      type: PODS,
      project: compacted(podRecord),
      indexes: {
        [BY_LABEL]: ({ namespace, labels }) =>
          Object.entries(labels).map(([key, value]) => labelKey(namespace, key, value)),
        [BY_NAMESPACE]: ({ namespace }) => [namespace],
        [BY_NODE]: ({ nodeName }) => [nodeName],
      },
    });
    const agents = { ...shared, namespace: agentNamespace };
    this.observations = new Informer({
      ...agents,
      type: NODE_OBSERVATIONS,
      project: (object) => read.defined({ view: nodeObservationView(object) }),
    });
    this.leases = new Informer({
      ...agents,
      type: LEASES,
      project: (object) => read.defined({ view: leaseView(object) }),
    });
  }

  /** All of them. */
  members(): readonly GroupedInformer[] {
    return [
      this.services,
      this.slices,
      ...this.workloads.values(),
      this.ingresses,
      this.routes,
      this.configMaps,
      ...this.monitors.values(),
      ...[this.pods, this.observations, this.leases].filter((informer) => informer !== undefined),
    ];
  }

  slicesOf(namespace: string, service: string): Lookup<readonly EndpointSliceView[]> {
    return this.slices.byIndex(BY_SERVICE, objectKey(namespace, service));
  }

  slicesAt(address: string): Lookup<readonly EndpointSliceView[]> {
    return this.slices.byIndex(BY_ADDRESS, address);
  }

  slicesWithPod(namespace: string, pod: string): Lookup<readonly EndpointSliceView[]> {
    return this.slices.byIndex(BY_POD, objectKey(namespace, pod));
  }

  servicesAt(address: string): Lookup<readonly ServiceView[]> {
    return this.services.byIndex(BY_ADDRESS, address);
  }

  workload(kind: WorkloadKind, namespace: string, name: string): Lookup<WorkloadView> {
    return this.workloads.get(kind)?.lookup(objectKey(namespace, name)) ?? unwatched(kind);
  }

  jobsOwnedBy(namespace: string, uid: string): Lookup<readonly WorkloadView[]> {
    const found = this.workloads.get('Job')?.byIndex(BY_OWNER, uid) ?? unwatched('Job');
    if (found.kind !== 'found') return found;
    return { kind: 'found', value: found.value.filter((job) => job.namespace === namespace) };
  }

  ingressesTo(namespace: string, service: string): Lookup<readonly IngressView[]> {
    return this.ingresses.byIndex(BY_SERVICE, objectKey(namespace, service));
  }

  routesTo(namespace: string, service: string): Lookup<readonly HttpRouteView[]> {
    return this.routes.byIndex(BY_SERVICE, objectKey(namespace, service));
  }

  monitorsIn(kind: MonitorKind, namespace: string): Lookup<readonly MonitorView[]> {
    return this.monitors.get(kind)?.byIndex(BY_NAMESPACE, namespace) ?? unwatched(kind);
  }

  pod(namespace: string, name: string): Lookup<PodRecord> {
    return this.pods?.lookup(objectKey(namespace, name)) ?? unwatched('Pod');
  }

  /** Through the label of the selector that the fewest pods carry; without one through the namespace. */
  podsMatching(namespace: string, selector: LabelSelector): Lookup<readonly PodRecord[]> {
    const { pods } = this;
    if (pods === undefined) return unwatched('Pod');
    let candidates: Lookup<readonly PodRecord[]> | undefined;
    for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
      const labelled = pods.byIndex(BY_LABEL, labelKey(namespace, key, value));
      if (labelled.kind !== 'found') return labelled;
      if (candidates?.kind !== 'found' || labelled.value.length < candidates.value.length) {
        candidates = labelled;
      }
    }
    candidates ??= pods.byIndex(BY_NAMESPACE, namespace);
    if (candidates.kind !== 'found') return candidates;
    const value = candidates.value.filter(
      (pod) => pod.namespace === namespace && matchesLabels(selector, pod.labels),
    );
    return { kind: 'found', value };
  }

  podsOnNode(node: string): readonly PodRecord[] {
    const found = this.pods?.byIndex(BY_NODE, node);
    return found?.kind === 'found' ? found.value : [];
  }

  nodeObservation(node: string): Lookup<NodeObservationView> {
    return unwrapped(this.observations?.lookup(`${this.#agentNamespace}/${node}`), 'NodeRuntimeObservation');
  }

  lease(node: string): Lookup<LeaseView> {
    return unwrapped(this.leases?.lookup(`${this.#agentNamespace}/${node}`), 'Lease');
  }
}

/** `namespace/name` of the Services an Ingress routes to. */
export function routedServices({ namespace, backends }: IngressView): readonly string[] {
  return unique(backends.map(({ service }) => objectKey(namespace, service)));
}

/** `namespace/name` of the Services an HTTPRoute routes to. */
export function routedByRoute({ backends }: HttpRouteView): readonly string[] {
  return unique(backends.map(({ namespace, service }) => objectKey(namespace, service)));
}

/** In one piece, as {@link objectKey} is. */
function labelKey(namespace: string, key: string, value: string): string {
  return [objectKey(namespace, key), value].join('=');
}

function podRecord(object: unknown): PodRecord {
  const owners = read.list(read.object(object, 'metadata'), 'ownerReferences');
  const controller = owners.find((owner) => read.boolean(owner, 'controller'));
  const [kind, name] = [read.string(controller, 'kind'), read.string(controller, 'name')];
  const owner = kind === undefined || name === undefined ? {} : { owner: { kind, name } };
  return { ...podView(object), ...owner };
}

function compacted<T>(project: (object: unknown) => T): (object: unknown) => T {
  return (object) => compact(project(object));
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}

function unwatched(kind: string): Lookup<never> {
  return { kind: 'unreadable', reason: `${kind} is not watched` };
}

/** An object that is not what it claims to be is none. */
function unwrapped<T>(lookup: Lookup<{ readonly view?: T }> | undefined, kind: string): Lookup<T> {
  if (lookup === undefined) return unwatched(kind);
  if (lookup.kind !== 'found') return lookup;
  const { view } = lookup.value;
  return view === undefined ? { kind: 'absent' } : { kind: 'found', value: view };
}
