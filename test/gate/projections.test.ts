// What the gate keeps of workloads and of their revisions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rolloutComplete } from '../../api/rollout.ts';
import { controllerRevision, replicaSetRevision, runningWorkload } from '../../gate/cache/projections.ts';
import { templateKey } from '../../gate/promotions/workload.ts';

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'a', image: 'r.test/a:1' }] },
};

type Counts = Readonly<Record<string, number>>;

const deployment = (status: Counts, replicas = 2): object => ({
  metadata: { generation: 3 },
  spec: { replicas, selector: {}, strategy: { type: 'RollingUpdate' }, template },
  status,
});

const ROLLOUTS: readonly [string, object, boolean | undefined][] = [
  [
    'ended',
    deployment({ observedGeneration: 3, replicas: 2, updatedReplicas: 2, availableReplicas: 2 }),
    true,
  ],
  [
    'the controller has not seen the spec',
    deployment({ observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 }),
    false,
  ],
  [
    'an old pod remains',
    deployment({ observedGeneration: 3, replicas: 3, updatedReplicas: 2, availableReplicas: 3 }),
    false,
  ],
  [
    'a new pod is not available',
    deployment({ observedGeneration: 3, replicas: 2, updatedReplicas: 2, availableReplicas: 1 }),
    false,
  ],
  ['nothing is updated yet', deployment({ observedGeneration: 3, replicas: 2, availableReplicas: 2 }), false],
  ['scaled to nothing', deployment({ observedGeneration: 3 }, 0), true],
  ['no object at all', {}, undefined],
  ['a CronJob', { spec: { schedule: '* * * * *', jobTemplate: {} } }, undefined],
];

for (const [name, object, expected] of ROLLOUTS) {
  test(`gate/rollout ${name}`, () => assert.equal(rolloutComplete(object), expected));
}

test('gate/rollout what runs: generation, state and images', () => {
  const object = deployment({ observedGeneration: 3, replicas: 2, updatedReplicas: 2, availableReplicas: 2 });
  assert.deepEqual(runningWorkload(object), { generation: 3, rolledOut: true, images: ['r.test/a:1'] });
});

type Owner = Readonly<Record<string, unknown>>;

const replicaSet = (annotations: Readonly<Record<string, string>>, owner: Owner = {}): object => ({
  metadata: {
    annotations,
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a', uid: 'u', controller: true, ...owner },
    ],
  },
  spec: { template },
});

const REVISION = 'deployment.kubernetes.io/revision';
const HISTORY = 'deployment.kubernetes.io/revision-history';

test('gate/revision a ReplicaSet counts from the number it first had', () => {
  const key = templateKey(template);
  assert.deepEqual(replicaSetRevision(replicaSet({ [REVISION]: '2' })), {
    ownerUid: 'u',
    name: 'revision 2',
    first: 2,
    templateKey: key,
  });
  assert.deepEqual(replicaSetRevision(replicaSet({ [REVISION]: '5', [HISTORY]: '1,3' })), {
    ownerUid: 'u',
    name: 'revision 1',
    first: 1,
    templateKey: key,
  });
});

test('gate/revision what no Deployment of apps controls, or has no number, is no revision', () => {
  assert.equal(replicaSetRevision(replicaSet({})), undefined);
  for (const number of ['', '0', '-1', '1e3', 'two'])
    assert.equal(replicaSetRevision(replicaSet({ [REVISION]: number })), undefined);
  assert.equal(
    replicaSetRevision(replicaSet({ [REVISION]: '1' }, { apiVersion: 'forged.example.com/v1' })),
    undefined,
  );
  assert.equal(replicaSetRevision(replicaSet({ [REVISION]: '1' }, { kind: 'Rollout' })), undefined);
  assert.equal(replicaSetRevision(replicaSet({ [REVISION]: '1' }, { controller: false })), undefined);
});

type RevisionParts = { readonly metadata?: object; readonly owner?: Owner; readonly data?: unknown };

const kept = ({ metadata = {}, owner = {}, data }: RevisionParts = {}): object => ({
  metadata: {
    creationTimestamp: '2026-11-30T10:00:00Z',
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'a', uid: 'u', controller: true, ...owner },
    ],
    ...metadata,
  },
  revision: 3,
  data: data ?? { spec: { template: { ...template, $patch: 'replace' } } },
});

test('gate/revision a ControllerRevision counts from when it was made, without the instruction to patch', () => {
  for (const kind of ['StatefulSet', 'DaemonSet']) {
    assert.deepEqual(controllerRevision(kept({ owner: { kind } })), {
      ownerUid: 'u',
      name: 'revision 3',
      first: Date.UTC(2026, 10, 30, 10),
      templateKey: templateKey(template),
    });
  }
});

test('gate/revision what another kind controls, has no time or keeps no template is no revision', () => {
  assert.equal(controllerRevision(kept({ owner: { kind: 'Deployment' } })), undefined);
  assert.equal(controllerRevision(kept({ owner: { apiVersion: 'forged.example.com/v1' } })), undefined);
  assert.equal(controllerRevision(kept({ owner: { controller: false } })), undefined);
  assert.equal(controllerRevision(kept({ metadata: { creationTimestamp: 'yesterday' } })), undefined);
  for (const data of ['text', { spec: {} }, { spec: { template: [] } }])
    assert.equal(controllerRevision(kept({ data })), undefined);
});
