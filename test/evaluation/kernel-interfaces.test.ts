// Kernel evidence and interfaces: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterView } from '../../evaluation/view.ts';
import { observe } from '../../evaluation/observe/index.ts';
import { DEFAULT_FEATURES } from '../../evaluation/observe/observe-input.ts';
import {
  ago,
  backedBy,
  lease,
  MANAGED,
  node,
  type NodeParts,
  pod,
  seen,
  type SeenPod,
} from './kernel-support.ts';
import {
  API_INTERFACE,
  BOUND,
  type Cluster,
  contractOf,
  MINUTE,
  NAMESPACE,
  NOW,
  type Pass,
  pass,
  type PassInput,
  type RawObject,
  service,
  slice,
  streak,
  viewOf,
  workload,
} from './support.ts';

const CONTRACT = contractOf(API_INTERFACE);
const ANYWHERE: SeenPod = { listens: [['0.0.0.0', 8080]] };
const SILENT: SeenPod = {};
const P1 = 'uid-of-p1';
const P2 = 'uid-of-p2';

function judge(cluster: Cluster, input: Partial<PassInput> = {}): Pass {
  const whole = { services: [service()], workloads: [workload('Deployment')], ...cluster };
  return pass({ contract: CONTRACT, cluster: whole, features: { kernelEvidence: MANAGED }, ...input });
}

/** One pod behind the Service, as its node saw it. */
const one = (view: SeenPod, parts: NodeParts = {}, podParts: Parameters<typeof pod>[1] = {}): Cluster => ({
  slices: [backedBy(['p1'])],
  others: [pod('p1', podParts), node([seen(P1, view)], parts)],
});
/** Two pods on nodes of their own. */
const two = (first: RawObject | undefined, second: RawObject | undefined): Cluster => ({
  slices: [backedBy(['p1', 'p2'])],
  others: [
    pod('p1', { node: 'a' }),
    pod('p2', { node: 'b' }),
    ...[first, second].filter((item) => item !== undefined),
  ],
});
const onA = (view: SeenPod, parts: NodeParts = {}): RawObject =>
  node([seen(P1, view)], { name: 'a', ...parts });
const onB = (view: SeenPod, parts: NodeParts = {}): RawObject =>
  node([seen(P2, view)], { name: 'b', ...parts });

const PRESENT = 'Compliant 1/1';
const NEGATIVE = 'Unknown/EVIDENCE_INSUFFICIENT 0/1';
const STALE = 'Unknown/EVIDENCE_STALE 0/1';
const FAILED = 'Unknown/COLLECTION_FAILED 0/1';
const ABSENT = 'NonCompliant/INTERFACE_ABSENT 1/1';
const OLD = [streak(3 * MINUTE)];
const listensOn = (address: string, port = 8080): SeenPod => ({ listens: [[address, port]] });
const withLease = (cluster: Cluster, ...leases: RawObject[]): Cluster => ({
  ...cluster,
  others: [...(cluster.others ?? []), ...leases],
});

