// Evidence as JSON: strict reading and one fixed way of writing, so that reading and writing again gives the same bytes.
import { isObject } from '../api/read.ts';
import {
  ASSERTION_KINDS,
  type AssertionKind,
  type EvidenceSet,
  type Observation,
  type ObservationOf,
  type Outcome,
  SUBJECT_KINDS,
  type Subject,
  UNOBSERVED_OUTCOMES,
  unobserved,
  type UnobservedOutcome,
} from './evidence.ts';
import { decodePayload, encodePayload } from './payload-shape.ts';

export type DecodedObservation =
  | { readonly kind: 'observation'; readonly observation: Observation }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Builds an observation without a value from untyped parts.
 * @returns the reason instead when the outcome is Observed, the kind is unknown or the subject does not go with it
 */
export function unobservedFrom(
  kind: string,
  subject: { readonly kind: string; readonly name: string },
  outcome: string,
  provenance: Observation['provenance'],
): DecodedObservation {
  const known = assertionKind(kind);
  if (known === undefined) return invalid(`unknown kind ${JSON.stringify(kind)}`);
  if (!isUnobserved(outcome))
    return invalid(`outcome ${JSON.stringify(outcome)} cannot stand without a value`);
  if (subject.kind !== SUBJECT_KINDS[known]) return invalid(subjectProblem(known, subject.kind));
  return {
    kind: 'observation',
    observation: unobserved(known, subject.name, outcome, provenance) as Observation,
  };
}

/** JSON text of one observation. Throws a TypeError when it breaks the rule that exactly Observed has a value. */
export function encodeObservation(observation: Observation): string {
  return JSON.stringify(observationJson(observation));
}

/** Reads one observation; unknown keys, kinds and outcomes are refused. Never throws. */
export function decodeObservation(text: string): DecodedObservation {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return invalid('not JSON');
  }
  return observationFrom(raw);
}

/** JSON text of a set. The capital keys are those of the external evidence protocol. */
export function encodeEvidenceSet(set: EvidenceSet): string {
  return JSON.stringify({
    Subject: subjectJson(set.subject),
    ContractRef: set.contractRef,
    Source: set.source,
    ObservedAt: set.observedAt,
    Observations: set.observations.map(observationJson),
  });
}

/**
 * The value of an observation, when it is Observed and of that kind.
 * @returns the reason instead when it is not
 */
export function valueOf<K extends AssertionKind>(
  observation: Observation,
  kind: K,
):
  | { readonly kind: 'value'; readonly value: Extract<ObservationOf<K>, { outcome: 'Observed' }>['value'] }
  | { readonly kind: 'invalid'; readonly reason: string } {
  if (observation.kind !== kind) return invalid(`a ${observation.kind} has no value of ${kind}`);
  if (observation.outcome !== 'Observed') return invalid(`outcome ${observation.outcome} has no value`);
  return {
    kind: 'value',
    value: observation.value as Extract<ObservationOf<K>, { outcome: 'Observed' }>['value'],
  };
}

function observationJson(observation: Observation): Readonly<Record<string, unknown>> {
  const { kind, subject, outcome, provenance } = observation;
  const value: unknown = 'value' in observation ? observation.value : undefined;
  if ((value !== undefined) !== (outcome === 'Observed')) {
    throw new TypeError(`${kind} of ${subject.name}: exactly an Observed observation has a value`);
  }
  return {
    kind,
    subject: subjectJson(subject),
    outcome,
    ...(observation.outcome === 'Observed' && { value: encodePayload(kind, observation.value) }),
    provenance: { collector: provenance.collector, detectedAt: provenance.detectedAt },
  };
}

function subjectJson({ kind, name }: Subject): Subject {
  return { kind, name };
}

function observationFrom(raw: unknown): DecodedObservation {
  if (!isObject(raw)) return invalid('an observation is an object');
  const extra = unknownKey(raw, ['kind', 'subject', 'outcome', 'value', 'provenance']);
  if (extra !== undefined) return invalid(`unknown key ${JSON.stringify(extra)}`);
  const { kind: rawKind, outcome } = raw;
  const kind = assertionKind(rawKind);
  if (kind === undefined) return invalid(`unknown kind ${JSON.stringify(rawKind)}`);
  const subject = textFields(raw['subject'], ['kind', 'name']);
  if (subject === undefined) return invalid('subject must have kind and name, both strings');
  if (subject['kind'] !== SUBJECT_KINDS[kind]) return invalid(subjectProblem(kind, subject['kind'] ?? ''));
  const provenance = textFields(raw['provenance'], ['collector', 'detectedAt']);
  if (provenance === undefined) return invalid('provenance must have collector and detectedAt, both strings');
  return outcomeFrom(kind, subject['name'] ?? '', outcome, raw['value'], {
    collector: provenance['collector'] ?? '',
    detectedAt: provenance['detectedAt'] ?? '',
  });
}

function outcomeFrom(
  kind: AssertionKind,
  name: string,
  outcome: unknown,
  value: unknown,
  provenance: Observation['provenance'],
): DecodedObservation {
  const subject = { kind: SUBJECT_KINDS[kind], name };
  if (isUnobserved(outcome)) {
    if (value !== undefined) return invalid(`outcome ${outcome} with a value`);
    return unobservedFrom(kind, subject, outcome, provenance);
  }
  if (outcome !== 'Observed') return invalid(`unknown outcome ${JSON.stringify(outcome)}`);
  if (value === undefined) return invalid('outcome Observed without a value');
  const payload = decodePayload(kind, value);
  if (payload.kind === 'invalid') return payload;
  const observation = {
    kind,
    subject,
    outcome: 'Observed' satisfies Outcome,
    value: payload.value,
    provenance,
  };
  return { kind: 'observation', observation: observation as Observation };
}

function assertionKind(raw: unknown): AssertionKind | undefined {
  return ASSERTION_KINDS.find((kind) => kind === raw);
}

function isUnobserved(raw: unknown): raw is UnobservedOutcome {
  return UNOBSERVED_OUTCOMES.some((outcome) => outcome === raw);
}

function subjectProblem(kind: AssertionKind, found: string): string {
  return `the subject of ${kind} must be a ${SUBJECT_KINDS[kind]}, not ${JSON.stringify(found)}`;
}

function textFields(raw: unknown, keys: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (!isObject(raw) || unknownKey(raw, keys) !== undefined) return undefined;
  const given = keys.map((key) => [key, raw[key] ?? ''] as const);
  return given.every((entry): entry is readonly [string, string] => typeof entry[1] === 'string')
    ? Object.fromEntries(given)
    : undefined;
}

function unknownKey(raw: Readonly<Record<string, unknown>>, known: readonly string[]): string | undefined {
  return Object.keys(raw).find((key) => !known.includes(key));
}

function invalid(reason: string): { readonly kind: 'invalid'; readonly reason: string } {
  return { kind: 'invalid', reason };
}
