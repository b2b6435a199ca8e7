// The schemas and the hand-written types describe the same objects: the compiler refuses this file when they differ.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Static } from 'typebox';
import type { NodeRuntimeObservation } from '../../api/node-runtime-observation.ts';
import type { PactoRevision, PactoSpec, PactoStatus } from '../../api/pacto.ts';
import type {
  ClusterPromotionPolicySpec,
  EvidenceGrant,
  PromotionPolicySpec,
  PromotionPolicyStatus,
} from '../../api/promotion-policy.ts';
import type { EvidenceGrantSpecSchema } from '../../api/schema/evidence-grant.ts';
import type {
  NodeRuntimeObservationSpecSchema,
  NodeRuntimeObservationStatusSchema,
} from '../../api/schema/node-runtime-observation.ts';
import type { PactoRevisionSpecSchema, PactoRevisionStatusSchema } from '../../api/schema/pacto-revision.ts';
import type { PactoSpecSchema } from '../../api/schema/pacto-spec.ts';
import type { PactoStatusSchema } from '../../api/schema/pacto-status.ts';
import type {
  ClusterPromotionPolicySpecSchema,
  PromotionPolicySpecSchema,
  PromotionPolicyStatusSchema,
} from '../../api/schema/promotion-policy.ts';

/** The same shape with every `readonly` and every intersection resolved, so that only keys and types are compared. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;
// The generic functions defer the comparison, which is what makes it exact.
type Exactly<T> = <U>() => U extends T ? 1 : 2;
type Same<A, B> = Exactly<Plain<A>> extends Exactly<Plain<B>> ? true : false;

const SAME: {
  readonly pactoSpec: Same<Static<typeof PactoSpecSchema>, PactoSpec>;
  readonly pactoStatus: Same<Static<typeof PactoStatusSchema>, PactoStatus>;
  readonly revisionSpec: Same<Static<typeof PactoRevisionSpecSchema>, PactoRevision['spec']>;
  readonly revisionStatus: Same<
    Static<typeof PactoRevisionStatusSchema>,
    NonNullable<PactoRevision['status']>
  >;
  readonly observationSpec: Same<
    Static<typeof NodeRuntimeObservationSpecSchema>,
    NodeRuntimeObservation['spec']
  >;
  readonly observationStatus: Same<
    Static<typeof NodeRuntimeObservationStatusSchema>,
    NonNullable<NodeRuntimeObservation['status']>
  >;
  readonly policySpec: Same<Static<typeof PromotionPolicySpecSchema>, PromotionPolicySpec>;
  readonly clusterPolicySpec: Same<
    Static<typeof ClusterPromotionPolicySpecSchema>,
    ClusterPromotionPolicySpec
  >;
  readonly policyStatus: Same<Static<typeof PromotionPolicyStatusSchema>, PromotionPolicyStatus>;
  readonly grantSpec: Same<Static<typeof EvidenceGrantSpecSchema>, EvidenceGrant['spec']>;
} = {
  pactoSpec: true,
  pactoStatus: true,
  revisionSpec: true,
  revisionStatus: true,
  observationSpec: true,
  observationStatus: true,
  policySpec: true,
  clusterPolicySpec: true,
  policyStatus: true,
  grantSpec: true,
};

/** Proof that the comparison can fail. */
const DIFFERENT: {
  readonly optional: Same<{ a?: string }, { a: string }>;
  readonly values: Same<{ a: 'x' | 'y' }, { a: string }>;
  readonly keys: Same<{ a: string }, { a: string; b: string }>;
} = { optional: false, values: false, keys: false };

test('the compiler holds every schema equal to its type and can tell a difference', () => {
  assert.ok(Object.values(SAME).every((same) => same));
  assert.ok(Object.values(DIFFERENT).every((same) => !same));
});
