// One finding: what is wrong or undecided about one element of a contract.

/** `unknown` = could not be decided; it is neither a violation nor a success. */
export const SEVERITIES = ['error', 'warning', 'info', 'unknown'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Where a finding comes from. Times are RFC 3339, UTC, whole seconds. */
export type EvidenceRef = {
  readonly source: string;
  readonly observedAt: string;
  readonly collector?: string;
  readonly detectedAt?: string;
};

export type Finding = {
  readonly code: string;
  readonly severity: Severity;
  readonly category: string;
  /** `<kind>/<name>`, for example `interface/api`; absent on structural findings. */
  readonly subject?: string;
  /** Place in the contract, for example `interfaces[name=api]`. */
  readonly contractPath?: string;
  readonly message: string;
  readonly evidenceRefs?: readonly EvidenceRef[];
};
