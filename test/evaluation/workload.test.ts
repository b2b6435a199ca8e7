// Workload: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PactoTarget, WorkloadKind } from '../../api/pacto.ts';
import { type Cluster, contractOf, pass, workload } from './support.ts';

const ref = (kind?: WorkloadKind): PactoTarget => ({
  workloadRef: { name: 'app', ...(kind !== undefined && { kind }) },
});
const has = (kind: WorkloadKind): Cluster => ({ workloads: [workload(kind)] });

type Row = readonly [
  id: string,
  given: string,
  declared: string,
  target: PactoTarget,
  cluster: Cluster,
  text: string,
];

const ROWS: readonly Row[] = [
  [
    'WO1',
    'explicit Deployment, declared service',
    'service',
    ref('Deployment'),
    has('Deployment'),
    'Compliant 1/1',
  ],
  [
    'WO2',
    'explicit Job, declared service',
    'service',
    ref('Job'),
    has('Job'),
    'NonCompliant/WORKLOAD_MISMATCH 1/1',
  ],
  ['WO3', 'name only, declared job', 'job', ref(), has('Deployment'), 'Unknown/EVIDENCE_INSUFFICIENT 0/1'],
  [
    'WO4',
    'Service name only, declared service',
    'service',
    { serviceName: 'app' },
    has('Deployment'),
    'Compliant 1/1',
  ],
  [
    'WO5',
    'Service name only, declared job',
    'job',
    { serviceName: 'app' },
    has('Deployment'),
    'Unknown/EVIDENCE_INSUFFICIENT 0/1',
  ],
  ['WO6', 'missing workload', 'service', ref('Deployment'), {}, 'Unknown/EVIDENCE_MISSING 0/1'],
  [
    'WO7',
    'workload unreadable',
    'service',
    ref('Deployment'),
    { unreadable: ['Deployment'] },
    'Unknown/COLLECTION_FAILED 0/1',
  ],
  ['WO8', 'CronJob is scheduled', 'scheduled', ref('CronJob'), has('CronJob'), 'Compliant 1/1'],
  ['WO8', 'ReplicaSet is a service', 'service', ref('ReplicaSet'), has('ReplicaSet'), 'Compliant 1/1'],
  ['WO8', 'StatefulSet is a service', 'service', ref('StatefulSet'), has('StatefulSet'), 'Compliant 1/1'],
  ['WO8', 'Job is a job', 'job', ref('Job'), has('Job'), 'Compliant 1/1'],
];

for (const [id, given, declared, target, cluster, text] of ROWS) {
  test(`evaluation/${id} ${given}`, () => {
    const result = pass({ contract: contractOf(`workload: ${declared}`), target, cluster });
    assert.equal(result.text, text);
    assert.deepEqual(result.windows, []);
  });
}
