// What a workload's connections say of one provider (evaluation.md 12.6).
import type { PeerView } from '../../view.ts';
import { isRecent } from './freshness.ts';
import type { PodEvidence } from './pod-evidence.ts';
import type { AddressPorts } from './provider-addresses.ts';

/**
 * mixed: recent successes, none of them the last word. unproven: only failures, while not every pod is fully covered.
 */
export type KernelVerdict = 'reachable' | 'mixed' | 'unreachable' | 'unproven' | 'none';

type Tally = { readonly succeeding: boolean; readonly failing: boolean; readonly recentSuccess: boolean };

/** Judges all pods together; views that are stale or failed contribute nothing. */
export function kernelVerdict(
  evidence: readonly PodEvidence[],
  provider: AddressPorts,
  now: number,
): KernelVerdict {
  const tallies = evidence.flatMap((one) => [...talliesOf(one, provider, now).values()]);
  if (tallies.some(({ succeeding }) => succeeding)) return 'reachable';
  if (tallies.some(({ recentSuccess }) => recentSuccess)) return 'mixed';
  if (!tallies.some(({ failing }) => failing)) return 'none';
  return evidence.every(({ level }) => level === 'complete') ? 'unreachable' : 'unproven';
}

/** Addresses of the provider to which some pod connects with success at present. */
export function succeedingAddresses(
  evidence: readonly PodEvidence[],
  provider: AddressPorts,
  now: number,
): readonly string[] {
  return evidence.flatMap((one) =>
    [...talliesOf(one, provider, now)].filter(([, { succeeding }]) => succeeding).map(([address]) => address),
  );
}

/** Per address of the provider; the ports of one address are judged together, by the newest time of each kind. */
function talliesOf(evidence: PodEvidence, provider: AddressPorts, now: number): ReadonlyMap<string, Tally> {
  const peers = new Map<string, PeerView[]>();
  for (const peer of evidence.sockets?.peers ?? []) {
    if (provider.get(peer.address)?.has(peer.port) !== true) continue;
    const known = peers.get(peer.address);
    if (known === undefined) peers.set(peer.address, [peer]);
    else known.push(peer);
  }
  return new Map([...peers].map(([address, own]) => [address, tallyOf(evidence, own, now)]));
}

function tallyOf({ pod, freshness, lastDrop }: PodEvidence, peers: readonly PeerView[], now: number): Tally {
  const newest = (times: readonly (number | undefined)[]): number | undefined => {
    // What happened before the pod began was another's; what lies too far ahead cannot have been seen.
    const own = times.filter(
      (time): time is number =>
        time !== undefined &&
        pod.startTime !== undefined &&
        time >= pod.startTime &&
        time - now <= freshness.aheadMs,
    );
    return own.length === 0 ? undefined : Math.max(...own);
  };
  const success = newest(peers.map(({ lastSuccess }) => lastSuccess));
  const failure = newest(peers.map(({ lastFailure }) => lastFailure));
  const recentSuccess = success !== undefined && isRecent(success, now, freshness);
  return {
    recentSuccess,
    succeeding: recentSuccess && (failure === undefined || success >= failure),
    // A success lost in a drop must not make an earlier failure the last word.
    failing:
      failure !== undefined &&
      isRecent(failure, now, freshness) &&
      (success === undefined || failure > success) &&
      (lastDrop === undefined || failure > lastDrop),
  };
}
