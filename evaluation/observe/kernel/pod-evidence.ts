// What a node can tell of one of its pods, and how much of it may be believed (evaluation.md 12.2).
import type { UnobservedOutcome } from '../../evidence.ts';
import type { NodePodView, PodView } from '../../view.ts';
import { noted, type ObserverContext } from '../observer-context.ts';
import { type Freshness, freshnessOf, isAlive } from './freshness.ts';
import type { KernelSettings } from './settings.ts';

/** Only a complete view may contradict; a partial one may confirm; the others say nothing. */
export type CoverageLevel = 'stale' | 'failed' | 'partial' | 'complete';

export type PodEvidence = {
  readonly pod: PodView;
  readonly level: CoverageLevel;
  /** What was seen of its sockets; absent when nothing may be read. */
  readonly sockets?: NodePodView;
  /** Events were lost since its sockets were first read: one of them may have been a close. */
  readonly lossy: boolean;
  readonly freshness: Freshness;
  /** When the node last lost events, milliseconds since the epoch. */
  readonly lastDrop?: number;
};

/** Worst first. */
const LEVELS: readonly (readonly [level: CoverageLevel, outcome: UnobservedOutcome])[] = [
  ['stale', 'Stale'],
  ['failed', 'Failed'],
  ['partial', 'Insufficient'],
];

/** The outcome of the least covered; undefined when every one is complete. */
export function worstOutcome(levels: readonly CoverageLevel[]): UnobservedOutcome | undefined {
  return LEVELS.find(([level]) => levels.includes(level))?.[1];
}

/** Reads the observation of the pod's own node; that of any other node never speaks for it. */
export function podEvidence(context: ObserverContext, settings: KernelSettings, pod: PodView): PodEvidence {
  const { view, now } = context.input;
  const observation = noted(
    context,
    'NodeRuntimeObservation',
    pod.nodeName,
    view.nodeObservation(pod.nodeName),
    '',
  );
  const lease = noted(context, 'Lease', pod.nodeName, view.lease(pod.nodeName), '');
  const heldLease = lease.kind === 'found' ? lease.value : undefined;
  const freshness = freshnessOf(settings, heldLease);
  const nothing = { pod, lossy: false, freshness };
  if (observation.kind === 'unreadable' || lease.kind === 'unreadable') {
    return { ...nothing, level: 'failed' };
  }
  if (observation.kind === 'absent' || !isAlive(observation.value, heldLease, now, freshness)) {
    return { ...nothing, level: 'stale' };
  }
  const { state, lastDrop, pods } = observation.value;
  if (state === 'Failed' || state === undefined) return { ...nothing, level: 'failed' };
  const seen = pods.get(pod.nodeUid);
  // Sockets of the node's own network cannot be told apart by pod.
  const sockets = pod.hostNetwork || seen?.hostNetwork === true ? undefined : seen;
  const baseline = sockets?.baselineTime;
  const lossy = baseline !== undefined && lastDrop !== undefined && seconds(lastDrop) >= seconds(baseline);
  const complete =
    state === 'Running' &&
    sockets !== undefined &&
    !sockets.sharedNetwork &&
    !sockets.truncated &&
    !pod.sandboxed &&
    !lossy &&
    baseline !== undefined &&
    pod.startTime !== undefined &&
    seconds(baseline) >= seconds(pod.startTime);
  return {
    pod,
    level: complete ? 'complete' : 'partial',
    ...(sockets !== undefined && { sockets }),
    lossy,
    freshness,
    ...(lastDrop !== undefined && { lastDrop }),
  };
}

/** Times come in whole seconds; what happened in one second has no order. */
function seconds(time: number): number {
  return Math.floor(time / 1000);
}
