// The stub kubelet under the real controllers and the real scheduler.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { TestClient } from './client.ts';
import { startCluster } from './cluster.ts';
import { at, conditionStatus, type KubeObject, listAt, textAt } from './kube-object.ts';
import { createNamespace } from './namespace.ts';
import { type PodState, STATE_ANNOTATION } from './pod-state.ts';
import { rolledOut } from './rolled-out.ts';
import { sharedCluster } from './shared-cluster.ts';
import { startStubKubelet } from './stub-kubelet.ts';
import { stubImageID } from './stub-pod-status.ts';
import { waitUntil } from './wait-until.ts';

type DeploymentOptions = { readonly replicas?: number; readonly image?: string; readonly state?: string };

const deployment = (name: string, options: DeploymentOptions = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: options.replicas ?? 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: {
        labels: { app: name },
        ...(options.state !== undefined && { annotations: { [STATE_ANNOTATION]: options.state } }),
      },
      spec: {
        initContainers: [{ name: 'before', image: 'registry.test/before:1' }],
        containers: [{ name: 'main', image: options.image ?? 'registry.test/shop:1.2.0' }],
      },
    },
  },
});

const deployments = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;

async function podsOf(admin: TestClient, namespace: string, app: string): Promise<readonly KubeObject[]> {
  const { body } = await admin.list(`/api/v1/namespaces/${namespace}/pods`, { labelSelector: `app=${app}` });
  return body.items.filter((pod) => pod.metadata?.deletionTimestamp === undefined);
}

async function sharedNamespace(t: TestContext, prefix: string) {
  const cluster = await sharedCluster();
  return { cluster, admin: cluster.admin, namespace: await createNamespace(t, cluster, prefix) };
}

test('stub-kubelet/ brings a Deployment of two up, fills its EndpointSlice, and rolls it to another image', async (t) => {
  const { admin, namespace, cluster } = await sharedNamespace(t, 'rollout');
  await admin.create(`/api/v1/namespaces/${namespace}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await admin.create(deployments(namespace), deployment('web', { replicas: 2 }));
  await rolledOut(admin, namespace, 'web');
  const pods = await podsOf(admin, namespace, 'web');
  assert.deepEqual(
    pods.map((pod) => conditionStatus(pod, 'Ready')),
    ['True', 'True'],
  );
  for (const pod of pods) {
    assert.ok(cluster.nodes.includes(textAt(pod, 'spec', 'nodeName')));
    assert.equal(
      textAt(pod, 'status', 'containerStatuses', 0, 'imageID'),
      stubImageID('registry.test/shop:1.2.0'),
    );
    assert.equal(at(pod, 'status', 'initContainerStatuses', 0, 'state', 'terminated', 'exitCode'), 0);
  }
  const addresses = pods.map((pod) => textAt(pod, 'status', 'podIP')).sort();
  assert.equal(new Set(addresses).size, 2);
  await waitUntil('both pods in the EndpointSlice', async () => {
    const slices = await admin.list(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`);
    const endpoints = slices.body.items.flatMap((slice) => listAt(slice, 'endpoints'));
    const ready = endpoints.filter((endpoint) => at(endpoint, 'conditions', 'ready') === true);
    const found = ready.flatMap((endpoint) => listAt(endpoint, 'addresses')).map(String);
    assert.deepEqual(found.sort(), addresses);
    return true;
  });

  const template = { spec: { containers: [{ name: 'main', image: 'registry.test/shop:1.3.0' }] } };
  await admin.mergePatch(`${deployments(namespace)}/web`, { spec: { template } });
  await rolledOut(admin, namespace, 'web');
  const after = await podsOf(admin, namespace, 'web');
  assert.deepEqual(
    after.map((pod) => textAt(pod, 'status', 'containerStatuses', 0, 'imageID')),
    Array.from({ length: 2 }, () => stubImageID('registry.test/shop:1.3.0')),
  );
  const uids = new Set(pods.map((pod) => pod.metadata?.uid));
  assert.deepEqual(
    after.filter((pod) => uids.has(pod.metadata?.uid)),
    [],
  );
});