/** `windows`: 1 for a negative, 0 for anything that starts no streak. */
type Row = readonly [
  id: string,
  given: string,
  cluster: Cluster,
  text: string,
  windows?: number,
  input?: Partial<PassInput>,
];
const ROWS: readonly Row[] = [
  ['KE1', 'a pod that listens on every address', one(ANYWHERE), PRESENT],
  ['KE2', 'nothing listens, first pass', one(SILENT), NEGATIVE, 1],
  ['KE3', 'nothing listens, past the window', one(SILENT), ABSENT, 1, { windows: OLD }],
  ['KE4', 'loopback only', one(listensOn('127.0.0.1')), NEGATIVE, 1],
  ['KE4', 'loopback of IPv6 only', one(listensOn('::1')), NEGATIVE, 1],
  ['KE4', 'mapped loopback only', one(listensOn('::ffff:127.0.0.1')), NEGATIVE, 1],
  ['KE5', 'the wildcard of IPv6', one(listensOn('::')), PRESENT],
  ['KE6', 'the address of the pod', one(listensOn('10.244.0.9')), PRESENT],
  ['KE7', 'another port', one(listensOn('0.0.0.0', 9090)), NEGATIVE, 1],
  [
    'KE8',
    'the port of the slice counts, not that of the Service',
    { ...one(ANYWHERE), services: [service({ ports: [{ name: 'http', port: 80, targetPort: 8080 }] })] },
    PRESENT,
  ],
  ['KE9', 'no observation of the node', { slices: [backedBy(['p1'])], others: [pod('p1')] }, STALE],
  ['KE10', 'a heartbeat 91 s old', one(SILENT, { publishedAgo: 91 }), STALE],
  ['KE10', 'a heartbeat 90 s old', one(SILENT, { publishedAgo: 90 }), NEGATIVE, 1],
  ['KE11', 'the Lease old, the observation fresh', withLease(one(SILENT), lease(500)), NEGATIVE, 1],
  [
    'KE12',
    'the Lease fresh, the observation old',
    withLease(one(SILENT, { publishedAgo: 500 }), lease(5)),
    NEGATIVE,
    1,
  ],
  ['KE13', 'no Lease, the observation fresh', one(SILENT), NEGATIVE, 1],
  [
    'KE14',
    'a bound of 20 s',
    one(SILENT, { publishedAgo: 25 }),
    STALE,
    0,
    { features: { kernelEvidence: { ...MANAGED, stalenessMs: 20_000 } } },
  ],
  ['KE15', 'collection has failed', one(ANYWHERE, { state: 'Failed', reason: 'LoadFailed' }), FAILED],
  ['KE16', 'degraded, nothing listens', one(SILENT, { state: 'Degraded', reason: 'ResyncFailed' }), NEGATIVE],
  ['KE16', 'truncated, nothing listens', one({ more: { truncated: true } }), NEGATIVE],
  [
    'KE16',
    'the pod is not mapped yet',
    { slices: [backedBy(['p1'])], others: [pod('p1'), node([])] },
    NEGATIVE,
  ],
  ['KE16', 'the network of the host', one(SILENT, {}, { spec: { hostNetwork: true } }), NEGATIVE],
  ['KE17', 'the baseline is older than the pod', one({ baselineAgo: 4_000 }), NEGATIVE],
  ['KE17', 'no baseline', one({ more: { baselineTime: undefined } }), NEGATIVE],
  ['KE17', 'events were lost since the baseline', one(SILENT, { dropAgo: 100 }), NEGATIVE],
  [
    'KE18',
    'one listens, the other is stale',
    two(onA(ANYWHERE), onB(SILENT, { publishedAgo: 500 })),
    PRESENT,
  ],
  ['KE19', 'one listens, the other is silent', two(onA(SILENT), onB(ANYWHERE)), PRESENT],
  [
    'KE21',
    'failed and partial',
    two(onA(SILENT, { state: 'Failed' }), onB({ more: { truncated: true } })),
    FAILED,
  ],
  [
    'KE24',
    'an endpoint of a missing pod',
    { slices: [backedBy(['p1', 'gone'])], others: [pod('p1'), node([seen(P1)])] },
    NEGATIVE,
  ],
  [
    'KE24',
    'an endpoint of a pending pod',
    {
      slices: [backedBy(['p1', 'p2'])],
      others: [pod('p1'), pod('p2', { phase: 'Pending' }), node([seen(P1)])],
    },
    NEGATIVE,
  ],
  [
    'KE23',
    'an endpoint that names no pod',
    { slices: [backedBy(['p1', undefined])], others: [pod('p1'), node([seen(P1)])] },
    NEGATIVE,
  ],
  [
    'KE25',
    'no endpoint names a pod, one of the workload listens',
    { slices: [slice([true])], others: [pod('p1'), node([seen(P1, ANYWHERE)])] },
    PRESENT,
  ],
  [
    'KE26',
    'no endpoint names a pod, those of the workload are silent',
    { slices: [slice([true])], others: [pod('p1'), node([seen(P1)])] },
    NEGATIVE,
  ],
  [
    'KE26',
    'no endpoint names a pod, those of the workload are stale',
    { slices: [slice([true])], others: [pod('p1')] },
    STALE,
  ],
  ['KE29', 'an observation under another name', one(SILENT, { name: 'other', nodeName: 'node-1' }), STALE],
  ['KE29', 'an observation without labels', one(SILENT, { labels: {} }), STALE],
  [
    'KE30',
    'a canary outside the workload listens',
    {
      slices: [backedBy(['p1', 'p2'])],
      others: [pod('p1'), pod('p2', { labels: { app: 'canary' } }), node([seen(P1), seen(P2, ANYWHERE)])],
    },
    PRESENT,
  ],
  ['KE32', 'a stale pass keeps the streak', one(SILENT, { publishedAgo: 500 }), STALE, 1, { windows: OLD }],
  ['KE34', 'a shared network, silent', one({ more: { sharedNetwork: true } }), NEGATIVE],
  ['KE35', 'a sandbox, silent', one(SILENT, {}, { spec: { runtimeClassName: 'gvisor' } }), NEGATIVE],
  ['KE35', 'a sandbox that listens', one(ANYWHERE, {}, { spec: { runtimeClassName: 'gvisor' } }), PRESENT],
  ['KE37', 'a baseline in the second of the start', one({ baselineAgo: 3_600 }), NEGATIVE, 1],
  ['KE37', 'a loss in the second of the baseline', one({ baselineAgo: 100 }, { dropAgo: 100 }), NEGATIVE],
  ['KE38', 'a heartbeat 31 s ahead', one(SILENT, { publishedAgo: -31 }), STALE],
  ['KE38', 'a heartbeat 30 s ahead', one(SILENT, { publishedAgo: -30 }), NEGATIVE, 1],
  [
    'KE39',
    'a fresh Lease held by another name',
    withLease(one(SILENT, { publishedAgo: 500 }), lease(5, { holder: 'other' })),
    STALE,
  ],
  [
    'KE40',
    'events dropped since the baseline, a listener',
    one(ANYWHERE, { state: 'Degraded', reason: 'EventsDropped', dropAgo: 100 }),
    NEGATIVE,
  ],
  [
    'KE40',
    'a new baseline after the drop, a listener',
    one({ ...ANYWHERE, baselineAgo: 50 }, { state: 'Degraded', reason: 'EventsDropped', dropAgo: 100 }),
    PRESENT,
  ],
  ['KE41', 'an observation that names another node', one(SILENT, { nodeName: 'other' }), STALE],
];

