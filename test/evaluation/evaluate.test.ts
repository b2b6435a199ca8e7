// The evaluator over evidence made by hand: every code, every outcome, coverage and order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../api/finding.ts';
import { evaluate } from '../../evaluation/evaluate/index.ts';
import {
  type EvidenceSet,
  type Observation,
  observed,
  UNOBSERVED_OUTCOMES,
  unobserved,
} from '../../evaluation/evidence.ts';
import { failedVerdict, REFERENCE_VERDICT, structuralFinding, verdictOf } from '../../evaluation/status.ts';
import { isReferenceOnly } from '../../evaluation/target.ts';
import { BASE, pipe } from '../contract/support.ts';
import { API_INTERFACE, contractOf, pass, service, slice, workload } from './support.ts';

const from = { collector: 'k8s-observer', detectedAt: '2026-11-30T10:00:00Z' };

const FULL = contractOf(
  `${API_INTERFACE}capabilities: [{ type: health }]\ndependencies: [{ name: db, ref: ../db, required: true, compatibility: "^1" }]\nconfigurations: [{ name: cfg, required: true, ref: ../cfg }]\nworkload: service\nstate: { type: stateful, persistence: { scope: local, durability: persistent }, dataCriticality: low }`,
);

const GOOD: readonly Observation[] = [
  observed(
    'InterfaceObserved',
    'api',
    { type: 'openapi', present: true, protocol: 'http1', exposure: 'internal' },
    from,
  ),
  observed('CapabilityObserved', 'health', { present: true }, from),
  observed('DependencyReachable', 'db', { reachable: true, version: '1.2.3' }, from),
  observed('ConfigurationPresent', 'cfg', { present: true, conformant: true }, from),
  observed('WorkloadObserved', 'app', { type: 'service' }, from),
  observed('PersistenceObserved', 'app', { durable: true, scope: 'local' }, from),
];

function set(observations: readonly Observation[]): EvidenceSet {
  return {
    subject: { kind: 'service', name: 'default/app' },
    contractRef: '',
    source: 'k8s',
    observedAt: '2026-11-30T10:00:00Z',
    observations,
  };
}

/** GOOD with one observation replaced by another of its kind. */
function withOne(replacement: Observation): EvidenceSet {
  return set(GOOD.map((observation) => (observation.kind === replacement.kind ? replacement : observation)));
}

function result(evidence: EvidenceSet, contract = FULL): string {
  const evaluation = evaluate(contract, evidence);
  const { evaluated, required, unverified = [] } = evaluation.coverage;
  const findings = evaluation.findings.map(({ code, severity }) => `${severity} ${code}`);
  return [...findings, `${evaluated}/${required}`, ...unverified].join(', ');
}

const EVERY_CODE: readonly (readonly [code: string, observation: Observation])[] = [
  ['INTERFACE_ABSENT', observed('InterfaceObserved', 'api', { type: 'openapi', present: false }, from)],
  [
    'INTERFACE_PROTOCOL_MISMATCH',
    observed(
      'InterfaceObserved',
      'api',
      { type: 'openapi', present: true, protocol: 'other', exposure: 'internal' },
      from,
    ),
  ],
  [
    'INTERFACE_VISIBILITY_MISMATCH',
    observed(
      'InterfaceObserved',
      'api',
      { type: 'openapi', present: true, protocol: 'http1', exposure: 'external' },
      from,
    ),
  ],
  ['CAPABILITY_ABSENT', observed('CapabilityObserved', 'health', { present: false }, from)],
  [
    'DEPENDENCY_UNREACHABLE',
    observed('DependencyReachable', 'db', { reachable: false, version: '1.0.0' }, from),
  ],
  [
    'DEPENDENCY_VERSION_MISMATCH',
    observed('DependencyReachable', 'db', { reachable: true, version: '2.0.0' }, from),
  ],
  [
    'CONFIGURATION_ABSENT',
    observed('ConfigurationPresent', 'cfg', { present: false, conformant: false }, from),
  ],
  [
    'CONFIGURATION_MISMATCH',
    observed('ConfigurationPresent', 'cfg', { present: true, conformant: false }, from),
  ],
  ['WORKLOAD_MISMATCH', observed('WorkloadObserved', 'app', { type: 'job' }, from)],
  ['PERSISTENCE_MISMATCH', observed('PersistenceObserved', 'app', { durable: false, scope: 'local' }, from)],
  ['PERSISTENCE_MISMATCH', observed('PersistenceObserved', 'app', { durable: true, scope: 'shared' }, from)],
];

test('evaluation/EA1 everything satisfied', () => {
  assert.equal(result(set(GOOD)), '6/6');
});

