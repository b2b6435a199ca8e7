// GateView: everything the gate may look up while it judges a write, answered from memory.
import type { Lookup } from '../api/lookup.ts';
import type { EvidenceGrant } from '../api/promotion-policy.ts';
import type { Policy } from './policy.ts';
import type { RunningWorkload } from './revision.ts';
import type { Verdict } from './verdict.ts';
import type { Revision } from './write.ts';

/** Read-only look-ups; none waits or throws. Lists that are known to be empty are `found` with an empty list. */
export type GateView = {
  /** Verdicts of one namespace. */
  verdicts(namespace: string): Lookup<readonly Verdict[]>;
  /** Verdicts of every namespace the gate watches; asked only for providers. */
  allVerdicts(): Lookup<readonly Verdict[]>;
  /** Policies of one namespace. */
  policies(namespace: string): Lookup<readonly Policy[]>;
  clusterPolicies(): Lookup<readonly Policy[]>;
  grants(namespace: string): Lookup<readonly EvidenceGrant[]>;
  /** `absent`: no such namespace. */
  namespaceLabels(namespace: string): Lookup<Readonly<Record<string, string>>>;
  /** What runs now under a workload; undefined for a kind that the gate does not watch. */
  running(kind: string, namespace: string, name: string): Lookup<RunningWorkload> | undefined;
  /**
   * Revisions an object ran before, by the UID of the object. Answered also from an old cache: that a revision ran
   * once stays true, and a rollback must pass while the API server is out of sight.
   */
  revisions(ownerUid: string): readonly Revision[];
};
