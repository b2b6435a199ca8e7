// The catalogue of every finding code: where it is raised, its category, the severities it can have and what it means.
import type { Severity } from './finding.ts';

/** static: found in the contract itself. runtime: the cluster contradicts the contract. undecided: could not be judged. */
export type FindingOrigin = 'static' | 'runtime' | 'undecided';

export type FindingCodeInfo = {
  readonly origin: FindingOrigin;
  readonly category: string;
  /** The first is the usual one; a second applies to optional elements. */
  readonly severities: readonly [Severity, ...Severity[]];
  readonly meaning: string;
};

const ERROR = ['error'] as const;
const WARNING = ['warning'] as const;
const ERROR_OR_WARNING = ['error', 'warning'] as const;
const UNKNOWN = ['unknown'] as const;

type Row = readonly [category: string, severities: FindingCodeInfo['severities'], meaning: string];

const STATIC = {
  YAML_PARSE_ERROR: [
    'SchemaViolation',
    ERROR,
    'The document is not YAML, or holds a number that JSON cannot.',
  ],
  UNSUPPORTED_PACTO_VERSION: ['InvalidVersion', ERROR, 'pactoVersion is not the string "2.0".'],
  SCHEMA_VIOLATION: ['SchemaViolation', ERROR, 'A field breaks the schema of the contract language.'],
  SCHEMA_ERROR: ['SchemaViolation', ERROR, 'The schema check itself failed.'],
  INVALID_SEMVER: ['InvalidVersion', ERROR, 'service.version is no semantic version.'],
  DUPLICATE_INTERFACE_NAME: ['DuplicateName', ERROR, 'Two interfaces share a name.'],
  DUPLICATE_CONFIGURATION_NAME: ['DuplicateName', ERROR, 'Two configurations share a name.'],
  DUPLICATE_POLICY_NAME: ['DuplicateName', ERROR, 'Two policies share a name.'],
  DUPLICATE_DEPENDENCY_NAME: ['DuplicateName', ERROR, 'Two dependencies share a name.'],
  CAPABILITY_INTERFACE_UNKNOWN: [
    'InvalidCapability',
    ERROR,
    'A binding names an interface that is not declared.',
  ],
  CAPABILITY_PATH_INVALID: ['InvalidCapability', ERROR, 'A binding path could lead a probe to another host.'],
  CAPABILITY_REF_INVALID: ['InvalidCapability', ERROR, 'An extension reference has no namespace.'],
  DUPLICATE_CAPABILITY: ['DuplicateName', ERROR, 'A capability is declared twice.'],
  FILE_NOT_FOUND: ['InvalidFile', ERROR, 'A named file is not in the bundle.'],
  INVALID_INTERFACE_SPEC: ['InvalidFile', ERROR, 'An interface file does not parse.'],
  INVALID_CONFIG_JSON: ['InvalidFile', ERROR, 'A configuration schema is not JSON.'],
  INVALID_CONFIG_SCHEMA: ['SchemaViolation', ERROR, 'A configuration schema does not compile.'],
  INVALID_CONFIG_REF: ['InvalidReference', ERROR, 'A configuration reference is malformed.'],
  INVALID_POLICY_REF: ['InvalidReference', ERROR, 'A policy reference is malformed.'],
  INVALID_POLICY_JSON: ['InvalidFile', ERROR, 'A policy schema is not JSON.'],
  INVALID_POLICY_SCHEMA: ['SchemaViolation', ERROR, 'A policy schema does not compile.'],
  INVALID_OCI_REF: ['InvalidReference', ERROR, 'A dependency reference is malformed.'],
  TAG_NOT_DIGEST: ['InvalidReference', WARNING, 'A dependency is named by a tag, which can move.'],
  EMPTY_COMPATIBILITY: ['InvalidDependency', ERROR, 'A dependency has an empty compatibility range.'],
  INVALID_COMPATIBILITY: ['InvalidDependency', ERROR, 'A compatibility range does not parse.'],
  VALUES_WITHOUT_SCHEMA: [
    'MissingConfiguration',
    ERROR,
    'A configuration has values but nothing to check them by.',
  ],
  CONFIG_VALUES_VALIDATION_FAILED: ['ConfigurationViolation', ERROR, 'Declared values break their schema.'],
  STATELESS_PERSISTENT_CONFLICT: ['StateMismatch', ERROR, 'A stateless service declares persistent state.'],
  INVALID_READINESS_EXPIRES: ['InvalidReadiness', ERROR, 'readiness.expires is no calendar day.'],
  INVALID_READINESS_REVISION: ['InvalidReadiness', ERROR, 'A readiness history entry is incomplete.'],
  DUPLICATE_READINESS_ID: ['DuplicateName', ERROR, 'Two readiness claims share an id.'],
  EMPTY_READINESS_EVIDENCE: ['MissingEvidence', ERROR, 'A readiness claim has blank evidence.'],
  EMPTY_READINESS_DESCRIPTION: ['MissingEvidence', ERROR, 'A readiness claim has a blank description.'],
  POLICY_REF_NOT_ENFORCED: [
    'UnresolvedReference',
    WARNING,
    'A policy given by reference is not enforced here.',
  ],
  POLICY_REF_UNRESOLVED: ['UnresolvedReference', ERROR, 'A policy could not be read.'],
  POLICY_REF_CYCLE: ['ReferenceCycle', ERROR, 'A policy reference leads back to itself.'],
  POLICY_ENFORCEMENT_ERROR: ['PolicyViolation', ERROR, 'The document could not be read for policy checks.'],
  POLICY_VIOLATION: ['PolicyViolation', ERROR, 'The contract breaks one of its policies.'],
} as const satisfies Record<string, Row>;

