// What evaluation reads of a node's observation and of its agent's Lease.
import { AGENT_LABELS } from '../../api/names.ts';
import { COLLECTION_STATES } from '../../api/node-runtime-observation.ts';
import * as read from '../../api/read.ts';
import { canonicalAddress } from '../address.ts';
import type {
  LeaseView,
  NodeObservationView,
  NodePodView,
  PeerView,
  SocketAddress,
} from '../view-objects.ts';

/** Undefined for an object that is not its node's own: another name, or without the agent's labels. */
export function nodeObservationView(object: unknown): NodeObservationView | undefined {
  const metadata = read.object(object, 'metadata');
  const name = read.string(metadata, 'name');
  const labels = read.stringMap(metadata, 'labels');
  const owned = Object.entries(AGENT_LABELS).every(([key, value]) => labels[key] === value);
  if (name === undefined || !owned || read.string(read.object(object, 'spec'), 'nodeName') !== name) {
    return undefined;
  }
  const status = read.object(object, 'status');
  const state = read.string(read.object(status, 'collection'), 'state');
  return {
    name,
    ...read.defined({
      lastPublished: read.time(status, 'lastPublished'),
      lastDrop: read.time(status, 'lastDrop'),
      state: COLLECTION_STATES.find((known) => known === state),
    }),
    pods: new Map(
      read.list(status, 'pods').flatMap((pod): [string, NodePodView][] => {
        const uid = read.string(pod, 'uid');
        return uid === undefined ? [] : [[uid, nodePodView(pod)]];
      }),
    ),
  };
}

/** Undefined for a Lease that another name holds. */
export function leaseView(object: unknown): LeaseView | undefined {
  const name = read.string(read.object(object, 'metadata'), 'name');
  const spec = read.object(object, 'spec');
  if (name === undefined || read.string(spec, 'holderIdentity') !== name) return undefined;
  return {
    name,
    ...read.defined({
      renewTime: read.time(spec, 'renewTime'),
      durationSeconds: read.integer(spec, 'leaseDurationSeconds'),
    }),
  };
}

function nodePodView(pod: unknown): NodePodView {
  return {
    hostNetwork: read.boolean(pod, 'hostNetwork'),
    sharedNetwork: read.boolean(pod, 'sharedNetwork'),
    truncated: read.boolean(pod, 'truncated'),
    ...read.defined({ baselineTime: read.time(pod, 'baselineTime') }),
    listeners: read.list(pod, 'listeners').flatMap((listener) => socketAddress(listener) ?? []),
    peers: read.list(pod, 'peers').flatMap((peer): PeerView[] => {
      const socket = socketAddress(peer);
      if (socket === undefined) return [];
      const times = {
        lastSuccess: read.time(peer, 'lastSuccess'),
        lastFailure: read.time(peer, 'lastFailure'),
      };
      return [{ ...socket, ...read.defined(times) }];
    }),
  };
}

function socketAddress(raw: unknown): SocketAddress | undefined {
  const address = canonicalAddress(read.string(raw, 'address') ?? '');
  const port = read.integer(raw, 'port');
  return address === undefined || port === undefined ? undefined : { address, port };
}
