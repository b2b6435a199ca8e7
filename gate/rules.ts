// The rules a decision follows, with their defaults (gate 1.4), and how a policy's words become rules.
import type { PolicyWaiver, RuleAction } from '../api/promotion-policy.ts';

/** Which revision a verdict must be about. `SameImages` names the images the change brings. */
export type RevisionRule =
  | { readonly kind: 'any' }
  | { readonly kind: 'sameImages'; readonly images: readonly PromotedImage[] };

export type PromotedImage = {
  /** Image reference as written in the object. */
  readonly image: string;
  /** True when the object before the change did not run exactly this image in this container. */
  readonly changed: boolean;
  readonly container: 'main' | 'init';
};

export type Rules = {
  /** No such Pacto, or none selected. Default: Hold. */
  readonly onMissing: RuleAction;
  /** Verdict older than `maxAgeMs`, or from the future. Default: Hold. */
  readonly onStale: RuleAction;
  /** Undecided, or a status this version does not know. Default: Hold. */
  readonly onUnknown: RuleAction;
  /** Default: Allow, with a warning. */
  readonly onWarning: RuleAction;
  /** A contract without a target. Default: Allow. */
  readonly onReference: RuleAction;
  /** Milliseconds. Default: absent = the Pacto's check interval + stabilization window + 60 s. */
  readonly maxAgeMs?: number;
  /** Stabilization window in seconds where the verdict names none. Default: 120. */
  readonly windowSeconds: number;
  /** Milliseconds the status must have stood. Default: 0. */
  readonly soakMs: number;
  /** Default: any. */
  readonly revision: RevisionRule;
  /** Default: Ignored. */
  readonly readiness: 'Ignored' | 'Required';
  /** Percent of required assertions. Default: 0. */
  readonly minCoverage: number;
  /** Default: Ignored. */
  readonly dependencies: 'Ignored' | 'Required';
  /** Default: none. */
  readonly waivers: readonly PolicyWaiver[];
};

/** Rules of a check without a policy. */
export const DEFAULT_RULES: Rules = Object.freeze<Rules>({
  onMissing: 'Hold',
  onStale: 'Hold',
  onUnknown: 'Hold',
  onWarning: 'Allow',
  onReference: 'Allow',
  windowSeconds: 120,
  soakMs: 0,
  revision: { kind: 'any' },
  readiness: 'Ignored',
  minCoverage: 0,
  dependencies: 'Ignored',
  waivers: [],
});
