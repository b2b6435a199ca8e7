// ClusterView: everything evaluation may look up about a cluster, without knowing where it comes from. The operator's
// view stands over its caches; the command line's over files. Equal objects give equal answers.
import type { Lookup } from '../api/lookup.ts';
import type { LabelSelector } from '../api/meta.ts';
import type { WorkloadKind } from '../api/pacto.ts';
import type {
  EndpointSliceView,
  HttpRouteView,
  IngressView,
  LeaseView,
  MonitorView,
  NodeObservationView,
  PodView,
  ProviderView,
  ServiceView,
  WorkloadView,
} from './view-objects.ts';

export type { Lookup } from '../api/lookup.ts';
export type * from './view-objects.ts';

/** Which of the two kinds of monitor. */
export type MonitorKind = 'ServiceMonitor' | 'PodMonitor';

/**
 * Read-only look-ups; every call answers from memory and never throws. Look-ups of several objects are `found` with an
 * empty list when there are none, and also when the API server does not serve an optional kind (HTTPRoute, monitors).
 */
export type ClusterView = {
  service(namespace: string, name: string): Lookup<ServiceView>;
  /** EndpointSlices labelled with the Service's name. */
  endpointSlices(namespace: string, serviceName: string): Lookup<readonly EndpointSliceView[]>;
  workload(kind: WorkloadKind, namespace: string, name: string): Lookup<WorkloadView>;
  /** Pactos whose contract was loaded from this repository, as `repositoryOf` writes it. */
  pactosOfRepository(repository: string): Lookup<readonly ProviderView[]>;
  /** Pactos whose contract names this service. */
  pactosNamed(contractService: string): Lookup<readonly ProviderView[]>;
  /** Pactos whose target is this Service. */
  pactosOn(namespace: string, serviceName: string): Lookup<readonly ProviderView[]>;
  /** Ingresses of the namespace that route to the Service, whatever the port. */
  ingressesTo(namespace: string, serviceName: string): Lookup<readonly IngressView[]>;
  /** HTTPRoutes of any namespace that route to the Service. */
  httpRoutesTo(namespace: string, serviceName: string): Lookup<readonly HttpRouteView[]>;
  monitors(kind: MonitorKind, namespace: string): Lookup<readonly MonitorView[]>;
  pod(namespace: string, name: string): Lookup<PodView>;
  podsMatching(namespace: string, selector: LabelSelector): Lookup<readonly PodView[]>;
  /** Jobs that a CronJob owns. */
  jobsOwnedBy(namespace: string, uid: string): Lookup<readonly WorkloadView[]>;
  /** Services one of whose cluster IPs is this canonical address. */
  servicesAt(address: string): Lookup<readonly ServiceView[]>;
  /** EndpointSlices that carry this canonical address. */
  endpointSlicesAt(address: string): Lookup<readonly EndpointSliceView[]>;
  /** The object of the node's own agent; an object that is not what it claims to be is absent. */
  nodeObservation(nodeName: string): Lookup<NodeObservationView>;
  lease(nodeName: string): Lookup<LeaseView>;
};
