// Which policies govern a write: those of its namespace, and the cluster policies that select the namespace.
import { byText } from '../api/by-text.ts';
import { matchesLabels } from '../api/label-selector.ts';
import type { Lookup } from '../api/lookup.ts';
import type { LabelSelector } from '../api/meta.ts';
import type { GateView } from './gate-view.ts';
import type { Policy } from './policy.ts';
import type { Target } from './write.ts';

/** Every policy that names the target, sorted by name. Unreadable when a list of policies or the namespace is. */
export function governingPolicies(target: Target, view: GateView): Lookup<readonly Policy[]> {
  const local = view.policies(target.namespace);
  if (local.kind === 'unreadable') return local;
  const cluster = view.clusterPolicies();
  if (cluster.kind === 'unreadable') return cluster;
  const candidates = [...(local.kind === 'found' ? local.value : [])];
  for (const policy of cluster.kind === 'found' ? cluster.value : []) {
    const selected = selectsNamespace(policy, target.namespace, view);
    if (selected.kind === 'unreadable') return selected;
    if (selected.kind === 'found') candidates.push(policy);
  }
  const governing = candidates.filter((policy) => names(policy, target));
  return { kind: 'found', value: governing.sort((a, b) => byText(a.name, b.name)) };
}

function names(policy: Policy, target: Target): boolean {
  return policy.targets.some(
    ({ kinds, selector }) => kinds.includes(target.kind) && selects(selector, target),
  );
}

/** By the labels before the write or after it: taking a label off does not take an object out of its policies. */
function selects(selector: LabelSelector | undefined, { labels, labelsBefore }: Target): boolean {
  return selector === undefined || matchesLabels(selector, labels) || matchesLabels(selector, labelsBefore);
}

function selectsNamespace(policy: Policy, namespace: string, view: GateView): Lookup<true> {
  if (policy.scope.kind !== 'cluster' || policy.scope.selector === undefined) {
    return { kind: 'found', value: true };
  }
  const labels = view.namespaceLabels(namespace);
  if (labels.kind === 'unreadable') return labels;
  // The write proves that the namespace exists, so one we do not know yet is no reason to let it through.
  if (labels.kind === 'absent') {
    return {
      kind: 'unreadable',
      reason: `namespace ${namespace} is not known yet, so nor are the policies that select it`,
    };
  }
  return matchesLabels(policy.scope.selector, labels.value)
    ? { kind: 'found', value: true }
    : { kind: 'absent' };
}
