// Whose verdicts decide about a target: the Pactos a policy's evidence selects, matched to the written object (gate 2).
import { matchesLabels } from '../api/label-selector.ts';
import type { Lookup } from '../api/lookup.ts';
import type { EvidenceSource } from '../api/promotion-policy.ts';
import type { LabelSelector } from '../api/meta.ts';
import { LABELS } from '../api/names.ts';
import type { GateView } from './gate-view.ts';
import type { Policy } from './policy.ts';
import type { MissingVerdict, Verdict } from './verdict.ts';
import type { Target } from './write.ts';

/** One source and the verdicts it selects. */
export type Evidence = {
  readonly source: EvidenceSource;
  readonly verdicts: readonly (Verdict | MissingVerdict)[];
};

/** A policy without evidence is decided by the target's own Pacto. */
const OWN_NAMESPACE: Omit<EvidenceSource, 'namespace'> = { match: 'SameName' };

/**
 * Finds the verdicts for every evidence source of a policy. A source that selects nothing yields one `missing` entry
 * that says why.
 */
export function evidenceFor(policy: Policy, target: Target, view: GateView): Lookup<readonly Evidence[]> {
  const sources: readonly EvidenceSource[] =
    policy.evidence.length > 0 ? policy.evidence : [{ ...OWN_NAMESPACE, namespace: target.namespace }];
  const all: Evidence[] = [];
  for (const source of sources) {
    const verdicts = verdictsOf(source, policy, target, view);
    if (verdicts.kind === 'unreadable') return verdicts;
    all.push({ source, verdicts: verdicts.kind === 'found' ? verdicts.value : [] });
  }
  return { kind: 'found', value: all };
}

/** Whether a verdict is about the written object itself, so that the write may be its repair. */
export function isOwn(verdict: Verdict, target: Target): boolean {
  return (
    verdict.namespace === target.namespace &&
    verdict.workload?.name === target.name &&
    verdict.workload.kind === target.kind
  );
}

function verdictsOf(
  source: EvidenceSource,
  policy: Policy,
  target: Target,
  view: GateView,
): Lookup<readonly (Verdict | MissingVerdict)[]> {
  const granted = grantedPactos(source.namespace, policy, view);
  if (granted.kind === 'unreadable') return granted;
  if (granted.kind === 'absent') {
    return missing(
      source,
      `no EvidenceGrant in namespace ${source.namespace} lets policy ${policy.name} read its Pactos`,
      `make an EvidenceGrant in namespace ${source.namespace} for PromotionPolicies of the namespace of ${policy.name}`,
    );
  }
  const listed = view.verdicts(source.namespace);
  if (listed.kind === 'unreadable') return listed;
  const selected = (listed.kind === 'found' ? listed.value : []).filter(
    (v) => granted.value(v) && (source.selector === undefined || matchesLabels(source.selector, v.labels)),
  );
  const matcher = matcherFor(source, target, view);
  if (matcher.kind === 'unreadable') return matcher;
  if (matcher.kind === 'absent') {
    return missing(
      source,
      `${target.kind} ${target.namespace}/${target.name} names no service: no Pacto in its namespace watches it and it has no label ${LABELS.appName}`,
      `set the label ${LABELS.appName} on ${target.kind} ${target.namespace}/${target.name}, or make a Pacto for it`,
    );
  }
  const verdicts = selected.filter(matcher.value.matches);
  if (verdicts.length > 0) return { kind: 'found', value: verdicts };
  return missing(source, `no Pacto in namespace ${source.namespace} ${matcher.value.describes}`);
}

function missing(source: EvidenceSource, why: string, unblock?: string): Lookup<readonly MissingVerdict[]> {
  const entry = { kind: 'missing' as const, namespace: source.namespace, why };
  return { kind: 'found', value: [unblock === undefined ? entry : { ...entry, unblock }] };
}

type Matcher = { readonly matches: (verdict: Verdict) => boolean; readonly describes: string };

function matcherFor(source: EvidenceSource, target: Target, view: GateView): Lookup<Matcher> {
  switch (source.match ?? 'SameService') {
    case 'All':
      return { kind: 'found', value: { matches: () => true, describes: 'is selected' } };
    case 'SameName':
      return {
        kind: 'found',
        value: {
          matches: (v) =>
            v.workload?.name === target.name && (v.namespace !== target.namespace || isOwn(v, target)),
          describes: `watches a workload named ${target.name}`,
        },
      };
    case 'SameService': {
      const services = servicesOf(target, view);
      if (services.kind !== 'found') return services;
      const names = services.value;
      return {
        kind: 'found',
        value: {
          matches: (v) => standsFor(v, names, target),
          describes: `has a contract for service ${names.join(' or ')}`,
        },
      };
    }
  }
}

/**
 * A verdict without a contract (Invalid, or not obtained) names no service; it still stands for the service its target is
 * called after, so that a broken contract is not taken for a missing one.
 */
function standsFor(verdict: Verdict, services: readonly string[], target: Target): boolean {
  if (verdict.serviceName !== undefined) return services.includes(verdict.serviceName);
  const names = [verdict.targetService, verdict.workload?.name];
  return names.some((name) => name !== undefined && (services.includes(name) || name === target.name));
}

/** Service names the written object stands for: those of the Pactos that watch it, else its name label. */
function servicesOf(target: Target, view: GateView): Lookup<readonly string[]> {
  const own = view.verdicts(target.namespace);
  if (own.kind === 'unreadable') return own;
  const named = (own.kind === 'found' ? own.value : [])
    .filter((v) => isOwn(v, target))
    .flatMap((v) => v.serviceName ?? []);
  if (named.length > 0) return { kind: 'found', value: [...new Set(named)] };
  const label = target.labelsBefore[LABELS.appName] ?? target.labels[LABELS.appName];
  return label === undefined || label === '' ? { kind: 'absent' } : { kind: 'found', value: [label] };
}

/** Which Pactos of a namespace a policy may read: its own namespace's, and what grants there allow. */
export function grantedPactos(
  namespace: string,
  policy: Policy,
  view: GateView,
): Lookup<(verdict: Verdict) => boolean> {
  if (policy.scope.kind === 'cluster' || policy.scope.namespace === namespace) {
    return { kind: 'found', value: () => true };
  }
  const asking = policy.scope.namespace;
  const grants = view.grants(namespace);
  if (grants.kind === 'unreadable') return grants;
  const selectors: (LabelSelector | undefined)[] = [];
  for (const grant of grants.kind === 'found' ? grants.value : []) {
    for (const from of grant.spec.from) {
      if (from.namespace === asking) selectors.push(grant.spec.selector);
      if (from.namespaceSelector === undefined) continue;
      const labels = view.namespaceLabels(asking);
      if (labels.kind === 'unreadable') return labels;
      if (labels.kind === 'found' && matchesLabels(from.namespaceSelector, labels.value)) {
        selectors.push(grant.spec.selector);
      }
    }
  }
  if (selectors.length === 0) return { kind: 'absent' };
  return {
    kind: 'found',
    value: (verdict) => selectors.some((s) => s === undefined || matchesLabels(s, verdict.labels)),
  };
}
