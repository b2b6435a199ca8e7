// A GateView over plain lists, as a test states them; anything may be declared unreadable.
import type { Lookup } from '../../api/lookup.ts';
import type { EvidenceGrant } from '../../api/promotion-policy.ts';
import type { GateView } from '../../gate/gate-view.ts';
import { compilePolicy, type Policy } from '../../gate/policy.ts';
import type { RunningWorkload } from '../../gate/revision.ts';
import { type Verdict, verdictOf } from '../../gate/verdict.ts';
import type { Revision } from '../../gate/write.ts';

export type MemoryContents = {
  readonly pactos?: readonly unknown[];
  readonly policies?: readonly unknown[];
  readonly grants?: readonly EvidenceGrant[];
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly running?: Readonly<Record<string, RunningWorkload>>;
  readonly revisions?: Readonly<Record<string, readonly Revision[]>>;
  /** Workload kinds the view can see. Default: those in `running`. */
  readonly watched?: readonly string[];
  /** Look-ups that answer `unreadable`. */
  readonly unreadable?: readonly (keyof GateView)[];
};

export function memoryView(contents: MemoryContents): GateView {
  const { pactos = [], policies = [], grants = [], namespaces = {}, running = {}, revisions = {} } = contents;
  const verdicts = pactos.map(verdictOf).filter((v): v is Verdict => v !== undefined);
  const compiled = policies
    .map((p) => compilePolicy(p, { windowSeconds: 120 }))
    .filter((p): p is Policy => p !== undefined);
  const answer = <T>(what: keyof GateView, value: T | undefined): Lookup<T> => {
    if (contents.unreadable?.includes(what) === true)
      return { kind: 'unreadable', reason: `${what} is stale` };
    return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
  };
  return {
    verdicts: (ns) =>
      answer(
        'verdicts',
        verdicts.filter((v) => v.namespace === ns),
      ),
    allVerdicts: () => answer('allVerdicts', verdicts),
    policies: (ns) =>
      answer(
        'policies',
        compiled.filter((p) => p.scope.kind === 'namespace' && p.scope.namespace === ns),
      ),
    clusterPolicies: () =>
      answer(
        'clusterPolicies',
        compiled.filter((p) => p.scope.kind === 'cluster'),
      ),
    grants: (ns) =>
      answer(
        'grants',
        grants.filter((g) => g.metadata.namespace === ns),
      ),
    namespaceLabels: (ns) => answer('namespaceLabels', namespaces[ns]),
    running: (kind, ns, name) => {
      const watched = contents.watched ?? Object.keys(running).map((key) => key.split('/')[0]);
      return watched.includes(kind) ? answer('running', running[`${kind}/${ns}/${name}`]) : undefined;
    },
    revisions: (uid) => revisions[uid] ?? [],
  };
}