const expectations: readonly [
  PodState,
  { phase: string; ready: string; waiting: string; restarts: number },
][] = [
  ['ready', { phase: 'Running', ready: 'True', waiting: '', restarts: 0 }],
  ['unready', { phase: 'Running', ready: 'False', waiting: '', restarts: 0 }],
  ['crash-loop', { phase: 'Running', ready: 'False', waiting: 'CrashLoopBackOff', restarts: 1 }],
  ['image-pull-error', { phase: 'Pending', ready: 'False', waiting: 'ImagePullBackOff', restarts: 0 }],
  ['pending', { phase: 'Pending', ready: 'False', waiting: 'ContainerCreating', restarts: 0 }],
  ['succeeded', { phase: 'Succeeded', ready: 'False', waiting: '', restarts: 0 }],
  ['failed', { phase: 'Failed', ready: 'False', waiting: '', restarts: 0 }],
];

for (const [state, expected] of expectations) {
  test(`stub-kubelet/ brings a pod into the state ${state} by its annotation`, async (t) => {
    const { admin, namespace, cluster } = await sharedNamespace(t, state);
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await admin.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one', annotations: { [STATE_ANNOTATION]: state } },
      spec: { nodeName: cluster.nodes[0], containers: [{ name: 'main', image: 'registry.test/shop:1' }] },
    });
    const pod = await waitUntil('the status', async () => {
      const { body } = await admin.get(`${pods}/one`);
      return conditionStatus(body, 'Ready') !== undefined && body;
    });
    const container = at(pod, 'status', 'containerStatuses', 0);
    assert.deepEqual(
      {
        phase: textAt(pod, 'status', 'phase'),
        ready: conditionStatus(pod, 'Ready'),
        waiting: textAt(container, 'state', 'waiting', 'reason'),
        restarts: at(container, 'restartCount'),
      },
      expected,
    );
    assert.equal(textAt(pod, 'status', 'podIP') === '', expected.phase === 'Pending');
  });
}

test('stub-kubelet/ changes the state of a workload by its labels, of present and of future pods', async (t) => {
  const { admin, namespace, cluster } = await sharedNamespace(t, 'labels');
  const path = `${deployments(namespace)}/web`;
  const available = async (): Promise<number> => {
    return Number(at((await admin.get(path)).body, 'status', 'availableReplicas') ?? 0);
  };
  const selector = { namespace, labels: { app: 'web' } };
  await admin.create(deployments(namespace), deployment('web', { replicas: 2, state: 'unready' }));
  const pods = await waitUntil('two pods that run', async () => {
    const found = await podsOf(admin, namespace, 'web');
    return found.filter((pod) => at(pod, 'status', 'phase') === 'Running').length === 2 && found;
  });
  assert.deepEqual(
    pods.map((pod) => conditionStatus(pod, 'Ready')),
    ['False', 'False'],
  );
  await cluster.setPodState(selector, 'ready');
  await waitUntil('both to be available', async () => (await available()) === 2);

  const name = pods[0]?.metadata?.name ?? '';
  await cluster.setPodState({ namespace, name }, 'crash-loop');
  const crashed = await admin.get(`/api/v1/namespaces/${namespace}/pods/${name}`);
  assert.equal(conditionStatus(crashed.body, 'Ready'), 'False');
  await waitUntil('one to be available', async () => (await available()) === 1);
  await cluster.setPodState({ namespace, name }, 'ready');
  await waitUntil('both to be available again', async () => (await available()) === 2);
  const healed = await admin.get(`/api/v1/namespaces/${namespace}/pods/${name}`);
  assert.equal(at(healed.body, 'status', 'containerStatuses', 0, 'restartCount'), 1);

  await cluster.setPodState(selector, 'unready');
  await admin.mergePatch(path, { spec: { replicas: 3 } });
  await waitUntil('three pods, none of them ready', async () => {
    const found = await podsOf(admin, namespace, 'web');
    return found.length === 3 && found.every((pod) => conditionStatus(pod, 'Ready') === 'False');
  });
});

