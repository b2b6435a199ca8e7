// The closed set of reason codes a decision may carry; part of the wire format of every surface.
import type { Finding } from '../api/finding.ts';

/** Code to the sentence that explains it in documentation and `explain` output. */
export const REASON_CATALOGUE = {
  NotCompliant: 'A finding proves that the running service breaks its contract.',
  Invalid: 'The contract itself is structurally invalid.',
  Stabilizing: 'Something is absent and may still appear; the stabilization window has not ended.',
  NotJudgedYet: 'The operator has not judged the current generation of the Pacto.',
  StaleVerdict: 'The verdict is too old, or dated in the future, to prove anything about now.',
  Unknown: 'The operator could not decide whether the contract holds.',
  Missing: 'No Pacto was found that could vouch for this change.',
  WrongRevision: 'The verdict is about other images than the ones this change brings.',
  RolloutIncomplete: 'The judged workload is still rolling out, or changed after it was judged.',
  SoakNotOver: 'The verdict has not been good for long enough.',
  ReadinessUnmet: 'The declared readiness gate of the contract is not met.',
  CoverageBelow: 'Too few of the required assertions could be evaluated.',
  DependencyNotCompliant: 'A service this one depends on is not in order.',
  Frozen: 'Promotions are frozen for a period.',
  CacheStale: 'The gate itself has not heard from the API server for too long.',
  Waived: 'A finding was set aside by a waiver.',
  Rollback: 'The change returns to a revision that ran before.',
  FixForward: 'The change replaces the very thing that breaks the contract.',
  BreakGlass: 'An authorised person overrode the gate.',
  NotAPromotion: 'The change moves nothing on.',
} as const;

export type ReasonCode = keyof typeof REASON_CATALOGUE;

/** Why a decision is what it is, one entry per cause. */
export type Reason = {
  readonly code: ReasonCode;
  /** `namespace/name` of the Pacto; absent when no Pacto is concerned. */
  readonly pacto?: string;
  /** Subject of the finding, for example `interface/api`. */
  readonly subject?: string;
  /** Code of the finding. */
  readonly finding?: Finding['code'];
  /** One sentence for people. Never contains the words of an immutable-field error (gate 3.3). */
  readonly message: string;
  /** RFC 3339 time at which this reason ends by itself. */
  readonly until?: string;
};
