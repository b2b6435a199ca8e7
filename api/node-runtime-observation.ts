// The NodeRuntimeObservation kind as it stands on the wire: what one node's agent saw of its pods' sockets. It has no
// status subresource: one write carries the whole object. An absent key means the zero value.
import type { ObjectMeta } from './meta.ts';

export const COLLECTION_STATES = ['Running', 'Degraded', 'Failed'] as const;
export type CollectionState = (typeof COLLECTION_STATES)[number];

/** The first three go with Degraded, the others with Failed. */
export const COLLECTION_REASONS = [
  'PodLimitExceeded',
  'ResyncFailed',
  'EventsDropped',
  'LoadFailed',
  'AttachFailed',
  'RingBufferFailed',
] as const;
export type CollectionReason = (typeof COLLECTION_REASONS)[number];

export const WRITE_RULES = ['Enforced', 'NotEnforced'] as const;
export type WriteRule = (typeof WRITE_RULES)[number];

/** Most entries the schema admits; the agent's view keeps within the same bounds. */
export const OBSERVATION_BOUNDS = { pods: 256, listenersPerPod: 64, peersPerPod: 128 } as const;

export type ObservedListener = {
  /** Canonical text of an IP address, mapped IPv4 shown as IPv4. */
  readonly address: string;
  readonly port: number;
};

export type ObservedPeer = {
  readonly address: string;
  readonly port: number;
  /** Connections since the entry was made; saturates at 4,294,967,295. Judge by the times, never by the counts. */
  readonly succeeded: number;
  readonly failed: number;
  /** At least one of the two times is present. */
  readonly lastSuccess?: string;
  readonly lastFailure?: string;
};

export type ObservedPod = {
  readonly uid: string;
  readonly hostNetwork?: boolean;
  /** Shares its network namespace with another pod. */
  readonly sharedNetwork?: boolean;
  /** A bound cut its listeners or peers. */
  readonly truncated?: boolean;
  /** When its sockets were read from /proc; absent until then. */
  readonly baselineTime?: string;
  readonly listeners?: readonly ObservedListener[];
  readonly peers?: readonly ObservedPeer[];
};

export type NodeRuntimeObservation = {
  readonly apiVersion: string;
  readonly kind: 'NodeRuntimeObservation';
  readonly metadata: ObjectMeta;
  readonly spec: { readonly nodeName: string };
  readonly status?: {
    readonly lastPublished: string;
    /** Since when events are counted without a break. */
    readonly observingSince?: string;
    readonly lastResync?: string;
    /** When the drop counter last rose; absent if it never did. */
    readonly lastDrop?: string;
    readonly droppedEvents?: number;
    readonly unattributedEvents?: number;
    readonly collection: {
      readonly state: CollectionState;
      /** Absent when Running. */
      readonly reason?: CollectionReason;
      readonly message?: string;
      readonly since?: string;
    };
    /** Whether the cluster was seen to refuse writes in another node's name. */
    readonly writeRule?: WriteRule;
    readonly pods?: readonly ObservedPod[];
  };
};