test('evaluation/EA2 one contradiction gives exactly one error and full coverage', () => {
  for (const [code, observation] of EVERY_CODE)
    assert.equal(result(withOne(observation)), `error ${code}, 6/6`, code);
});

test('evaluation/EA3 each reason for not knowing has its code and its gap', () => {
  const codes = {
    Unsupported: 'OBSERVATION_UNSUPPORTED',
    Failed: 'COLLECTION_FAILED',
    Stale: 'EVIDENCE_STALE',
    Insufficient: 'EVIDENCE_INSUFFICIENT',
  };
  for (const outcome of UNOBSERVED_OUTCOMES) {
    assert.equal(
      result(withOne(unobserved('InterfaceObserved', 'api', outcome, from))),
      `unknown ${codes[outcome]}, 5/6`,
    );
  }
  const { findings } = evaluate(FULL, set(GOOD.slice(1)));
  assert.deepEqual(
    findings.map(({ code, category }) => [code, category]),
    [['EVIDENCE_MISSING', 'Inconclusive']],
  );
});

const OPTIONAL = contractOf('dependencies: [{ name: db, ref: ../db, required: false, compatibility: "^1" }]');

test('evaluation/EA4 an optional dependency: silence, satisfaction, contradiction', () => {
  assert.equal(result(set([]), OPTIONAL), '0/0');
  assert.equal(result(set([GOOD[2]!]), OPTIONAL), '0/0');
  const gone = observed('DependencyReachable', 'db', { reachable: false, version: '1.0.0' }, from);
  assert.equal(result(set([gone]), OPTIONAL), 'warning DEPENDENCY_UNREACHABLE, 0/0');
});

test('evaluation/EA5 an observation named after the Kubernetes object matches nothing', () => {
  const evidence = withOne(observed('WorkloadObserved', 'default/app', { type: 'service' }, from));
  assert.equal(result(evidence), 'unknown EVIDENCE_MISSING, 5/6');
});

test('evaluation/EA6 a failed interface is never absent', () => {
  assert.doesNotMatch(result(withOne(unobserved('InterfaceObserved', 'api', 'Failed', from))), /ABSENT/);
});

test('evaluation/EA9 a structural warning alone is Warning', () => {
  const warning = { code: 'TAG_NOT_DIGEST', path: 'dependencies[0].ref', message: 'a tag can move' } as const;
  const evidence = set(GOOD);
  const verdict = verdictOf([warning], evaluate(FULL, evidence), evidence);
  assert.equal(verdict.contractStatus, 'Warning');
});

test('evaluation/EA12 six required, two observed', () => {
  const target = {
    serviceName: 'app',
    workloadRef: { name: 'app', kind: 'Deployment' },
    interfaceBindings: [{ interface: 'api', servicePort: 'http' }],
  } as const;
  const workloads = [workload('Deployment', { pod: { volumes: [{ name: 'data', hostPath: {} }] } })];
  const cluster = { services: [service()], slices: [slice([true])], workloads };
  const { verdict } = pass({ contract: FULL, target, cluster });
  assert.equal(verdict.contractStatus, 'Unknown');
  assert.deepEqual([verdict.evaluationCoverage?.evaluated, verdict.evaluationCoverage?.required], [2, 6]);
});

test('evaluation/EA13 an error beside something undecided', () => {
  const contract = contractOf(
    'capabilities: [{ type: metrics }]\nstate: { type: stateful, persistence: { scope: local, durability: persistent }, dataCriticality: low }',
  );
  const evidence = set([
    unobserved('CapabilityObserved', 'metrics', 'Unsupported', from),
    observed('PersistenceObserved', 'app', { durable: false }, from),
  ]);
  const verdict = verdictOf([], evaluate(contract, evidence), evidence);
  assert.equal(verdict.contractStatus, 'NonCompliant');
  assert.deepEqual([verdict.summary.errorCount, verdict.summary.unknownCount], [1, 1]);
});

test('evaluation/EA14 a finding with an observation refers to it fully', () => {
  const { findings } = evaluate(FULL, withOne(EVERY_CODE[0]![1]));
  assert.deepEqual(findings[0]?.evidenceRefs, [
    {
      source: 'k8s',
      observedAt: '2026-11-30T10:00:00Z',
      collector: 'k8s-observer',
      detectedAt: '2026-11-30T10:00:00Z',
    },
  ]);
});

test('evaluation/EA15 missing evidence is referred to by source and time alone', () => {
  const { findings } = evaluate(FULL, set(GOOD.slice(1)));
  assert.deepEqual(findings[0]?.evidenceRefs, [{ source: 'k8s', observedAt: '2026-11-30T10:00:00Z' }]);
});

