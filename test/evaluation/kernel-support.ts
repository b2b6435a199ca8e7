// Pods, node observations and Leases for tests of kernel evidence, as the API server gives them.
import { AGENT_LABELS } from '../../api/names.ts';
import { formatTime } from '../../api/time.ts';
import type { KernelSettings } from '../../evaluation/observe/kernel/settings.ts';
import { NOW, type RawObject, slice, type SliceParts } from './support.ts';

export const NODE = 'node-1';
export const MANAGED: KernelSettings = { publishIntervalMs: 30_000, managed: true };

/** RFC 3339 of so many seconds before NOW; negative ones lie ahead. */
export const ago = (seconds: number): string => formatTime(NOW - seconds * 1000);

export type PodParts = {
  readonly uid?: string;
  readonly node?: string;
  readonly phase?: string;
  readonly startedAgo?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly metadata?: RawObject;
  readonly spec?: RawObject;
};

/** A running pod of the workload `app`, started an hour ago. */
export function pod(name: string, parts: PodParts = {}): RawObject {
  const { uid = `uid-of-${name}`, node = NODE, phase = 'Running', startedAgo = 3_600 } = parts;
  return {
    kind: 'Pod',
    metadata: { namespace: 'default', name, uid, labels: parts.labels ?? { app: 'app' }, ...parts.metadata },
    spec: { nodeName: node, ...parts.spec },
    status: { phase, startTime: ago(startedAgo) },
  };
}

export type Peer = {
  readonly address: string;
  readonly port?: number;
  /** Seconds before NOW. */
  readonly success?: number;
  readonly failure?: number;
};
export type SeenPod = {
  readonly listens?: readonly (readonly [address: string, port: number])[];
  readonly peers?: readonly Peer[];
  readonly baselineAgo?: number;
  /** More fields of the entry. */
  readonly more?: RawObject;
};

/** What the node saw of a pod, its baseline taken just after the pod's start. */
export function seen(
  uid: string,
  { listens = [], peers = [], baselineAgo = 3_500, more }: SeenPod = {},
): RawObject {
  return {
    uid,
    baselineTime: ago(baselineAgo),
    listeners: listens.map(([address, port]) => ({ address, port })),
    peers: peers.map(({ address, port = 8080, success, failure }) => ({
      address,
      port,
      succeeded: 1,
      failed: 1,
      ...(success !== undefined && { lastSuccess: ago(success) }),
      ...(failure !== undefined && { lastFailure: ago(failure) }),
    })),
    ...more,
  };
}

export type NodeParts = {
  readonly name?: string;
  readonly nodeName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly publishedAgo?: number;
  readonly dropAgo?: number;
  readonly state?: string;
  readonly reason?: string;
};

/** The observation of a node, published five seconds ago. */
export function node(pods: readonly RawObject[], parts: NodeParts = {}): RawObject {
  const { name = NODE, nodeName = name, labels = AGENT_LABELS, publishedAgo = 5, dropAgo } = parts;
  const { state = 'Running', reason } = parts;
  return {
    kind: 'NodeRuntimeObservation',
    metadata: { namespace: 'pacto-node-agent', name, labels },
    spec: { nodeName },
    status: {
      lastPublished: ago(publishedAgo),
      ...(dropAgo !== undefined && { lastDrop: ago(dropAgo) }),
      collection: { state, ...(reason !== undefined && { reason }) },
      pods,
    },
  };
}

export type LeaseParts = { readonly name?: string; readonly holder?: string; readonly seconds?: number };

/** The Lease of a node's agent, renewed so many seconds before NOW. */
export function lease(renewedAgo: number, { name = NODE, holder, seconds = 90 }: LeaseParts = {}): RawObject {
  return {
    kind: 'Lease',
    metadata: { namespace: 'pacto-node-agent', name },
    spec: { holderIdentity: holder ?? name, renewTime: ago(renewedAgo), leaseDurationSeconds: seconds },
  };
}

/** A slice whose ready endpoints are these pods; undefined names none. */
export function backedBy(pods: readonly (string | undefined)[], parts: SliceParts = {}): RawObject {
  return slice(
    pods.map(() => true),
    {
      endpoints: pods.map((name) => (name === undefined ? {} : { targetRef: { kind: 'Pod', name } })),
      ...parts,
    },
  );
}
