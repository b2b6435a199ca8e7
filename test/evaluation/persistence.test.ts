// Persistence: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PactoTarget, WorkloadKind } from '../../api/pacto.ts';
import { contractOf, pass, type RawObject, workload, type WorkloadParts } from './support.ts';

const CLAIM = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
const TEMPLATES = { volumeClaimTemplates: [{ metadata: { name: 'own' } }] };
const mounted = (mount: RawObject = {}): RawObject => ({
  volumes: [CLAIM],
  containers: [{ name: 'app', volumeMounts: [{ name: 'data', mountPath: '/data', ...mount }] }],
});
const volumes = (...sources: string[]): WorkloadParts => ({
  pod: { volumes: sources.map((source) => ({ name: source, [source]: {} })) },
});
const persistent = (scope: 'local' | 'shared', durability = 'persistent'): ReturnType<typeof contractOf> =>
  contractOf(
    `state: { type: stateful, persistence: { scope: ${scope}, durability: ${durability} }, dataCriticality: low }`,
  );

type Row = readonly [
  id: string,
  given: string,
  kind: WorkloadKind,
  parts: WorkloadParts | 'missing' | 'unreadable',
  text: string,
  scope?: 'verified' | 'unverified',
  declared?: 'local' | 'shared',
];

const DURABLE = 'Compliant 1/1';
const LOST = 'NonCompliant/PERSISTENCE_MISMATCH 1/1';
const UNDECIDED = 'Unknown/EVIDENCE_INSUFFICIENT 0/1';

const ROWS: readonly Row[] = [
  ['PE1', 'a claim volume', 'Deployment', { pod: { volumes: [CLAIM] } }, DURABLE],
  ['PE2', 'emptyDir', 'Deployment', volumes('emptyDir'), LOST],
  ['PE2', 'projected', 'Deployment', volumes('projected'), LOST],
  ['PE2', 'configMap', 'Deployment', volumes('configMap'), LOST],
  ['PE2', 'secret', 'Deployment', volumes('secret'), LOST],
  ['PE2', 'downwardAPI', 'Deployment', volumes('downwardAPI'), LOST],
  ['PE3', 'no volumes', 'Deployment', {}, LOST],
  ['PE4', 'hostPath', 'Deployment', volumes('hostPath'), UNDECIDED],
  ['PE4', 'nfs', 'Deployment', volumes('nfs'), UNDECIDED],
  ['PE4', 'csi', 'Deployment', volumes('csi'), UNDECIDED],
  ['PE4', 'a generic ephemeral volume', 'Deployment', volumes('ephemeral'), UNDECIDED],
  [
    'PE5',
    'a claim beside emptyDir',
    'Deployment',
    { pod: { volumes: [CLAIM, { name: 'e', emptyDir: {} }] } },
    DURABLE,
  ],
  ['PE6', 'hostPath beside emptyDir', 'Deployment', volumes('hostPath', 'emptyDir'), UNDECIDED],
  ['PE7', 'claim templates only', 'StatefulSet', { spec: TEMPLATES }, DURABLE],
  [
    'PE8',
    'claim templates beside emptyDir',
    'StatefulSet',
    { spec: TEMPLATES, ...volumes('emptyDir') },
    DURABLE,
  ],
  ['PE9', 'no workload', 'Deployment', 'missing', 'Unknown/EVIDENCE_MISSING 0/1'],
  ['PE9', 'a workload that cannot be read', 'Deployment', 'unreadable', 'Unknown/COLLECTION_FAILED 0/1'],
  [
    'PE11',
    'local, three replicas, a writable claim',
    'Deployment',
    { spec: { replicas: 3 }, pod: mounted() },
    LOST,
    'verified',
  ],
  [
    'PE12',
    'local, one replica, a writable claim',
    'Deployment',
    { spec: { replicas: 1 }, pod: mounted() },
    DURABLE,
    'verified',
  ],
  [
    'PE13',
    'local, three replicas, the claim opened read-only',
    'Deployment',
    {
      spec: { replicas: 3 },
      pod: {
        ...mounted(),
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data', readOnly: true } }],
      },
    },
    DURABLE,
    'unverified',
  ],
  [
    'PE14',
    'local, three replicas, every mount read-only',
    'Deployment',
    { spec: { replicas: 3 }, pod: mounted({ readOnly: true }) },
    DURABLE,
    'unverified',
  ],
  [
    'PE15',
    'local, three replicas, templates only',
    'StatefulSet',
    { spec: { replicas: 3, ...TEMPLATES } },
    DURABLE,
    'verified',
  ],
  [
    'PE16',
    'local, templates beside a writable claim of all',
    'StatefulSet',
    { spec: { replicas: 3, ...TEMPLATES }, pod: mounted() },
    LOST,
    'verified',
  ],
  [
    'PE17',
    'shared, templates only',
    'StatefulSet',
    { spec: { replicas: 2, ...TEMPLATES } },
    DURABLE,
    'unverified',
    'shared',
  ],
  [
    'PE18',
    'shared, two replicas, a writable claim',
    'Deployment',
    { spec: { replicas: 2 }, pod: mounted() },
    DURABLE,
    'verified',
    'shared',
  ],
  [
    'PE19',
    'local, a Job of four at once',
    'Job',
    { spec: { parallelism: 4 }, pod: mounted() },
    LOST,
    'verified',
  ],
];

