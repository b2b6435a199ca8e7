// What changed between two readings of a node's observation, as far as a verdict can depend on it (controller.md D13).
import { isDeepStrictEqual } from 'node:util';
import type { NodeObservationView, NodePodView, PeerView } from '../../evaluation/view.ts';

/** Every pod of the node, or the pods by the uid the node knows them by. */
export type NodeChange =
  | { readonly kind: 'node' }
  | { readonly kind: 'pods'; readonly uids: ReadonlySet<string> };

/** Newer times and counts of a peer in the same state are no change, and neither is a heartbeat. */
export function nodeChange(
  before: NodeObservationView | undefined,
  after: NodeObservationView | undefined,
): NodeChange {
  if (before?.state !== after?.state || before?.lastDrop !== after?.lastDrop) return { kind: 'node' };
  const uids = new Set([...(before?.pods.keys() ?? []), ...(after?.pods.keys() ?? [])]);
  const changed = [...uids].filter(
    (uid) => !isDeepStrictEqual(facts(before?.pods.get(uid)), facts(after?.pods.get(uid))),
  );
  return { kind: 'pods', uids: new Set(changed) };
}

function facts(pod: NodePodView | undefined): unknown {
  return pod === undefined ? undefined : { ...pod, peers: pod.peers.map(peerFacts) };
}

function peerFacts({ address, port, lastSuccess, lastFailure }: PeerView): readonly unknown[] {
  return [address, port, lastFailure === undefined || (lastSuccess ?? -1) >= lastFailure];
}
