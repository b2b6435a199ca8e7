// Dependencies against the kernel: what the workload's own connections say beside the provider's endpoints
// (evaluation.md 12.6).
import type { Collector, UnobservedOutcome } from '../../evidence.ts';
import type { ObserverContext } from '../observer-context.ts';
import { kernelVerdict } from './connections.ts';
import { type PodEvidence, podEvidence, worstOutcome } from './pod-evidence.ts';
import type { AddressPorts } from './provider-addresses.ts';
import type { KernelSettings } from './settings.ts';
import { targetPods } from './target-pods.ts';

export type DependencyStage =
  | { readonly kind: 'reachable' }
  | { readonly kind: 'negative' }
  | { readonly kind: 'undecided'; readonly outcome: UnobservedOutcome };

export type DependencyMerge = DependencyStage & { readonly collector: Collector };

const BOTH: Collector = 'k8s-observer+ebpf';
const KUBERNETES: Collector = 'k8s-observer';

/** Merges what nodes saw into what Kubernetes says of a provider. `addresses`: where it can be reached, as far as known. */
export function mergeDependency(
  context: ObserverContext,
  stage: DependencyStage,
  addresses: AddressPorts,
): DependencyMerge {
  const alone = { ...stage, collector: KUBERNETES };
  const evidence = targetEvidence(context);
  if (evidence === undefined) return alone;
  const levels = evidence === 'unreadable' ? (['failed'] as const) : evidence.map(({ level }) => level);
  const worst = worstOutcome(levels);
  const verdict =
    evidence === 'unreadable' || addresses.size === 0
      ? 'none'
      : kernelVerdict(evidence, addresses, context.input.now);
  switch (stage.kind) {
    case 'reachable':
      if (verdict === 'reachable') return { kind: 'reachable', collector: BOTH };
      if (verdict === 'unreachable') return { kind: 'negative', collector: BOTH };
      if (verdict === 'unproven') return { ...undecided(worst), collector: BOTH };
      return alone;
    case 'negative':
      // Nothing is ready, and yet somebody connects: neither may be believed.
      if (verdict === 'reachable' || verdict === 'mixed') return { ...undecided(undefined), collector: BOTH };
      return verdict === 'unreachable' ? { ...stage, collector: BOTH } : alone;
    case 'undecided':
      if (verdict === 'reachable') return { kind: 'reachable', collector: BOTH };
      if (verdict === 'unreachable') return { kind: 'negative', collector: BOTH };
      return worst === 'Stale' || worst === 'Failed' ? { ...undecided(worst), collector: BOTH } : alone;
    default:
      return stage satisfies never;
  }
}

type TargetEvidence = readonly PodEvidence[] | 'unreadable' | undefined;

/** Every dependency asks for the same pods of the same pass. */
const GATHERED = new WeakMap<ObserverContext, { readonly evidence: TargetEvidence }>();

/** Evidence of every target pod; undefined with kernel evidence off. */
export function targetEvidence(context: ObserverContext): TargetEvidence {
  const settings = context.input.features.kernelEvidence;
  if (settings === undefined) return undefined;
  const known = GATHERED.get(context);
  if (known !== undefined) return known.evidence;
  const evidence = gather(context, settings);
  GATHERED.set(context, { evidence });
  return evidence;
}

function gather(context: ObserverContext, settings: KernelSettings): TargetEvidence {
  const pods = targetPods(context);
  if (pods.kind === 'unreadable') return 'unreadable';
  return pods.kind === 'found' ? pods.value.map((pod) => podEvidence(context, settings, pod)) : [];
}

function undecided(outcome: UnobservedOutcome | undefined): DependencyStage {
  return { kind: 'undecided', outcome: outcome ?? 'Insufficient' };
}
