// The evidence model: strict JSON, identities, whole-set validation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ASSERTION_KINDS,
  type EvidenceSet,
  type Observation,
  observed,
  SUBJECT_KINDS,
  UNOBSERVED_OUTCOMES,
  unobserved,
} from '../../evaluation/evidence.ts';
import {
  decodeObservation,
  encodeEvidenceSet,
  encodeObservation,
  unobservedFrom,
  valueOf,
} from '../../evaluation/evidence-json.ts';
import { evidenceProblems } from '../../evaluation/evidence-problems.ts';
import { API_INTERFACE, BOUND, contractOf, NOW, pass } from './support.ts';

const from = { collector: 'k8s-observer', detectedAt: '2026-11-30T10:00:00Z' };

const OBSERVED: readonly Observation[] = [
  observed(
    'InterfaceObserved',
    'api',
    { type: 'openapi', present: true, protocol: 'http2', exposure: 'internal' },
    from,
  ),
  observed('DependencyReachable', 'db', { reachable: false, version: '1.2.3' }, from),
  observed('CapabilityObserved', 'health', { present: true }, from),
  observed('ConfigurationPresent', 'app', { present: true, conformant: false }, from),
  observed('WorkloadObserved', 'orders', { type: 'job' }, from),
  observed('PersistenceObserved', 'orders', { durable: true, scope: 'shared' }, from),
];

function set(observations: readonly Observation[]): EvidenceSet {
  return {
    subject: { kind: 'service', name: 'default/app' },
    contractRef: 'r.example.com/app:1.0.0',
    source: 'k8s',
    observedAt: '2026-11-30T10:00:00Z',
    observations,
  };
}

function refusal(text: string): string {
  const decoded = decodeObservation(text);
  assert.equal(decoded.kind, 'invalid', text);
  return decoded.kind === 'invalid' ? decoded.reason : '';
}