test('stub-kubelet/ follows a change of the annotation on a running pod', async (t) => {
  const { admin, namespace, cluster } = await sharedNamespace(t, 'annotated');
  const path = `/api/v1/namespaces/${namespace}/pods/one`;
  await admin.create(`/api/v1/namespaces/${namespace}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'one' },
    spec: { nodeName: cluster.nodes[1], containers: [{ name: 'main', image: 'registry.test/shop:1' }] },
  });
  const becomes = (status: string): Promise<boolean> =>
    waitUntil(
      `Ready ${status}`,
      async () => conditionStatus((await admin.get(path)).body, 'Ready') === status,
    );
  await becomes('True');
  await admin.mergePatch(path, { metadata: { annotations: { [STATE_ANNOTATION]: 'unready' } } });
  await becomes('False');
  await admin.mergePatch(path, { metadata: { annotations: { [STATE_ANNOTATION]: null } } });
  await becomes('True');
});

test('stub-kubelet/ holds a pod unready until its readiness gate opens', async (t) => {
  const { admin, namespace, cluster } = await sharedNamespace(t, 'gate');
  const path = `/api/v1/namespaces/${namespace}/pods/one`;
  await admin.create(`/api/v1/namespaces/${namespace}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'one' },
    spec: {
      nodeName: cluster.nodes[0],
      readinessGates: [{ conditionType: 'example.com/open' }],
      containers: [{ name: 'main', image: 'registry.test/shop:1' }],
    },
  });
  const running = await waitUntil('containers to be ready', async () => {
    const { body } = await admin.get(path);
    return conditionStatus(body, 'ContainersReady') === 'True' && body;
  });
  assert.equal(conditionStatus(running, 'Ready'), 'False');
  const conditions = [
    ...listAt(running, 'status', 'conditions'),
    { type: 'example.com/open', status: 'True' },
  ];
  await admin.mergePatch(`${path}/status`, { status: { conditions } });
  await waitUntil('Ready', async () => conditionStatus((await admin.get(path)).body, 'Ready') === 'True');
});

test('stub-kubelet/ lets a deleted pod go at once, and leaves pods of other nodes alone', async (t) => {
  const { admin, namespace, cluster } = await sharedNamespace(t, 'deleted');
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const node = `node-${namespace}`;
  await admin.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: node } });
  t.after(async () => void (await admin.delete(`/api/v1/nodes/${node}`)));
  for (const [name, nodeName] of [
    ['mine', cluster.nodes[0]],
    ['foreign', node],
  ]) {
    const spec = { nodeName, containers: [{ name: 'main', image: 'registry.test/shop:1' }] };
    await admin.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
  }
  const mine = async (): Promise<KubeObject> => (await admin.get(`${pods}/mine`)).body;
  await waitUntil('mine to be ready', async () => conditionStatus(await mine(), 'Ready') === 'True');
  assert.equal(textAt((await admin.get(`${pods}/foreign`)).body, 'status', 'phase'), 'Pending');
  await admin.delete(`${pods}/mine`);
  await waitUntil('mine to go', async () => (await admin.get(`${pods}/mine`)).code === 404);
  await cluster.addNode(node);
  await admin.delete(`${pods}/foreign`);
  await waitUntil('the adopted one to go', async () => (await admin.get(`${pods}/foreign`)).code === 404);
});

test('stub-kubelet/ survives a restart of the API server', async () => {
  await using cluster = await startCluster({ parts: ['etcd', 'apiserver'] });
  const { admin } = cluster;
  await using kubelet = await startStubKubelet(cluster);
  await admin.create('/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });
  const runs = async (name: string): Promise<void> => {
    await admin.create('/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { nodeName: kubelet.nodes[0], containers: [{ name: 'main', image: 'registry.test/shop:1' }] },
    });
    const path = `/api/v1/namespaces/default/pods/${name}`;
    await waitUntil(`${name} to be ready`, async () => {
      return conditionStatus((await admin.get(path)).body, 'Ready') === 'True';
    });
  };
  await runs('before');
  await cluster.killPart('apiserver');
  await cluster.startPart('apiserver');
  await runs('after');
});

test('stub-kubelet/ makes equal digests of equal images and keeps a digest that is given', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  assert.match(
    stubImageID('registry.test:5000/shop/web:1'),
    /^registry\.test:5000\/shop\/web@sha256:[0-9a-f]{64}$/,
  );
  assert.equal(stubImageID('web:1'), stubImageID('web:1'));
  assert.notEqual(stubImageID('web:1'), stubImageID('web:2'));
  assert.equal(stubImageID(`registry.test:5000/web@${digest}`), `registry.test:5000/web@${digest}`);
  assert.equal(stubImageID(`registry.test:5000/web:1@${digest}`), `registry.test:5000/web@${digest}`);
});
