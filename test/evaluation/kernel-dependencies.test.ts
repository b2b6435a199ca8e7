// Kernel evidence, dependencies and undeclared peers: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MANAGED, node, type NodeParts, type Peer, pod, seen, type SeenPod } from './kernel-support.ts';
import {
  type Cluster,
  contractOf,
  MINUTE,
  type Pass,
  pass,
  type PassInput,
  type RawObject,
  service,
  slice,
  streak,
  workload,
} from './support.ts';

const dependency = (name = 'pay', ref = 'oci://r.example.com/pay', required = true): string =>
  `{ name: ${name}, ref: '${ref}', required: ${required}, compatibility: '1.x' }`;
const CONTRACT = contractOf(`dependencies: [${dependency()}]`);
const ADDRESS = '10.96.0.7';
const ENDPOINT = '10.244.0.9';
const FEATURES = { kernelEvidence: MANAGED };

function pacto(name: string, contractName = name, parts: { service?: string; ref?: string } = {}): RawObject {
  const { service: serviceName = name, ref = `r.example.com/${name}:1.0.0` } = parts;
  return {
    kind: 'Pacto',
    metadata: { namespace: 'default', name },
    spec: { target: { serviceName } },
    status: { contract: { serviceName: contractName, version: '1.0.0', resolvedRef: ref } },
  };
}
const provider = (name: string, clusterIPs: readonly string[]): RawObject =>
  service({
    name,
    selector: { app: name },
    ports: [
      { name: 'http', port: 8080 },
      { name: 'https', port: 443 },
    ],
    spec: { clusterIPs },
  });
const behind = (name: string, address: string, ready = true): RawObject =>
  slice([ready], { name: `${name}-1`, service: name, endpoints: [{ addresses: [address] }] });

type Parts = {
  readonly view?: SeenPod;
  readonly node?: NodeParts;
  readonly ready?: boolean;
  readonly more?: readonly RawObject[];
  readonly pods?: readonly RawObject[];
  readonly cluster?: Partial<Cluster>;
};
function cluster({
  view,
  node: nodeParts,
  ready = true,
  more = [],
  pods = [pod('p1')],
  cluster: other,
}: Parts = {}): Cluster {
  return {
    services: [provider('pay', [ADDRESS])],
    slices: [behind('pay', ENDPOINT, ready)],
    workloads: [workload('Deployment')],
    others: [pacto('pay'), ...pods, node([seen('uid-of-p1', view)], nodeParts), ...more],
    ...other,
  };
}
const peers = (...list: Peer[]): SeenPod => ({ peers: list });
const to = (success: number | undefined, failure?: number, parts: Partial<Peer> = {}): Peer => ({
  address: ADDRESS,
  ...(success !== undefined && { success }),
  ...(failure !== undefined && { failure }),
  ...parts,
});

const judge = (parts: Parts = {}, input: Partial<PassInput> = {}): Pass =>
  pass({
    contract: CONTRACT,
    target: { serviceName: 'app' },
    cluster: cluster(parts),
    features: FEATURES,
    ...input,
  });

const REACHABLE = 'Compliant 1/1';
const UNDECIDED = 'Unknown/EVIDENCE_INSUFFICIENT 0/1';
const STALE = 'Unknown/EVIDENCE_STALE 0/1';
const FAILED = 'Unknown/COLLECTION_FAILED 0/1';
const UNREACHABLE = 'NonCompliant/DEPENDENCY_UNREACHABLE 1/1';
const OLD = [streak(3 * MINUTE, 'pay', 'dependency')];
const KERNEL = 'k8s-observer+ebpf';
const ALONE = 'k8s-observer';

