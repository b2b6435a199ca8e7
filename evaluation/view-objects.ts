// The shapes in which evaluation sees cluster objects: the fields it reads, and nothing else.
import type { LabelSelector } from '../api/meta.ts';
import type { WorkloadKind } from '../api/pacto.ts';
import type { CollectionState } from '../api/node-runtime-observation.ts';

/** Which object it is. */
type Named = { readonly namespace: string; readonly name: string };

export type ServicePort = {
  /** Empty when the port has no name. */
  readonly name: string;
  readonly port: number;
  /** Absent means equal to `port`; a string names a container port. */
  readonly targetPort?: number | string;
  /** Default: TCP. */
  readonly protocol: string;
};

/** An address a load balancer is reached at: one of the two. */
export type LoadBalancerAddress = { readonly ip?: string; readonly hostname?: string };

export type ServiceView = Named & {
  /** ClusterIP, NodePort, LoadBalancer or ExternalName. */
  readonly type: string;
  /** Empty for a selectorless Service. */
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
  readonly labels: Readonly<Record<string, string>>;
  /** Only those that evaluation reads (see `READ_ANNOTATIONS`). */
  readonly annotations: Readonly<Record<string, string>>;
  /** Canonical addresses of every family; empty for a headless Service. */
  readonly clusterIPs: readonly string[];
  readonly externalIPs: readonly string[];
  readonly loadBalancer: readonly LoadBalancerAddress[];
};

export type EndpointView = {
  /** Absent means ready. */
  readonly ready?: boolean;
  /** Canonical addresses; empty in a slice of names. */
  readonly addresses: readonly string[];
  /** The pod behind it, when one is named. */
  readonly pod?: string;
};

export type SlicePort = { readonly name: string; readonly port?: number; readonly protocol: string };

export type EndpointSliceView = Named & {
  readonly serviceName: string;
  /** Empty name when unnamed; a port without a number contributes nothing. */
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly EndpointView[];
};

export type ContainerView = {
  readonly ports: readonly { readonly name: string; readonly port: number }[];
  /** The readiness probe: its path when it asks by HTTP, `other` for every other kind; absent when there is none. */
  readonly readiness?: { readonly kind: 'http'; readonly path: string } | { readonly kind: 'other' };
};

/**
 * claim: a PersistentVolumeClaim. ephemeral: goes with the pod for certain. ambiguous: may or may not outlive it. A claim
 * is writable when a container mounts it so; claims opened or mounted read-only everywhere, or nowhere, are not.
 */
export type VolumeView =
  | { readonly kind: 'claim'; readonly writable: boolean }
  | { readonly kind: 'ephemeral' }
  | { readonly kind: 'ambiguous' };

export type WorkloadView = Named & {
  readonly kind: WorkloadKind;
  /** Of a CronJob alone: its Jobs are found by it. */
  readonly uid?: string;
  readonly generation?: number;
  /** Names of what owns it and is of a kind called as workloads are. */
  readonly ownerNames: readonly string[];
  /** Of a Job alone: uids of the objects that own it. */
  readonly ownerUids?: readonly string[];
  /** Which pods are its own; absent for a CronJob, whose pods belong to its Jobs. */
  readonly podSelector?: LabelSelector;
  /** Pods the spec asks for at once: replicas or parallelism. Default: 1. */
  readonly podsAtOnce: number;
  /** Containers of the pod template, init containers left out, in order. */
  readonly containers: readonly ContainerView[];
  readonly volumes: readonly VolumeView[];
  /** A StatefulSet gives each pod claims of its own. */
  readonly hasClaimTemplates: boolean;
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

export type PodView = Named & {
  /** The uid under which a node knows the pod: for a static pod the hash of its manifest. */
  readonly nodeUid: string;
  /** Empty while the pod is not scheduled. */
  readonly nodeName: string;
  /** In phase Running, and not being deleted. */
  readonly running: boolean;
  /** Milliseconds since the epoch, whole seconds; absent before the kubelet took the pod. */
  readonly startTime?: number;
  readonly hostNetwork: boolean;
  /** Runs in a sandbox, which hides its sockets from the node. */
  readonly sandboxed: boolean;
  readonly labels: Readonly<Record<string, string>>;
};

/** Another Pacto, as the provider of a dependency. */
export type ProviderView = Named & {
  /** Service of its target; empty when it has none. */
  readonly serviceName: string;
  /** Absent while its contract is not loaded. */
  readonly contract?: {
    readonly serviceName: string;
    readonly version: string;
    /** Empty for an inline contract. */
    readonly resolvedRef: string;
  };
};

export type IngressView = Named & {
  /** Services it routes to, each with the port by number or name; a backend without port routes to none. */
  readonly backends: readonly { readonly service: string; readonly port?: number | string }[];
  readonly addresses: readonly LoadBalancerAddress[];
};

export type HttpRouteView = Named & {
  readonly backends: readonly { readonly namespace: string; readonly service: string }[];
};

export type MonitorEndpoint = {
  readonly path?: string;
  /** A number, or the name of a port. */
  readonly port?: number | string;
  readonly targetPort?: number | string;
};

/** A ServiceMonitor or PodMonitor. */
export type MonitorView = Named & {
  /** Absent: selects nothing here. Empty: selects everything. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly endpoints: readonly MonitorEndpoint[];
};

export type SocketAddress = { readonly address: string; readonly port: number };

export type PeerView = SocketAddress & {
  /** Milliseconds since the epoch, whole seconds. */
  readonly lastSuccess?: number;
  readonly lastFailure?: number;
};

export type NodePodView = {
  readonly hostNetwork: boolean;
  readonly sharedNetwork: boolean;
  readonly truncated: boolean;
  readonly baselineTime?: number;
  /** Addresses are canonical. */
  readonly listeners: readonly SocketAddress[];
  readonly peers: readonly PeerView[];
};

/** What a node's agent saw. */
export type NodeObservationView = {
  readonly name: string;
  readonly lastPublished?: number;
  readonly lastDrop?: number;
  /** Absent when it is not one of the known states. */
  readonly state?: CollectionState;
  /** By the uid under which the node knows the pod. */
  readonly pods: ReadonlyMap<string, NodePodView>;
};

/** The heartbeat of a node's agent. */
export type LeaseView = {
  readonly name: string;
  readonly renewTime?: number;
  readonly durationSeconds?: number;
};
