// The gate's memory: verdicts, policies, grants and what runs, each kept current by a watch of its own.
import type { Lookup } from '../../api/lookup.ts';
import type { EvidenceGrant } from '../../api/promotion-policy.ts';
import { Informer, type InformerOptions } from '../../kube/informer.ts';
import { InformerGroup } from '../../kube/informer-group.ts';
import type { ResourceType } from '../../kube/resource.ts';
import type { GateView } from '../gate-view.ts';
import { compilePolicy, type Policy } from '../policy.ts';
import type { RunningWorkload } from '../revision.ts';
import { type Verdict, verdictOf } from '../verdict.ts';
import {
  evidenceGrant,
  type LabelledNamespace,
  labelledNamespace,
  controllerRevision,
  type OwnedRevision,
  replicaSetRevision,
  runningWorkload,
} from './projections.ts';
import { GATE_RESOURCES } from './resources.ts';

type Shared = Pick<InformerOptions<unknown>, 'client' | 'clock' | 'log' | 'metrics' | 'maxAgeMs'>;

export type GateCacheOptions = Shared & {
  /** Stabilization window in seconds where a verdict names none. Default: 120. */
  readonly windowSeconds: number;
};

const BY_NAMESPACE = 'namespace';
const BY_OWNER = 'owner';

export class GateCache {
  readonly #pactos: Informer<Verdict>;
  readonly #policies: Informer<Policy>;
  readonly #clusterPolicies: Informer<Policy>;
  readonly #grants: Informer<EvidenceGrant>;
  readonly #namespaces: Informer<LabelledNamespace>;
  /** ReplicaSets are the history of Deployments, ControllerRevisions that of StatefulSets and DaemonSets. */
  readonly #revisions: readonly Informer<OwnedRevision | undefined>[];
  readonly #workloads: ReadonlyMap<string, Informer<RunningWorkload>>;
  /** All of them together, for whoever runs the cache. */
  readonly informers: InformerGroup;
  /** Look-ups for one decision; see GateView. */
  readonly view: GateView;

  constructor({ windowSeconds, ...shared }: GateCacheOptions) {
    const policy = (object: unknown): Policy =>
      orThrow(compilePolicy(object, { windowSeconds }), 'a policy without a name or a spec');
    this.#pactos = informer(shared, GATE_RESOURCES.pactos, {
      project: (object) => orThrow(verdictOf(object), 'a Pacto without a name'),
      namespaceOf: (verdict) => verdict.namespace,
    });
    this.#policies = informer(shared, GATE_RESOURCES.policies, {
      project: policy,
      namespaceOf: ({ scope }) => (scope.kind === 'namespace' ? scope.namespace : undefined),
    });
    this.#clusterPolicies = informer(shared, GATE_RESOURCES.clusterPolicies, { project: policy });
    this.#grants = informer(shared, GATE_RESOURCES.grants, {
      project: evidenceGrant,
      namespaceOf: (grant) => grant.metadata.namespace,
    });
    this.#namespaces = informer(shared, GATE_RESOURCES.namespaces, {
      project: labelledNamespace,
      representation: 'metadata',
    });
    this.#revisions = [
      history(shared, GATE_RESOURCES.replicaSets, replicaSetRevision),
      history(shared, GATE_RESOURCES.controllerRevisions, controllerRevision),
    ];
    this.#workloads = new Map([
      ['Deployment', informer(shared, GATE_RESOURCES.deployments, { project: runningWorkload })],
      ['StatefulSet', informer(shared, GATE_RESOURCES.statefulSets, { project: runningWorkload })],
    ]);
    this.informers = new InformerGroup([
      this.#pactos,
      this.#policies,
      this.#clusterPolicies,
      this.#grants,
      this.#namespaces,
      ...this.#revisions,
      ...this.#workloads.values(),
    ]);
    this.view = {
      verdicts: (namespace) => this.#pactos.byIndex(BY_NAMESPACE, namespace),
      allVerdicts: () => this.#pactos.list(),
      policies: (namespace) => this.#policies.byIndex(BY_NAMESPACE, namespace),
      clusterPolicies: () => this.#clusterPolicies.list(),
      grants: (namespace) => this.#grants.byIndex(BY_NAMESPACE, namespace),
      namespaceLabels: (namespace) => labelsOf(this.#namespaces.lookup(namespace)),
      running: (kind, namespace, name) => this.#workloads.get(kind)?.lookup(`${namespace}/${name}`),
      revisions: (ownerUid) => this.#revisions.flatMap((one) => found(one.byIndex(BY_OWNER, ownerUid))),
    };
  }

  /** Kinds of ours that the API server does not serve. */
  notServed(): readonly string[] {
    const ours = [this.#pactos, this.#policies, this.#clusterPolicies, this.#grants];
    return ours.flatMap((one) => (one.unreadable()?.cause === 'notServed' ? [one.kind] : []));
  }

  /** Milliseconds since the API server last confirmed a kind, by kind. */
  ages(): readonly { readonly kind: string; readonly ageMs: number }[] {
    return this.informers.members.map((one) => ({ kind: one.kind, ageMs: one.ageMs() }));
  }
}

type Kept<T> = {
  readonly project: (object: unknown) => T;
  readonly namespaceOf?: (value: T) => string | undefined;
  readonly representation?: 'metadata';
};

function informer<T>(shared: Shared, type: ResourceType, kept: Kept<T>): Informer<T> {
  const { project, namespaceOf, representation } = kept;
  return new Informer<T>({
    ...shared,
    type,
    project,
    ...(representation === undefined ? {} : { representation }),
    ...(namespaceOf === undefined
      ? {}
      : { indexes: { [BY_NAMESPACE]: (value) => listOf(namespaceOf(value)) } }),
  });
}

function history(
  shared: Shared,
  type: ResourceType,
  project: (object: unknown) => OwnedRevision | undefined,
): Informer<OwnedRevision | undefined> {
  return new Informer({
    ...shared,
    type,
    project,
    indexes: { [BY_OWNER]: (revision) => listOf(revision?.ownerUid) },
    // That a revision ran once stays true, and a rollback must pass while the API server is out of sight.
    maxAgeMs: Number.POSITIVE_INFINITY,
  });
}

function found(lookup: Lookup<readonly (OwnedRevision | undefined)[]>): readonly OwnedRevision[] {
  return lookup.kind === 'found' ? lookup.value.filter((revision) => revision !== undefined) : [];
}

function listOf(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [key];
}

function orThrow<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(what);
  return value;
}

function labelsOf(lookup: Lookup<LabelledNamespace>): Lookup<Readonly<Record<string, string>>> {
  return lookup.kind === 'found' ? { kind: 'found', value: lookup.value.labels } : lookup;
}
