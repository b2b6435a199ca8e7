// The gate's own kinds: PromotionPolicy, ClusterPromotionPolicy and EvidenceGrant, as they stand on the wire.
import type { Condition, LabelSelector, ObjectMeta } from './meta.ts';

export const POLICY_MODES = ['Enforce', 'Warn', 'Audit'] as const;
export type PolicyMode = (typeof POLICY_MODES)[number];

/** Kinds a policy can govern; each word means exactly one API group. */
export const TARGET_KINDS = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'CronJob',
  'Rollout',
  'Application',
  'Kustomization',
  'HelmRelease',
  'OCIRepository',
  'GitRepository',
  'Bucket',
  'Promotion',
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const RULE_ACTIONS = ['Allow', 'Hold', 'Deny'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

export type PolicyTarget = { readonly kinds: readonly TargetKind[]; readonly selector?: LabelSelector };

export type EvidenceMatch = 'SameService' | 'SameName' | 'All';

export type EvidenceSource = {
  /** Namespace whose Pactos decide. */
  readonly namespace: string;
  readonly selector?: LabelSelector;
  /** How a written object finds its evidence. Default: SameService. */
  readonly match?: EvidenceMatch;
  /** SameImages: the verdict must be about the images the write brings. Default: SameImages between namespaces. */
  readonly revision?: 'SameImages' | 'Any';
};

export type PolicyRules = {
  readonly onWarning?: RuleAction;
  readonly onUnknown?: RuleAction;
  readonly onMissing?: RuleAction;
  readonly onStale?: RuleAction;
  readonly onReference?: RuleAction;
  /** Go-style duration. Default: check interval + window + 60 s. */
  readonly maxAge?: string;
  /** Go-style duration. Default: 0. */
  readonly soak?: string;
  readonly readiness?: 'Ignored' | 'Required';
  /** Percent of required assertions that must have been evaluated. */
  readonly minCoverage?: number;
  readonly dependencies?: 'Ignored' | 'Required';
  /** Deny: a NonCompliant Pacto also blocks the write that would repair it. Default: Allow. */
  readonly fixForward?: 'Allow' | 'Deny';
};

export type PolicyWaiver = {
  readonly code: string;
  readonly subject?: string;
  readonly until: string;
  readonly reason: string;
  readonly by: string;
};

export type PolicyFreeze = { readonly from: string; readonly until: string; readonly reason: string };

export type PromotionPolicySpec = {
  /** Default: Enforce. */
  readonly mode?: PolicyMode;
  readonly targets: readonly PolicyTarget[];
  /** Absent: the target's own namespace decides. */
  readonly evidence?: readonly EvidenceSource[];
  readonly rules?: PolicyRules;
  readonly waivers?: readonly PolicyWaiver[];
  readonly freezes?: readonly PolicyFreeze[];
};

export type ClusterPromotionPolicySpec = PromotionPolicySpec & {
  /** Namespaces whose writes are governed; absent = all. */
  readonly namespaceSelector?: LabelSelector;
  /** Honour: the evidence annotation on a written object counts. Default: Ignore. */
  readonly annotations?: 'Ignore' | 'Honour';
};

export type PromotionPolicyStatus = {
  readonly conditions?: readonly Condition[];
  readonly wouldBlock?: { readonly last24h?: number };
};

export type PromotionPolicy = {
  readonly apiVersion: string;
  readonly kind: 'PromotionPolicy';
  readonly metadata: ObjectMeta;
  readonly spec: PromotionPolicySpec;
  readonly status?: PromotionPolicyStatus;
};

export type ClusterPromotionPolicy = {
  readonly apiVersion: string;
  readonly kind: 'ClusterPromotionPolicy';
  readonly metadata: ObjectMeta;
  readonly spec: ClusterPromotionPolicySpec;
  readonly status?: PromotionPolicyStatus;
};

export type EvidenceGrant = {
  readonly apiVersion: string;
  readonly kind: 'EvidenceGrant';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly from: readonly {
      readonly kind: 'PromotionPolicy';
      readonly namespace?: string;
      readonly namespaceSelector?: LabelSelector;
    }[];
    /** Which Pactos of this namespace may be read; absent = all. */
    readonly selector?: LabelSelector;
  };
};
