// Validation of a whole evidence set, for sets that come from outside (evaluation.md 1.7).
import {
  type EvidenceSet,
  identityOf,
  type Observation,
  SUBJECT_KINDS,
  UNOBSERVED_OUTCOMES,
} from './evidence.ts';

/** Every problem of the set in reading order; none hides another. Empty means valid. */
export function evidenceProblems(set: EvidenceSet): readonly string[] {
  const problems: string[] = [];
  if (set.subject.kind.length === 0) problems.push('the subject has no kind');
  if (set.subject.name === '') problems.push('the subject has no name');
  if (set.contractRef === '') problems.push('the contract reference is empty');
  if (set.source === '') problems.push('the source is empty');
  if (set.observedAt === '') problems.push('observedAt is missing');
  const seen = new Set<string>();
  for (const [index, observation] of set.observations.entries()) {
    const identity = identityOf(observation);
    if (seen.has(identity)) problems.push(`observations[${index}]: ${identity} occurs twice`);
    seen.add(identity);
    problems.push(...observationProblems(observation).map((problem) => `observations[${index}]: ${problem}`));
  }
  return problems;
}

function observationProblems(observation: Observation): readonly string[] {
  const { kind, subject, outcome, provenance } = observation;
  const problems: string[] = [];
  const wanted: string | undefined = SUBJECT_KINDS[kind];
  if (wanted === undefined) problems.push(`unknown kind ${JSON.stringify(kind)}`);
  else if (subject.kind !== wanted) problems.push(`the subject of ${kind} must be a ${wanted}`);
  if (subject.name === '') problems.push('the subject has no name');
  if (outcome !== 'Observed' && !UNOBSERVED_OUTCOMES.includes(outcome)) {
    problems.push(`unknown outcome ${JSON.stringify(outcome)}`);
  }
  const hasValue = 'value' in observation && observation.value !== undefined;
  if (hasValue !== (outcome === 'Observed'))
    problems.push(`outcome ${outcome} ${hasValue ? 'with' : 'without'} a value`);
  if (provenance.collector === '') problems.push('the collector is empty');
  if (provenance.detectedAt === '') problems.push('detectedAt is missing');
  return problems;
}