type Row = readonly [
  id: string,
  given: string,
  parts: Parts,
  text: string,
  collector: string,
  windows?: number,
  input?: Partial<PassInput>,
];
const ROWS: readonly Row[] = [
  ['KD1', 'a recent success to the cluster IP', { view: peers(to(10)) }, REACHABLE, KERNEL],
  [
    'KD2',
    'a recent success to an endpoint',
    { view: peers(to(10, undefined, { address: ENDPOINT })) },
    REACHABLE,
    KERNEL,
  ],
  ['KD3', 'only recent failures', { view: peers(to(undefined, 10)) }, UNDECIDED, KERNEL, 1],
  [
    'KD3',
    'only recent failures, past the window',
    { view: peers(to(undefined, 10)) },
    UNREACHABLE,
    KERNEL,
    1,
    { windows: OLD },
  ],
  ['KD4', 'a failure after a recent success', { view: peers(to(40, 10)) }, REACHABLE, ALONE],
  [
    'KD5',
    'one address fails, the other succeeds',
    { view: peers(to(undefined, 10), to(10, undefined, { address: ENDPOINT })) },
    REACHABLE,
    KERNEL,
  ],
  ['KD6', 'both in one second', { view: peers(to(10, 10)) }, REACHABLE, KERNEL],
  [
    'KD7',
    'an old success, a recent failure',
    { view: peers(to(200, 10)) },
    UNREACHABLE,
    KERNEL,
    1,
    { windows: OLD },
  ],
  [
    'KD8',
    'nothing since the pod began',
    { view: { ...peers(to(20, 15)), baselineAgo: 5 }, pods: [pod('p1', { startedAgo: 10 })] },
    REACHABLE,
    ALONE,
  ],
  ['KD9', 'no connections', {}, REACHABLE, ALONE],
  ['KD10', 'nothing ready, and a recent success', { view: peers(to(10)), ready: false }, UNDECIDED, KERNEL],
  ['KD11', 'nothing ready, no connection', { ready: false }, UNDECIDED, ALONE, 1],
  ['KD12', 'ready, and the node is stale', { node: { publishedAgo: 500 } }, REACHABLE, ALONE],
  [
    'KD13',
    'slices unreadable, and the node is stale',
    { node: { publishedAgo: 500 }, cluster: { unreadable: ['EndpointSlice'] } },
    STALE,
    KERNEL,
  ],
  [
    'KD14',
    'no provider, and the node is stale',
    { node: { publishedAgo: 500 }, cluster: { others: [pod('p1')] } },
    'Unknown/OBSERVATION_UNSUPPORTED 0/1',
    ALONE,
  ],
  [
    'KD15',
    'an address mapped into IPv6',
    { view: peers(to(10, undefined, { address: `::ffff:${ADDRESS}` })) },
    REACHABLE,
    KERNEL,
  ],
  [
    'KD16',
    'the IPv6 address of a Service with two',
    {
      view: peers(to(10, undefined, { address: 'fd00:0::7' })),
      cluster: { services: [provider('pay', [ADDRESS, 'fd00::7'])] },
    },
    REACHABLE,
    KERNEL,
  ],
  [
    'KD17',
    'a port the provider does not have',
    { view: peers(to(10, undefined, { address: ENDPOINT, port: 9999 })) },
    REACHABLE,
    ALONE,
  ],
  [
    'KD18',
    'one pod succeeds, one fails',
    {
      pods: [pod('p1'), pod('p2', { node: 'b' })],
      view: peers(to(undefined, 10)),
      more: [node([seen('uid-of-p2', peers(to(10)))], { name: 'b' })],
    },
    REACHABLE,
    KERNEL,
  ],
  [
    'KD19',
    'failures while another pod is partial',
    {
      pods: [pod('p1'), pod('p2', { node: 'b' })],
      view: peers(to(undefined, 10)),
      more: [node([seen('uid-of-p2', { more: { truncated: true } })], { name: 'b' })],
    },
    UNDECIDED,
    KERNEL,
    1,
    { windows: OLD },
  ],
  [
    'KD19',
    'failures while another pod has failed',
    {
      pods: [pod('p1'), pod('p2', { node: 'b' })],
      view: peers(to(undefined, 10)),
      more: [node([], { name: 'b', state: 'Failed' })],
    },
    FAILED,
    KERNEL,
    1,
    { windows: OLD },
  ],
  [
    'KD19',
    'failures while another pod is stale',
    { pods: [pod('p1'), pod('p2', { node: 'b' })], view: peers(to(undefined, 10)) },
    STALE,
    KERNEL,
    1,
    { windows: OLD },
  ],
  [
    'KD20',
    'nothing ready, a failure after a recent success',
    { view: peers(to(40, 10)), ready: false },
    UNDECIDED,
    KERNEL,
    1,
    { windows: OLD },
  ],
  [
    'KD21',
    'a failure before the last loss',
    { view: { ...peers(to(undefined, 10)), baselineAgo: 3 }, node: { dropAgo: 5 } },
    REACHABLE,
    ALONE,
  ],
  ['KD22', 'a success from too far ahead', { view: peers(to(-31)) }, REACHABLE, ALONE],
  [
    'KD23',
    'nothing ready, failures while a pod is partial',
    { view: { ...peers(to(undefined, 10)), more: { truncated: true } }, ready: false },
    UNDECIDED,
    ALONE,
    1,
  ],
  [
    'KD24',
    'ports of one address are one',
    { view: peers(to(undefined, 10), to(40, undefined, { port: 443 })) },
    REACHABLE,
    ALONE,
  ],
];

