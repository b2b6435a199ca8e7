// Collects what one evaluation finds: findings in order, coverage counts, checks without a usable fact.
import { findingCodeInfo, type RuntimeCode, type UndecidedCode } from '../../api/finding-codes.ts';
import type { EvidenceRef, Finding, Severity } from '../../api/finding.ts';
import type { EvaluationCoverage } from '../../api/pacto.ts';
import type {
  AssertionKind,
  EvidenceSet,
  Observation,
  ObservationOf,
  Observed,
  UnobservedOutcome,
} from '../evidence.ts';

/** One declared element to be judged. */
export type Assertion<K extends AssertionKind> = {
  readonly kind: K;
  /** Name the observation must carry. */
  readonly name: string;
  /** Subject shown on findings, `<kind>/<name>`. */
  readonly subject: string;
  /** Place in the contract. */
  readonly path: string;
  readonly required: boolean;
};

const UNDECIDED: Readonly<Record<UnobservedOutcome, readonly [code: UndecidedCode, text: string]>> = {
  Unsupported: ['OBSERVATION_UNSUPPORTED', 'cannot be observed here'],
  Failed: ['COLLECTION_FAILED', 'could not be looked at; the log of the operator says why'],
  Stale: ['EVIDENCE_STALE', 'was last seen too long ago to count'],
  Insufficient: ['EVIDENCE_INSUFFICIENT', 'is not decided by what was seen, or not yet'],
};

export class Judgement {
  readonly #evidence: EvidenceSet;
  readonly #byKind = new Map<AssertionKind, Map<string, Observation>>();
  readonly #findings: Finding[] = [];
  readonly #unverified = new Set<string>();
  #evaluated = 0;
  #required = 0;

  constructor(evidence: EvidenceSet) {
    this.#evidence = evidence;
    for (const observation of evidence.observations) {
      const { kind, subject } = observation;
      const named = this.#byKind.get(kind);
      // The first match in the set wins.
      if (named === undefined) this.#byKind.set(kind, new Map([[subject.name, observation]]));
      else if (!named.has(subject.name)) named.set(subject.name, observation);
    }
  }

  get observations(): readonly Observation[] {
    return this.#evidence.observations;
  }

  /**
   * The observation of an element when it has a value. Otherwise undefined, and for a required element the finding that
   * says why it could not be judged.
   */
  observed<K extends AssertionKind>(assertion: Assertion<K>): Observed<K> | undefined {
    const { kind, name, subject, path, required } = assertion;
    // Observations of a kind have a payload of that kind.
    const found = this.#byKind.get(kind)?.get(name) as ObservationOf<K> | undefined;
    if (required) this.#required++;
    if (found?.outcome === 'Observed') {
      if (required) this.#evaluated++;
      return found;
    }
    if (required) {
      const [code, text] = found === undefined ? MISSING : UNDECIDED[found.outcome];
      this.#add(code, 'unknown', subject, path, `${subject} ${text}`, found);
    }
    return undefined;
  }

  /** A value that contradicts the contract. */
  contradiction(
    code: RuntimeCode,
    assertion: Assertion<AssertionKind>,
    {
      message,
      observation,
      path = assertion.path,
    }: {
      readonly message: string;
      readonly observation: Observed<AssertionKind>;
      readonly path?: string;
    },
  ): void {
    this.#add(code, assertion.required ? 'error' : 'warning', assertion.subject, path, message, observation);
  }

  /** A complementary check that was due and had no usable fact. */
  unverified(path: string): void {
    this.#unverified.add(path);
  }

  result(): { readonly findings: readonly Finding[]; readonly coverage: EvaluationCoverage } {
    return {
      findings: this.#findings,
      coverage: {
        evaluated: this.#evaluated,
        required: this.#required,
        ...(this.#unverified.size > 0 && { unverified: [...this.#unverified] }),
      },
    };
  }

  #add(
    code: RuntimeCode | UndecidedCode,
    severity: Severity,
    subject: string,
    contractPath: string,
    message: string,
    observation: Pick<Observation, 'provenance'> | undefined,
  ): void {
    const { category } = findingCodeInfo(code);
    const evidenceRefs = [evidenceRef(this.#evidence, observation)];
    this.#findings.push({ code, severity, category, subject, contractPath, message, evidenceRefs });
  }
}

const MISSING = ['EVIDENCE_MISSING', 'has no evidence: nothing was found to look at'] as const;

/** Where a finding comes from; collector and detection time only with a matched observation. */
export function evidenceRef(
  { source, observedAt }: Pick<EvidenceSet, 'source' | 'observedAt'>,
  observation?: Pick<Observation, 'provenance'>,
): EvidenceRef {
  return {
    source,
    observedAt,
    ...(observation !== undefined && {
      collector: observation.provenance.collector,
      detectedAt: observation.provenance.detectedAt,
    }),
  };
}