for (const [id, given, cluster, text, windows = 0, input] of ROWS) {
  test(`evaluation/${id} ${given}`, () => {
    const result = judge(cluster, input);
    assert.equal(result.text, text);
    assert.equal(result.windows.length, windows);
    assert.equal(result.evidence.observations[0]?.provenance.collector, 'k8s-observer+ebpf');
  });
}

test('evaluation/KE20 of several, stale is the worst', () => {
  const slices = [backedBy(['p1', 'p2', 'p3'])];
  const others = [
    pod('p1', { node: 'a' }),
    pod('p2', { node: 'b' }),
    pod('p3', { node: 'c' }),
    onA(SILENT, { state: 'Failed' }),
    onB({ more: { truncated: true } }),
  ];
  assert.equal(judge({ slices, others }).text, STALE);
});

test('evaluation/KE22 a pod on the network of its host beside one that listens', () => {
  const others = [
    pod('p1', { spec: { hostNetwork: true } }),
    pod('p2'),
    node([seen(P1, SILENT), seen(P2, ANYWHERE)]),
  ];
  assert.equal(judge({ slices: [backedBy(['p1', 'p2'])], others }).text, PRESENT);
});

test("evaluation/KE22 sockets of the host are no pod's", () => {
  assert.equal(judge(one(ANYWHERE, {}, { spec: { hostNetwork: true } })).text, NEGATIVE);
});