const RUNTIME = {
  INTERFACE_ABSENT: ['RuntimeDrift', ERROR, 'Nothing has served a declared interface for a whole window.'],
  INTERFACE_PROTOCOL_MISMATCH: ['RuntimeDrift', ERROR, 'An interface speaks another protocol than its type.'],
  INTERFACE_VISIBILITY_MISMATCH: [
    'RuntimeDrift',
    ERROR,
    'An internal interface can be reached from outside.',
  ],
  CAPABILITY_ABSENT: [
    'RuntimeDrift',
    ERROR,
    'A declared capability answered "not found" for a whole window.',
  ],
  DEPENDENCY_UNREACHABLE: [
    'RuntimeDrift',
    ERROR_OR_WARNING,
    'A dependency was out of reach for a whole window.',
  ],
  DEPENDENCY_VERSION_MISMATCH: [
    'RuntimeDrift',
    ERROR_OR_WARNING,
    'A provider is outside the accepted range.',
  ],
  DEPENDENCY_UNDECLARED: ['RuntimeDrift', WARNING, 'The workload talks to a service it does not declare.'],
  CONFIGURATION_ABSENT: ['RuntimeDrift', ERROR_OR_WARNING, 'A bound object was missing for a whole window.'],
  CONFIGURATION_MISMATCH: ['RuntimeDrift', ERROR_OR_WARNING, 'A bound document breaks the declared schema.'],
  WORKLOAD_MISMATCH: ['RuntimeDrift', ERROR, 'The workload is of another kind than declared.'],
  PERSISTENCE_MISMATCH: ['RuntimeDrift', ERROR, 'The volumes contradict the declared persistence.'],
} as const satisfies Record<string, Row>;

const UNDECIDED = {
  OBSERVATION_UNSUPPORTED: ['Inconclusive', UNKNOWN, 'Nothing here can observe a declared element.'],
  COLLECTION_FAILED: ['Inconclusive', UNKNOWN, 'Looking at a declared element failed.'],
  EVIDENCE_STALE: ['Inconclusive', UNKNOWN, 'The last evidence is too old to count.'],
  EVIDENCE_INSUFFICIENT: ['Inconclusive', UNKNOWN, 'The evidence does not decide, or not yet.'],
  EVIDENCE_MISSING: ['Inconclusive', UNKNOWN, 'There is no evidence about a declared element.'],
} as const satisfies Record<string, Row>;

export type StaticCode = keyof typeof STATIC;
export type RuntimeCode = keyof typeof RUNTIME;
export type UndecidedCode = keyof typeof UNDECIDED;
export type FindingCode = StaticCode | RuntimeCode | UndecidedCode;

/** Every code with its facts, in catalogue order. */
export const FINDING_CODES: ReadonlyMap<FindingCode, FindingCodeInfo> = new Map([
  ...rows('static', STATIC),
  ...rows('runtime', RUNTIME),
  ...rows('undecided', UNDECIDED),
]);

/** Facts of a code; one that is not registered has severity error and no category (contract.md 4.5). */
export function findingCodeInfo(code: string): FindingCodeInfo {
  return FINDING_CODES.get(code as FindingCode) ?? UNREGISTERED;
}

/** Place of a code in the findings page of the user documentation. */
export function findingDocsAnchor(code: string): string {
  return `findings.md#${code.toLowerCase()}`;
}

const UNREGISTERED: FindingCodeInfo = { origin: 'static', category: '', severities: ERROR, meaning: '' };

function rows<Code extends FindingCode>(
  origin: FindingOrigin,
  table: Readonly<Record<Code, Row>>,
): (readonly [Code, FindingCodeInfo])[] {
  const entries = Object.entries(table) as [Code, Row][];
  return entries.map(([code, [category, severities, meaning]]) => [
    code,
    { origin, category, severities, meaning },
  ]);
}
