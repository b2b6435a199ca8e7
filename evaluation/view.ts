// ClusterView: everything evaluation may look up about a cluster, without knowing where it comes from. The operator's
// view stands over its caches; the command line's over files. Equal objects give equal answers.
import type { Lookup } from '../api/lookup.ts';
import type { WorkloadKind } from '../api/pacto.ts';

export type { Lookup } from '../api/lookup.ts';

export type ServicePort = {
  /** Empty when the port has no name. */
  readonly name: string;
  readonly port: number;
  /** Absent means equal to `port`; a string names a container port. */
  readonly targetPort?: number | string;
  /** Default: TCP. */
  readonly protocol: string;
};

export type ServiceView = {
  readonly namespace: string;
  readonly name: string;
  /** ClusterIP, NodePort, LoadBalancer or ExternalName. */
  readonly type: string;
  /** Empty for a selectorless Service. */
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
};

export type EndpointSliceView = {
  readonly namespace: string;
  readonly name: string;
  readonly serviceName: string;
  /** Empty name when unnamed; a port without a number contributes nothing. */
  readonly ports: readonly { readonly name: string; readonly port?: number; readonly protocol: string }[];
  /** `ready` absent means ready. */
  readonly endpoints: readonly { readonly ready?: boolean }[];
};

export type WorkloadView = {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  readonly generation?: number;
  /** Images of the containers, init containers left out, in order. */
  readonly containerImages: readonly string[];
  /** Images of init containers, in order. Default: none. */
  readonly initContainerImages?: readonly string[];
  /** Whether the controller has seen the spec and every replica is new and available; absent for kinds that do not roll out. */
  readonly rolloutComplete?: boolean;
  readonly deploymentStrategy?: string;
  readonly podManagementPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  /** initialDelaySeconds of the first container's readiness, else liveness probe. */
  readonly healthProbeInitialDelaySeconds?: number;
  readonly hasPVC: boolean;
  readonly hasEmptyDir: boolean;
};

/** Read-only look-ups; every call answers from memory and never throws. */
export type ClusterView = {
  service(namespace: string, name: string): Lookup<ServiceView>;
  /** EndpointSlices labelled with the Service's name; none = `found` with an empty list. */
  endpointSlices(namespace: string, serviceName: string): Lookup<readonly EndpointSliceView[]>;
  workload(kind: WorkloadKind, namespace: string, name: string): Lookup<WorkloadView>;
};