test('evaluation/EV1 an observation of each kind survives JSON byte by byte', () => {
  assert.equal(OBSERVED.length, ASSERTION_KINDS.length);
  for (const observation of OBSERVED) {
    const text = encodeObservation(observation);
    const decoded = decodeObservation(text);
    assert.ok(decoded.kind === 'observation', text);
    assert.deepEqual(decoded.observation, observation);
    assert.equal(encodeObservation(decoded.observation), text);
    assert.match(text, /"value":\{/);
  }
});

test('evaluation/EV2 every other outcome is written without a value', () => {
  for (const kind of ASSERTION_KINDS) {
    for (const outcome of UNOBSERVED_OUTCOMES) {
      const text = encodeObservation(unobserved(kind, 'x', outcome, from) as Observation);
      assert.doesNotMatch(text, /value/);
      const decoded = decodeObservation(text);
      assert.ok(decoded.kind === 'observation' && decoded.observation.outcome === outcome);
    }
  }
});

test('evaluation/EV3 Failed with a value is refused', () => {
  const text = encodeObservation(OBSERVED[2]!).replace('Observed","value', 'Failed","value');
  assert.match(refusal(text), /Failed with a value/);
});

test('evaluation/EV4 Observed without a value is refused on reading and on writing', () => {
  const bare = { ...OBSERVED[2]!, value: undefined } as unknown as Observation;
  assert.throws(() => encodeObservation(bare), /exactly an Observed observation has a value/);
  const text = encodeObservation(unobserved('CapabilityObserved', 'health', 'Failed', from)).replace(
    'Failed',
    'Observed',
  );
  assert.match(refusal(text), /Observed without a value/);
});

test('evaluation/EV5 empty outcome, unknown kind, unknown keys and broken JSON are refused', () => {
  const good = encodeObservation(OBSERVED[2]!);
  assert.match(refusal(good.replace('"outcome":"Observed"', '"outcome":""')), /outcome/);
  assert.match(refusal(good.replace('CapabilityObserved', 'Something')), /unknown kind/);
  assert.match(refusal(good.replace('"present"', '"presence"')), /unknown key "presence"/);
  assert.match(refusal(good.replace('{"kind"', '{"extra":1,"kind"')), /unknown key "extra"/);
  assert.match(refusal('123'), /an observation is an object/);
  assert.match(refusal('{"kind":'), /not JSON/);
  assert.match(refusal(good.replace('"present":true', '"present":"yes"')), /present must be a boolean/);
});

test('evaluation/EV6 a workload observation is about a service', () => {
  const text = encodeObservation(OBSERVED[4]!).replace('"kind":"service"', '"kind":"workload"');
  assert.match(refusal(text), /must be a service/);
});

test('evaluation/EV7 an interface observation is about an interface', () => {
  const text = encodeObservation(OBSERVED[0]!).replace('"kind":"interface"', '"kind":"service"');
  assert.match(refusal(text), /must be a interface/);
});

test('evaluation/EV8 an observation without value cannot be made with outcome Observed', () => {
  const subject = { kind: 'interface', name: 'api' };
  assert.equal(unobservedFrom('InterfaceObserved', subject, 'Observed', from).kind, 'invalid');
  assert.equal(unobservedFrom('Nonsense', subject, 'Failed', from).kind, 'invalid');
  assert.equal(unobservedFrom('WorkloadObserved', subject, 'Failed', from).kind, 'invalid');
  assert.equal(unobservedFrom('InterfaceObserved', subject, 'Failed', from).kind, 'observation');
});

test('evaluation/EV9 one identity twice makes a set invalid, whatever the payloads', () => {
  const one = observed('CapabilityObserved', 'health', { present: true }, from);
  const others: readonly Observation[] = [
    one,
    observed('CapabilityObserved', 'health', { present: false }, from),
    unobserved('CapabilityObserved', 'health', 'Failed', from),
  ];
  for (const other of others) {
    assert.deepEqual(evidenceProblems(set([one, other])), [
      'observations[1]: CapabilityObserved capability/health occurs twice',
    ]);
  }
});

test('evaluation/EV10 a dependency and a configuration may share a name', () => {
  const shared = [
    observed('DependencyReachable', 'shared', { reachable: true }, from),
    observed('ConfigurationPresent', 'shared', { present: true, conformant: true }, from),
  ];
  assert.deepEqual(evidenceProblems(set(shared)), []);
});

test('evaluation/EV11 workload and persistence of one service do not collide', () => {
  assert.deepEqual(evidenceProblems(set(OBSERVED.slice(4))), []);
});

test('evaluation/EV12 all problems of a set are reported together', () => {
  const broken = [
    { ...OBSERVED[0]!, subject: { kind: 'interface', name: '' } },
    { ...OBSERVED[1]!, provenance: { collector: '', detectedAt: '' } },
    { ...OBSERVED[2]!, kind: 'Nonsense' },
    { ...OBSERVED[3]!, outcome: 'Failed' },
  ] as unknown as readonly Observation[];
  const empty: EvidenceSet = {
    ...set(broken),
    subject: { kind: '' as 'service', name: '' },
    contractRef: '',
    source: '',
    observedAt: '',
  };
  assert.ok(evidenceProblems(empty).length >= 9, evidenceProblems(empty).join('\n'));
});

test('evaluation/EV13 a confirmed absence is a value', () => {
  const absent = observed('InterfaceObserved', 'api', { type: 'grpc', present: false }, from);
  assert.match(encodeObservation(absent), /"present":false/);
  const value = valueOf(absent, 'InterfaceObserved');
  assert.ok(value.kind === 'value' && !value.value.present);
});

test('evaluation/EV14 no value of another kind, and none of a failed observation', () => {
  assert.equal(valueOf(OBSERVED[0]!, 'CapabilityObserved').kind, 'invalid');
  assert.equal(
    valueOf(unobserved('InterfaceObserved', 'api', 'Failed', from), 'InterfaceObserved').kind,
    'invalid',
  );
});

test('evaluation/EV15 the set is about the target, the workload about the contract', () => {
  const { evidence } = pass({
    contract: contractOf('workload: service'),
    target: { serviceName: 'k8s-svc' },
    cluster: { unreadable: ['Deployment'] },
  });
  assert.deepEqual(evidence.subject, { kind: 'service', name: 'default/k8s-svc' });
  assert.deepEqual(evidence.observations[0]?.subject, { kind: 'service', name: 'app' });
});

test('evaluation/EV16 without a Service the workload names the set', () => {
  const { evidence } = pass({ contract: contractOf(''), target: { workloadRef: { name: 'my-app' } } });
  assert.equal(evidence.subject.name, 'default/my-app');
});

test('evaluation/EV17 the time of the set is the clock reading of the pass', () => {
  assert.equal(
    pass({ contract: contractOf(''), now: NOW + 999 }).evidence.observedAt,
    '2026-11-30T10:00:00Z',
  );
});

test('evaluation/EV18 a contract that declares nothing gives no observations and no streaks', () => {
  const result = pass({ contract: contractOf(''), target: BOUND });
  assert.deepEqual([result.evidence.observations, result.windows, result.text], [[], [], 'Compliant 0/0']);
});

test('a set is written with the capital keys of the protocol', () => {
  const { evidence } = pass({ contract: contractOf(API_INTERFACE), cluster: {} });
  assert.deepEqual(Object.keys(JSON.parse(encodeEvidenceSet(evidence)) as object), [
    'Subject',
    'ContractRef',
    'Source',
    'ObservedAt',
    'Observations',
  ]);
  assert.equal(Object.keys(SUBJECT_KINDS).length, ASSERTION_KINDS.length);
});
