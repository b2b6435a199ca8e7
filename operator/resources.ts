// The kinds the operator reads and writes.
import { PACTO_GROUP, PACTO_VERSION } from '../api/names.ts';
import type { WorkloadKind } from '../api/pacto.ts';
import type { MonitorKind } from '../evaluation/view.ts';
import type { ResourceType } from '../kube/resource.ts';

function namespacedKind(group: string, version: string, kind: string, plural: string): ResourceType {
  return { group, version, kind, plural, namespaced: true };
}

export const PACTOS: ResourceType = namespacedKind(PACTO_GROUP, PACTO_VERSION, 'Pacto', 'pactos');
export const SERVICES: ResourceType = namespacedKind('', 'v1', 'Service', 'services');
/** Read one by one, never watched. */
export const SECRETS: ResourceType = namespacedKind('', 'v1', 'Secret', 'secrets');
export const ENDPOINT_SLICES: ResourceType = namespacedKind(
  'discovery.k8s.io',
  'v1',
  'EndpointSlice',
  'endpointslices',
);

/** Kinds a Pacto can name as its workload. */
export const WORKLOADS: Readonly<Record<WorkloadKind, ResourceType>> = {
  Deployment: namespacedKind('apps', 'v1', 'Deployment', 'deployments'),
  StatefulSet: namespacedKind('apps', 'v1', 'StatefulSet', 'statefulsets'),
  ReplicaSet: namespacedKind('apps', 'v1', 'ReplicaSet', 'replicasets'),
  Job: namespacedKind('batch', 'v1', 'Job', 'jobs'),
  CronJob: namespacedKind('batch', 'v1', 'CronJob', 'cronjobs'),
};

export const INGRESSES: ResourceType = namespacedKind('networking.k8s.io', 'v1', 'Ingress', 'ingresses');
/** In the versions that agree on what is read of it, the newest first. */
export const HTTP_ROUTES: readonly [ResourceType, ResourceType] = [
  namespacedKind('gateway.networking.k8s.io', 'v1', 'HTTPRoute', 'httproutes'),
  namespacedKind('gateway.networking.k8s.io', 'v1beta1', 'HTTPRoute', 'httproutes'),
];
export const CONFIG_MAPS: ResourceType = namespacedKind('', 'v1', 'ConfigMap', 'configmaps');
export const PODS: ResourceType = namespacedKind('', 'v1', 'Pod', 'pods');
export const LEASES: ResourceType = namespacedKind('coordination.k8s.io', 'v1', 'Lease', 'leases');
export const NODE_OBSERVATIONS: ResourceType = namespacedKind(
  PACTO_GROUP,
  PACTO_VERSION,
  'NodeRuntimeObservation',
  'noderuntimeobservations',
);

/** Kinds of the Prometheus operator. */
export const MONITORS: Readonly<Record<MonitorKind, ResourceType>> = {
  ServiceMonitor: namespacedKind('monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'),
  PodMonitor: namespacedKind('monitoring.coreos.com', 'v1', 'PodMonitor', 'podmonitors'),
};