for (const [id, given, kind, parts, text, scope, declared = 'local'] of ROWS) {
  test(`evaluation/${id} ${given}`, () => {
    const target: PactoTarget = { workloadRef: { name: 'app', kind } };
    const cluster = {
      workloads: parts === 'missing' || parts === 'unreadable' ? [] : [workload(kind, parts)],
      unreadable: parts === 'unreadable' ? [kind] : [],
    };
    const { text: found, verdict, windows } = pass({ contract: persistent(declared), target, cluster });
    assert.equal(found, text);
    assert.deepEqual(windows, []);
    const unverified = verdict.evaluationCoverage?.unverified ?? [];
    if (scope !== undefined) {
      assert.equal(unverified.includes('state.persistence.scope'), scope === 'unverified');
    }
  });
}

test('evaluation/PE11 the finding is about the scope', () => {
  const cluster = { workloads: [workload('Deployment', { spec: { replicas: 3 }, pod: mounted() })] };
  const { verdict } = pass({ contract: persistent('local'), target: { serviceName: 'app' }, cluster });
  assert.deepEqual(
    verdict.findings?.map(({ contractPath }) => contractPath),
    ['state.persistence.scope'],
  );
});

test('evaluation/PE10 ephemeral state declares nothing to check', () => {
  const cluster = { workloads: [workload('Deployment')] };
  const contract = persistent('local', 'ephemeral');
  assert.equal(pass({ contract, target: { serviceName: 'app' }, cluster }).text, 'Compliant 0/0');
});

test('a CronJob is read by its job template', () => {
  const cluster = { workloads: [workload('CronJob', { spec: { parallelism: 2 }, pod: mounted() })] };
  const target: PactoTarget = { workloadRef: { name: 'app', kind: 'CronJob' } };
  assert.equal(pass({ contract: persistent('local'), target, cluster }).text, LOST);
});

test('a block device and an init container write to a claim too', () => {
  const device = {
    volumes: [CLAIM],
    containers: [{ volumeDevices: [{ name: 'data', devicePath: '/dev/x' }] }],
  };
  const init = { volumes: [CLAIM], initContainers: [{ volumeMounts: [{ name: 'data', mountPath: '/d' }] }] };
  for (const pod of [device, init]) {
    const cluster = { workloads: [workload('Deployment', { spec: { replicas: 2 }, pod })] };
    assert.equal(pass({ contract: persistent('local'), target: { serviceName: 'app' }, cluster }).text, LOST);
  }
});