for (const [id, given, parts, text, collector, windows = 0, input] of ROWS) {
  test(`evaluation/${id} ${given}`, () => {
    const result = judge(parts, input);
    assert.equal(result.text, text);
    assert.equal(result.evidence.observations[0]?.provenance.collector, collector);
    assert.equal(result.windows.length, windows);
    assert.doesNotMatch(JSON.stringify(result.verdict.findings ?? []), /\d+\.\d+\.\d+\.\d+|fd00/);
  });
}

test('a slice list that failed does not hide a success', () => {
  const result = judge({ view: peers(to(10)), cluster: { unreadable: ['EndpointSlice'] } });
  assert.deepEqual([result.text, result.evidence.observations[0]?.provenance.collector], [REACHABLE, KERNEL]);
});

const PEER = '10.96.0.9';
const LEDGER = [pacto('ledger', 'books')];
/** Beside the declared provider, a Service `ledger` of another Pacto. */
function withLedger(parts: Parts = {}): Parts {
  return {
    view: peers(to(10), to(10, undefined, { address: PEER })),
    more: LEDGER,
    ...parts,
    cluster: { services: [provider('pay', [ADDRESS]), provider('ledger', [PEER])], ...parts.cluster },
  };
}
const WARNING = 'Warning/DEPENDENCY_UNDECLARED 1/1';

test('evaluation/KU1 a success to the Service of another Pacto', () => {
  const { text, evidence, verdict } = judge(withLedger());
  assert.equal(text, WARNING);
  const observation = evidence.observations.at(-1);
  assert.deepEqual(observation?.subject, { kind: 'dependency', name: 'books' });
  assert.equal(observation?.provenance.collector, 'ebpf');
  assert.equal(verdict.findings?.[0]?.contractPath, 'dependencies');
});

const declaring = (...dependencies: string[]): Partial<PassInput> => ({
  contract: contractOf(`dependencies: [${dependencies.join(', ')}]`),
});
const optional = (name: string, ref: string): string => dependency(name, ref, false);

test('evaluation/KU2 a file dependency that resolves to nothing holds the warning back', () => {
  assert.equal(judge(withLedger(), declaring(dependency(), optional('db', 'file://../db'))).text, REACHABLE);
});

test('evaluation/KU3 an OCI dependency nobody carries holds it back', () => {
  assert.equal(
    judge(withLedger(), declaring(dependency(), optional('db', 'oci://r.example.com/db'))).text,
    REACHABLE,
  );
});