test('evaluation/EA16 without probing only the type of a ClusterIP interface stays unverified', () => {
  const contract = contractOf(
    `${API_INTERFACE}dependencies: [{ name: db, ref: ../db, required: true, compatibility: "^1" }]`,
  );
  const evidence = set([
    observed('InterfaceObserved', 'api', { type: 'openapi', present: true, exposure: 'internal' }, from),
    GOOD[2]!,
  ]);
  assert.equal(result(evidence, contract), '2/2, interfaces[name=api].type');
});

test('evaluation/EA17 structural findings come first, then contract order', () => {
  const evidence = set(
    GOOD.toReversed().filter(({ kind }) => kind !== 'InterfaceObserved' && kind !== 'WorkloadObserved'),
  );
  const warning = { code: 'TAG_NOT_DIGEST', path: 'dependencies[0].ref', message: 'a tag can move' } as const;
  const { findings = [] } = verdictOf([warning], evaluate(FULL, evidence), evidence);
  assert.deepEqual(
    findings.map(({ contractPath }) => contractPath),
    ['dependencies[0].ref', 'interfaces[name=api]', 'workload'],
  );
});

test('evaluation/EA18 reference-only', () => {
  assert.ok(
    isReferenceOnly({ interfaceBindings: [] }) &&
      isReferenceOnly(undefined) &&
      isReferenceOnly({ serviceName: '' }),
  );
  assert.ok(!isReferenceOnly({ workloadRef: { name: 'app' } }));
  assert.deepEqual(REFERENCE_VERDICT, {
    contractStatus: 'Reference',
    summary: { errorCount: 0, warningCount: 0, infoCount: 0, unknownCount: 0 },
  });
});

test('evaluation/EA19 an invalid contract counts one error', () => {
  assert.deepEqual(
    [failedVerdict('Invalid').contractStatus, failedVerdict('Invalid').summary.errorCount],
    ['Invalid', 1],
  );
});

test('evaluation/EA20 an unobtainable contract counts one unknown', () => {
  assert.deepEqual(
    [failedVerdict('Unknown').contractStatus, failedVerdict('Unknown').summary.unknownCount],
    ['Unknown', 1],
  );
});

test('evaluation/EA21 a capability that cannot be bound or could lead elsewhere is invalid, never a state', () => {
  for (const binding of [
    '{ type: http, interface: nope }',
    '{ type: http, interface: api, path: "http://x" }',
    '{ type: http, interface: api, path: "//x" }',
    '{ type: http, interface: api, path: "/a#b" }',
  ]) {
    const { errors } = pipe(`${BASE}${API_INTERFACE}capabilities: [{ type: health, binding: ${binding} }]`);
    assert.equal(errors.length > 0, true, binding);
  }
});

test('evaluation/EA22 equal inputs give equal outputs', () => {
  const evidence = withOne(EVERY_CODE[1]![1]);
  assert.deepEqual(evaluate(FULL, evidence), evaluate(FULL, evidence));
});

test('evaluation/EA23 every runtime code drifts; optional claims only warn; undeclared peers always only warn', () => {
  for (const [code, observation] of EVERY_CODE) {
    const [finding] = evaluate(FULL, withOne(observation)).findings;
    assert.deepEqual([finding?.code, finding?.category, finding?.severity], [code, 'RuntimeDrift', 'error']);
  }
  const optional = contractOf(
    'dependencies: [{ name: db, ref: ../db, required: false, compatibility: "^1" }]\nconfigurations: [{ name: cfg, required: false, ref: ../cfg }]',
  );
  for (const [code, observation] of EVERY_CODE.filter(([code]) => /^(DEPENDENCY|CONFIGURATION)/.test(code))) {
    assert.equal(result(set([observation]), optional), `warning ${code}, 0/0`);
  }
  const peer = observed('DependencyReachable', 'other', { reachable: true }, { ...from, collector: 'ebpf' });
  assert.equal(result(set([peer]), contractOf('')), 'warning DEPENDENCY_UNDECLARED, 0/0');
});

test('evaluation/EA24 optional elements that were not observed yield nothing', () => {
  const optional = contractOf(
    'dependencies: [{ name: db, ref: ../db, required: false, compatibility: "^1" }]\nconfigurations: [{ name: cfg, required: false, ref: ../cfg }]',
  );
  assert.equal(result(set([]), optional), '0/0');
  for (const outcome of UNOBSERVED_OUTCOMES) {
    const evidence = set([
      unobserved('DependencyReachable', 'db', outcome, from),
      unobserved('ConfigurationPresent', 'cfg', outcome, from),
    ]);
    assert.equal(result(evidence, optional), '0/0', outcome);
  }
});

