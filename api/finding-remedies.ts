// What to do about each finding: one sentence for whoever owns the service.
import type { FindingCode } from './finding-codes.ts';

/** One sentence each, with its full stop. */
const FINDING_REMEDIES: Readonly<Record<FindingCode, string>> = {
  YAML_PARSE_ERROR:
    'Mend the document at the place that is shown; `pacto-gate validate` marks it with a caret.',
  UNSUPPORTED_PACTO_VERSION: 'Write `pactoVersion: "2.0"`, with the quotes: 2.0 without them is a number.',
  SCHEMA_VIOLATION:
    'Change the field that is named; an editor that knows the JSON Schema of the language shows what it may be.',
  SCHEMA_ERROR: 'Report the contract that shows it: the check itself broke.',
  INVALID_SEMVER: 'Give `service.version` three numbers, such as 1.4.0.',
  DUPLICATE_INTERFACE_NAME: 'Rename one of the interfaces.',
  DUPLICATE_CONFIGURATION_NAME: 'Rename one of the configurations.',
  DUPLICATE_POLICY_NAME: 'Rename one of the policies.',
  DUPLICATE_DEPENDENCY_NAME: 'Rename one of the dependencies.',
  CAPABILITY_INTERFACE_UNKNOWN: 'Name an interface that the contract declares, or declare this one.',
  CAPABILITY_PATH_INVALID:
    'Write a path that begins with one `/`, without a host, a fragment or an encoded slash at its start.',
  CAPABILITY_REF_INVALID: 'Write the extension as `domain/name`, such as `example.com/tracing`.',
  DUPLICATE_CAPABILITY: 'Keep one of the two declarations.',
  FILE_NOT_FOUND: 'Put the file into the bundle under the name that is written, or correct the name.',
  INVALID_INTERFACE_SPEC: 'Make the file a document of its kind, or name another one.',
  INVALID_CONFIG_JSON: 'Make the schema file valid JSON.',
  INVALID_CONFIG_SCHEMA: 'Make the file a JSON Schema that compiles; the message says what is wrong with it.',
  INVALID_CONFIG_REF: 'Write `oci://registry/repository` with a tag or a digest, or a relative path.',
  INVALID_POLICY_REF: 'Write `oci://registry/repository` with a tag or a digest, or a relative path.',
  INVALID_POLICY_JSON: 'Make the schema file valid JSON.',
  INVALID_POLICY_SCHEMA: 'Make the file a JSON Schema that compiles; the message says what is wrong with it.',
  INVALID_OCI_REF: 'Write `oci://registry/repository` with a tag or a digest.',
  TAG_NOT_DIGEST: 'Pin the digest (`…@sha256:…`) if what you depend on must not move; otherwise leave it.',
  EMPTY_COMPATIBILITY: 'Give a range of versions, such as `^1.2.0`.',
  INVALID_COMPATIBILITY: 'Write a range that parses, such as `^1.2.0` or `>=1.2.0 <2.0.0`.',
  VALUES_WITHOUT_SCHEMA: 'Add the schema that the values follow, or remove the values.',
  CONFIG_VALUES_VALIDATION_FAILED: 'Change the value that is named, or the schema that forbids it.',
  STATELESS_PERSISTENT_CONFLICT: 'Declare the state the service has: a stateless service keeps nothing.',
  INVALID_READINESS_EXPIRES: 'Write a day that exists as YYYY-MM-DD.',
  INVALID_READINESS_REVISION: 'Complete the entry; the message names what it lacks.',
  DUPLICATE_READINESS_ID: 'Give each claim an id of its own.',
  EMPTY_READINESS_EVIDENCE: 'Say where the evidence for the claim is.',
  EMPTY_READINESS_DESCRIPTION: 'Say what the claim is about.',
  POLICY_REF_NOT_ENFORCED:
    'Run `pacto-gate validate --resolve` where the policy can be reached; here nothing was checked against it.',
  POLICY_REF_UNRESOLVED:
    'See that the reference exists and may be read from here; the message says what stood in the way.',
  POLICY_REF_CYCLE: 'Break the circle: one of the policies must not refer to the others.',
  POLICY_ENFORCEMENT_ERROR: 'Mend the document first; its other findings say where.',
  POLICY_VIOLATION: 'Change the contract as the policy asks, or talk to whoever keeps the policy.',
  INTERFACE_ABSENT:
    'Let the workload listen on the declared port and be Ready behind its Service, or take the interface out of the contract.',
  INTERFACE_PROTOCOL_MISMATCH: 'Serve the declared protocol on that port, or declare the one that is served.',
  INTERFACE_VISIBILITY_MISMATCH:
    'Remove the Ingress, route or load balancer that is named, or declare the interface public.',
  CAPABILITY_ABSENT: 'Serve the declared path, or correct the path in the contract.',
  DEPENDENCY_UNREACHABLE:
    'Bring the provider back or see what is between you; mark it `required: false` if you can do without it.',
  DEPENDENCY_VERSION_MISMATCH:
    'Deploy a provider within the range, or widen the range once you have tried the other version.',
  DEPENDENCY_UNDECLARED: 'Declare the dependency, or find out why the workload talks to it.',
  CONFIGURATION_ABSENT: 'Create the ConfigMap or Secret, or correct the binding of the Pacto.',
  CONFIGURATION_MISMATCH:
    'Change the document in the cluster, or the schema of the contract; values are never shown here.',
  WORKLOAD_MISMATCH: 'Run the service as the kind of workload it declares, or declare the kind it runs as.',
  PERSISTENCE_MISMATCH: 'Give the workload the volumes that the declaration means, or declare what it has.',
  OBSERVATION_UNSUPPORTED:
    'Switch on the part of the operator that looks at this (probing, metrics, kernel evidence), or live with what stays unknown.',
  COLLECTION_FAILED:
    'See the message: mostly a right that the operator lacks, or a kind that the cluster does not serve.',
  EVIDENCE_STALE:
    'Nothing to do where the source comes back; otherwise see why the operator or the node agent stopped looking.',
  EVIDENCE_INSUFFICIENT:
    'Wait where a window is open, for it ends by itself; otherwise the message says what is not clear.',
  EVIDENCE_MISSING: 'See that the target of the Pacto exists and is the right one.',
};

/** What to do about a code; undefined for one that is not registered. */
export function findingRemedy(code: string): string | undefined {
  return Object.hasOwn(FINDING_REMEDIES, code) ? FINDING_REMEDIES[code as FindingCode] : undefined;
}