test('evaluation/KU4 a file dependency by the name of a contract lifts the guard', () => {
  assert.equal(
    judge(withLedger(), declaring(dependency(), optional('books', 'file://../books'))).text,
    REACHABLE,
  );
  const more = [...LEDGER, pacto('db')];
  assert.equal(
    judge(withLedger({ more }), declaring(dependency(), optional('db', 'file://../db'))).text,
    WARNING,
  );
});

test('evaluation/KU5 a declared peer', () => assert.equal(judge({ view: peers(to(10)) }).text, REACHABLE));
test('evaluation/KU6 a Service of no Pacto', () =>
  assert.equal(judge(withLedger({ more: [] })).text, REACHABLE));
test('evaluation/KU7 only failures', () => {
  assert.equal(
    judge(withLedger({ view: peers(to(10), to(undefined, 10, { address: PEER })) })).text,
    REACHABLE,
  );
});
test('evaluation/KU8 a contract without dependencies', () => {
  assert.equal(
    judge(withLedger(), { contract: contractOf('') }).text,
    'Warning/DEPENDENCY_UNDECLARED,DEPENDENCY_UNDECLARED 0/0',
  );
});
test('evaluation/KU9 its own Service', () => {
  const own = service({ spec: { clusterIPs: [PEER] } });
  const parts = withLedger({
    more: [pacto('app')],
    cluster: { services: [provider('pay', [ADDRESS]), own] },
  });
  assert.equal(judge(parts).text, REACHABLE);
});
test('evaluation/KU10 a warning and no more', () => {
  const { verdict } = judge(withLedger());
  assert.deepEqual([verdict.contractStatus, verdict.summary.warningCount], ['Warning', 1]);
  assert.deepEqual([verdict.evaluationCoverage?.evaluated, verdict.evaluationCoverage?.required], [1, 1]);
});
test('evaluation/KU11 an old success', () => {
  assert.equal(
    judge(withLedger({ view: peers(to(10), to(200, undefined, { address: PEER })) })).text,
    REACHABLE,
  );
});
test('evaluation/KU12 an address shared with a declared provider', () => {
  const slices = [behind('pay', ENDPOINT), behind('ledger', ENDPOINT)];
  const parts = withLedger({ view: peers(to(10, undefined, { address: ENDPOINT })), cluster: { slices } });
  assert.equal(
    judge({
      ...parts,
      cluster: {
        ...parts.cluster,
        services: [provider('pay', [ADDRESS]), provider('ledger', [PEER])],
        slices,
      },
    }).text,
    REACHABLE,
  );
});

test('peers of one contract name are told apart by their Services', () => {
  const parts = withLedger({
    view: peers(to(10), to(10, undefined, { address: PEER }), to(10, undefined, { address: '10.96.0.10' })),
    more: [...LEDGER, pacto('ledger2', 'books')],
    cluster: {
      services: [provider('pay', [ADDRESS]), provider('ledger', [PEER]), provider('ledger2', ['10.96.0.10'])],
    },
  });
  const subjects = judge(parts)
    .evidence.observations.slice(1)
    .map(({ subject }) => subject.name);
  assert.deepEqual(subjects, ['default/ledger', 'default/ledger2']);
});

test('the pods of a CronJob are those of its Jobs', () => {
  const job = workload('Job', { name: 'run-1', metadata: { ownerReferences: [{ uid: 'uid-of-app' }] } });
  const target = { workloadRef: { name: 'app', kind: 'CronJob' as const } };
  const parts = { view: peers(to(10)), cluster: { workloads: [workload('CronJob'), job] } };
  assert.equal(judge(parts, { target }).evidence.observations[0]?.provenance.collector, KERNEL);
  assert.equal(
    judge({ ...parts, cluster: { workloads: [workload('CronJob')] } }, { target }).evidence.observations[0]
      ?.provenance.collector,
    ALONE,
  );
});
