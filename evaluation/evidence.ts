// Evidence: what was seen of each element of a contract, without any judgement (evaluation.md 1).

export const ASSERTION_KINDS = [
  'InterfaceObserved',
  'DependencyReachable',
  'CapabilityObserved',
  'ConfigurationPresent',
  'WorkloadObserved',
  'PersistenceObserved',
] as const;
export type AssertionKind = (typeof ASSERTION_KINDS)[number];

/** Why there is no value. `Observed` is the one outcome that has one; a confirmed absence is a value too. */
export const UNOBSERVED_OUTCOMES = ['Unsupported', 'Failed', 'Stale', 'Insufficient'] as const;
export type UnobservedOutcome = (typeof UNOBSERVED_OUTCOMES)[number];
export type Outcome = 'Observed' | UnobservedOutcome;

export type SubjectKind = 'interface' | 'dependency' | 'capability' | 'configuration' | 'service';

/** An element of the contract, never a Kubernetes object. */
export type Subject = { readonly kind: SubjectKind; readonly name: string };

/** The subject kind that goes with each assertion kind. */
export const SUBJECT_KINDS: Readonly<Record<AssertionKind, SubjectKind>> = {
  InterfaceObserved: 'interface',
  DependencyReachable: 'dependency',
  CapabilityObserved: 'capability',
  ConfigurationPresent: 'configuration',
  WorkloadObserved: 'service',
  PersistenceObserved: 'service',
};

export type Protocol = 'http1' | 'http2' | 'tls' | 'other';
export type Exposure = 'external' | 'internal';
export type PersistenceScope = 'shared' | 'local';
export type ObservedWorkload = 'service' | 'job' | 'scheduled';

/** What an observation can say. Optional members are facts; absent means not observed. */
export type Payloads = {
  readonly InterfaceObserved: {
    /** As the contract declares it. */
    readonly type: string;
    readonly present: boolean;
    readonly protocol?: Protocol;
    readonly exposure?: Exposure;
  };
  readonly DependencyReachable: { readonly reachable: boolean; readonly version?: string };
  readonly CapabilityObserved: { readonly present: boolean };
  /** `conformant` means nothing while `present` is false. */
  readonly ConfigurationPresent: { readonly present: boolean; readonly conformant: boolean };
  readonly WorkloadObserved: { readonly type: ObservedWorkload };
  readonly PersistenceObserved: { readonly durable: boolean; readonly scope?: PersistenceScope };
};

export const COLLECTORS = ['k8s-observer', 'k8s-observer+ebpf', 'ebpf'] as const;
export type Collector = (typeof COLLECTORS)[number];

export type Provenance = {
  readonly collector: string;
  /** RFC 3339, whole seconds; that of the pass. */
  readonly detectedAt: string;
};

export type Observed<K extends AssertionKind> = {
  readonly kind: K;
  readonly subject: Subject;
  readonly outcome: 'Observed';
  readonly value: Payloads[K];
  readonly provenance: Provenance;
};

export type Unobserved<K extends AssertionKind = AssertionKind> = {
  readonly kind: K;
  readonly subject: Subject;
  readonly outcome: UnobservedOutcome;
  readonly provenance: Provenance;
};

export type ObservationOf<K extends AssertionKind> = Observed<K> | Unobserved<K>;
export type Observation = { readonly [K in AssertionKind]: ObservationOf<K> }[AssertionKind];

export type EvidenceSet = {
  /** Runtime identity, `<namespace>/<name>`; never used to match anything. */
  readonly subject: Subject;
  /** The resolved reference of the contract; empty for inline contracts. */
  readonly contractRef: string;
  readonly source: string;
  /** RFC 3339, whole seconds: the one clock reading of the pass. */
  readonly observedAt: string;
  /** In collection order. */
  readonly observations: readonly Observation[];
};

/** An observation with a value. */
export function observed<K extends AssertionKind>(
  kind: K,
  name: string,
  value: Payloads[K],
  provenance: Provenance,
): Observed<K> {
  return { kind, subject: { kind: SUBJECT_KINDS[kind], name }, outcome: 'Observed', value, provenance };
}

/** An observation without a value. */
export function unobserved<K extends AssertionKind>(
  kind: K,
  name: string,
  outcome: UnobservedOutcome,
  provenance: Provenance,
): Unobserved<K> {
  return { kind, subject: { kind: SUBJECT_KINDS[kind], name }, outcome, provenance };
}

/** Identity of an observation within a set. */
export function identityOf({ kind, subject }: Pick<Observation, 'kind' | 'subject'>): string {
  return `${kind} ${subject.kind}/${subject.name}`;
}