test('evaluation/EA25 an extension is listed as unverified and nothing else', () => {
  const contract = contractOf('capabilities: [{ type: extension, ref: example.com/tracing }]');
  assert.equal(result(set([]), contract), '0/0, capabilities[ref=example.com/tracing]');
});

test('evaluation/EA26 both kinds of finding carry references', () => {
  const evidence = set(GOOD.slice(1));
  const warning = { code: 'TAG_NOT_DIGEST', path: 'dependencies[0].ref', message: 'a tag can move' } as const;
  const { findings = [] } = verdictOf([warning], evaluate(FULL, evidence), evidence);
  assert.ok(findings.every((finding: Finding) => finding.evidenceRefs?.length === 1));
});

test('contract/147 a structural finding has no subject and refers to source and time', () => {
  const finding = structuralFinding(
    { code: 'TAG_NOT_DIGEST', path: 'dependencies[0].ref', message: 'm' },
    set([]),
  );
  assert.deepEqual(finding, {
    code: 'TAG_NOT_DIGEST',
    severity: 'warning',
    category: 'InvalidReference',
    contractPath: 'dependencies[0].ref',
    message: 'm',
    evidenceRefs: [{ source: 'k8s', observedAt: '2026-11-30T10:00:00Z' }],
  });
});

test('contract/145 a contract with only a tag warning and a compliant target is Warning', () => {
  const evidence = set(GOOD);
  const warning = { code: 'TAG_NOT_DIGEST', path: 'dependencies[0].ref', message: 'm' } as const;
  assert.equal(verdictOf([warning], evaluate(FULL, evidence), evidence).contractStatus, 'Warning');
});

test('the protocol rule, cell by cell', () => {
  const cell = (type: string, protocol: 'http1' | 'http2' | 'tls' | 'other' | undefined): string => {
    const contract = contractOf(`interfaces: [{ name: api, type: ${type}, ref: a }]`);
    const value = {
      type,
      present: true,
      exposure: 'internal',
      ...(protocol !== undefined && { protocol }),
    } as const;
    return result(set([observed('InterfaceObserved', 'api', value, from)]), contract);
  };
  const verified = '1/1';
  const unverified = '1/1, interfaces[name=api].type';
  const mismatch = 'error INTERFACE_PROTOCOL_MISMATCH, 1/1';
  const protocols = ['http1', 'http2', 'tls', 'other', undefined] as const;
  assert.deepEqual(
    protocols.map((p) => cell('openapi', p)),
    [verified, verified, unverified, mismatch, unverified],
  );
  assert.deepEqual(
    protocols.map((p) => cell('grpc', p)),
    [mismatch, verified, unverified, mismatch, unverified],
  );
  assert.deepEqual(
    protocols.map((p) => cell('asyncapi', p)),
    Array.from(protocols, () => unverified),
  );
});

test('the visibility rule, cell by cell', () => {
  const cell = (visibility: string, exposure: 'external' | 'internal' | undefined): string => {
    const contract = contractOf(`interfaces: [{ name: api, type: openapi, ref: a${visibility} }]`);
    const value = {
      type: 'openapi',
      present: true,
      protocol: 'http1',
      ...(exposure !== undefined && { exposure }),
    } as const;
    return result(set([observed('InterfaceObserved', 'api', value, from)]), contract);
  };
  const unverified = '1/1, interfaces[name=api].visibility';
  const exposures = ['external', 'internal', undefined] as const;
  for (const internal of ['', ', visibility: internal']) {
    assert.deepEqual(
      exposures.map((e) => cell(internal, e)),
      ['error INTERFACE_VISIBILITY_MISMATCH, 1/1', '1/1', unverified],
    );
  }
  assert.deepEqual(
    exposures.map((e) => cell(', visibility: public', e)),
    ['1/1', unverified, unverified],
  );
});

test('the scope rule, cell by cell', () => {
  const cell = (declared: string, scope: 'shared' | 'local' | undefined): string => {
    const contract = contractOf(
      `state: { type: stateful, persistence: { scope: ${declared}, durability: persistent }, dataCriticality: low }`,
    );
    const value = { durable: true, ...(scope !== undefined && { scope }) };
    return result(set([observed('PersistenceObserved', 'app', value, from)]), contract);
  };
  const unverified = '1/1, state.persistence.scope';
  const scopes = ['shared', 'local', undefined] as const;
  assert.deepEqual(
    scopes.map((s) => cell('local', s)),
    ['error PERSISTENCE_MISMATCH, 1/1', '1/1', unverified],
  );
  assert.deepEqual(
    scopes.map((s) => cell('shared', s)),
    ['1/1', unverified, unverified],
  );
});
