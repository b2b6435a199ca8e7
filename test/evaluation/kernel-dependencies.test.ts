// Kernel evidence and dependencies: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ADDRESS,
  ENDPOINT,
  judge,
  type Parts,
  peers,
  provider,
  REACHABLE,
  to,
} from './kernel-dependency-support.ts';
import { node, pod, seen } from './kernel-support.ts';
import { MINUTE, type PassInput, streak, workload } from './support.ts';

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