const collectorOf = ({ evidence }: Pass): string | undefined =>
  evidence.observations[0]?.provenance.collector;

test('evaluation/KE27 nothing ready is for Kubernetes to say', () => {
  const result = judge({ ...one(ANYWHERE), slices: [slice([false])] });
  assert.deepEqual([result.text, result.windows.length, collectorOf(result)], [NEGATIVE, 1, 'k8s-observer']);
});

test('evaluation/KE28 a UDP port is for Kubernetes to say', () => {
  const ports = [{ name: 'http', port: 8080, protocol: 'UDP' }];
  const result = judge({
    ...one(SILENT),
    services: [service({ ports })],
    slices: [backedBy(['p1'], { ports })],
  });
  assert.deepEqual([result.text, collectorOf(result)], [PRESENT, 'k8s-observer']);
});

test('evaluation/KE31 an absence goes on under another reason', () => {
  const first = judge({ slices: [slice([false])] }, { now: NOW - 2 * MINUTE });
  const second = judge(one(SILENT), { windows: first.windows });
  assert.equal(second.text, ABSENT);
});

test('evaluation/KE33 with kernel evidence off nothing of it is read', () => {
  const view = viewOf({ services: [service()], ...one(SILENT) });
  const refused = (): never => assert.fail('read');
  const guarded: ClusterView = {
    ...view,
    pod: refused,
    podsMatching: refused,
    nodeObservation: refused,
    lease: refused,
    servicesAt: refused,
    endpointSlicesAt: refused,
    jobsOwnedBy: refused,
  };
  const raw = observe({
    namespace: NAMESPACE,
    target: BOUND,
    contract: CONTRACT,
    view: guarded,
    features: DEFAULT_FEATURES,
    now: NOW,
  });
  assert.equal(raw.observations[0]?.observation.outcome, 'Observed');
});

test('evaluation/KE36 a static pod is known by the hash of its manifest', () => {
  const hash = '0123456789abcdef0123456789abcdef';
  const others = [
    pod('p1', { metadata: { annotations: { 'kubernetes.io/config.hash': hash } } }),
    node([seen(hash, ANYWHERE)]),
  ];
  assert.equal(judge({ slices: [backedBy(['p1'])], others }).text, PRESENT);
});

test('evaluation/KE42 an agent of somebody else tells its interval by its Lease', () => {
  const features = { kernelEvidence: { publishIntervalMs: 30_000, managed: false } };
  const old = (seconds: number): Cluster =>
    withLease(one(SILENT, { publishedAgo: seconds }), lease(seconds, { seconds: 180 }));
  assert.equal(judge(old(150), { features }).text, NEGATIVE);
  assert.equal(judge(old(150), { features }).windows.length, 1);
  assert.equal(judge(old(181), { features }).text, STALE);
});

test('kinds that cannot be read fail, and never count as silence', () => {
  for (const kind of ['Pod', 'NodeRuntimeObservation', 'Lease']) {
    const result = judge({ ...one(SILENT), unreadable: [kind] }, { windows: OLD });
    assert.equal(result.text, FAILED, kind);
    assert.deepEqual(result.windows, OLD);
    assert.deepEqual([...new Set(result.failures.map(({ resource }) => resource))], [kind]);
  }
});

test('a pod that is being deleted is no running pod', () => {
  const leaving = pod('p1', { node: 'dead', metadata: { deletionTimestamp: ago(10) } });
  const others = [leaving, pod('p2'), node([seen(P2)])];
  assert.equal(judge({ slices: [slice([true])], others }).text, NEGATIVE);
});
