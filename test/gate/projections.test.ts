// What the gate keeps of workloads and ReplicaSets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rolloutComplete } from '../../api/rollout.ts';
import { ownedRevision, runningWorkload } from '../../gate/cache/projections.ts';
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
  assert.deepEqual(ownedRevision(replicaSet({ [REVISION]: '2' })), {
    ownerUid: 'u',
    first: 2,
    templateKey: key,
  });
  assert.deepEqual(ownedRevision(replicaSet({ [REVISION]: '5', [HISTORY]: '1,3' })), {
    ownerUid: 'u',
    first: 1,
    templateKey: key,
  });
});

test('gate/revision what no Deployment of apps controls, or has no number, is no revision', () => {
  assert.equal(ownedRevision(replicaSet({})), undefined);
  for (const number of ['', '0', '-1', '1e3', 'two'])
    assert.equal(ownedRevision(replicaSet({ [REVISION]: number })), undefined);
  assert.equal(
    ownedRevision(replicaSet({ [REVISION]: '1' }, { apiVersion: 'forged.example.com/v1' })),
    undefined,
  );
  assert.equal(ownedRevision(replicaSet({ [REVISION]: '1' }, { kind: 'Rollout' })), undefined);
  assert.equal(ownedRevision(replicaSet({ [REVISION]: '1' }, { controller: false })), undefined);
});
