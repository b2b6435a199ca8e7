// Interfaces against the kernel: does a pod behind the ready endpoints listen where the port leads? (evaluation.md 12.5)
import { isLoopback } from '../../address.ts';
import type { Collector, UnobservedOutcome } from '../../evidence.ts';
import type { PodView, ServicePort } from '../../view.ts';
import { noted, type ObserverContext } from '../observer-context.ts';
import type { ReadyEndpoint } from '../service-port.ts';
import { type CoverageLevel, type PodEvidence, podEvidence, worstOutcome } from './pod-evidence.ts';
import { targetPods } from './target-pods.ts';

export type InterfaceMerge =
  | { readonly kind: 'present'; readonly collector: Collector }
  | { readonly kind: 'negative'; readonly collector: Collector }
  | { readonly kind: 'undecided'; readonly outcome: UnobservedOutcome; readonly collector: Collector };

const KERNEL: Collector = 'k8s-observer+ebpf';

/** Merges what nodes saw into an interface with ready endpoints. Without kernel evidence these alone say it is present. */
export function mergeInterface(
  context: ObserverContext,
  port: ServicePort,
  ready: readonly ReadyEndpoint[],
): InterfaceMerge {
  const settings = context.input.features.kernelEvidence;
  // Only TCP listeners are seen.
  if (settings === undefined || port.protocol !== 'TCP')
    return { kind: 'present', collector: 'k8s-observer' };
  const present: InterfaceMerge = { kind: 'present', collector: KERNEL };
  const undecided = (outcome: UnobservedOutcome): InterfaceMerge => ({
    kind: 'undecided',
    outcome,
    collector: KERNEL,
  });
  if (ready.every(({ endpoint }) => endpoint.pod === undefined)) {
    const pods = targetPods(context);
    if (pods.kind === 'unreadable') return undecided('Failed');
    const standIns = (pods.kind === 'found' ? pods.value : []).map((pod) =>
      podEvidence(context, settings, pod),
    );
    const ports = new Set(ready.map(({ containerPort }) => containerPort));
    if (standIns.some((evidence) => [...ports].some((number) => listens(evidence, number)))) return present;
    return undecided(worstOutcome(standIns.map(({ level }) => level)) ?? 'Insufficient');
  }
  const levels: CoverageLevel[] = [];
  // An endpoint that names no running pod is served by something nobody looks at.
  let unwatched = false;
  for (const { endpoint, containerPort } of ready) {
    const pod = endpoint.pod === undefined ? undefined : backingPod(context, endpoint.pod);
    if (pod === 'unreadable') levels.push('failed');
    else if (pod === undefined) unwatched = true;
    else {
      const evidence = podEvidence(context, settings, pod);
      if (listens(evidence, containerPort)) return present;
      levels.push(evidence.level);
    }
  }
  const worst = worstOutcome(levels);
  if (worst !== undefined) return undecided(worst);
  return unwatched ? undecided('Insufficient') : { kind: 'negative', collector: KERNEL };
}

function backingPod(context: ObserverContext, name: string): PodView | 'unreadable' | undefined {
  const { view, namespace } = context.input;
  const pod = noted(context, 'Pod', name, view.pod(namespace, name));
  if (pod.kind === 'unreadable') return 'unreadable';
  return pod.kind === 'found' && pod.value.running ? pod.value : undefined;
}

/** A listener counts on any address others can reach; one whose close may have been lost does not. */
function listens({ sockets, lossy }: PodEvidence, containerPort: number): boolean {
  if (sockets === undefined || lossy) return false;
  return sockets.listeners.some(({ address, port }) => port === containerPort && !isLoopback(address));
}
