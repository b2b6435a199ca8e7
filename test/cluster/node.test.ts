// A real node: pods that run, answer and roll out, cgroups in every mode, two nodes that reach each other.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { lacks, skipLacking } from '../helpers/machine-lacks.ts';
import { lackOf, nodeLack } from '../tools/node-lack.ts';
import { type NodeInfo, startCluster } from './cluster.ts';
import { at, conditionStatus, type KubeObject, listAt, textAt } from './kube-object.ts';
import { createNamespace } from './namespace.ts';
import { runPod } from './node-pod.ts';
import { kubeletPods, stubPods } from './pods.ts';
import { rolledOut } from './rolled-out.ts';
import { sharedCluster, sharedNode } from './shared-cluster.ts';
import { waitUntil } from './wait-until.ts';
import { pushWorkload } from './workload-images.ts';

const lack = await nodeLack();

const said = async (pod: KubeObject, port: number, path = '/'): Promise<string> =>
  (await fetch(`http://${textAt(pod, 'status', 'podIP')}:${port}${path}`)).text();

const deployment = (name: string, image: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: 'main',
            image,
            readinessProbe: {
              httpGet: { path: '/healthz', port: 8080 },
              periodSeconds: 1,
              failureThreshold: 1,
            },
          },
        ],
      },
    },
  },
});

suite('a real node', () => {
  test('node/ runs images by digest, rolls out another one, and every pod answers at its address', async (t) => {
    if (lack !== undefined) return skipLacking(t, lack);
    const cluster = await sharedNode();
    const { admin } = cluster;
    const namespace = await createNamespace(t, cluster, 'digests');
    const args = ['-http', '8080', '-control', '9090'];
    const first = await pushWorkload(cluster, { name: 'test/digests', tag: '1', args });
    const second = await pushWorkload(cluster, { name: 'test/digests', tag: '2', args });
    assert.notEqual(first.digest, second.digest);
    assert.deepEqual(await pushWorkload(cluster, { name: 'test/digests', tag: '1', args }), first);
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
    for (const [version, image] of [first, second].entries()) {
      await admin.apply(path, deployment('web', image.byDigest));
      await rolledOut(admin, namespace, 'web');
      const { body } = await admin.list(`/api/v1/namespaces/${namespace}/pods`);
      const pods = body.items.filter((pod) => pod.metadata?.deletionTimestamp === undefined);
      assert.equal(pods.length, 2);
      for (const pod of pods) {
        assert.equal(textAt(pod, 'status', 'containerStatuses', 0, 'imageID'), image.byDigest);
        assert.match(await said(pod, 8080), new RegExp(`^${pod.metadata?.name} ${version + 1} HTTP/1.1`));
      }
    }
  });

  test('node/ a port that is closed is a pod that is not Ready and an endpoint that is gone, until it opens', async (t) => {
    if (lack !== undefined) return skipLacking(t, lack);
    const cluster = await sharedNode();
    const { admin } = cluster;
    const namespace = await createNamespace(t, cluster, 'ports');
    await runPod(cluster, { namespace, name: 'web', node: cluster.node.name });
    await admin.create(`/api/v1/namespaces/${namespace}/services`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    const serving = (wanted: boolean): Promise<boolean> =>
      waitUntil(`an endpoint with ready: ${wanted}`, async () => {
        const { body } = await admin.list(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`);
        const endpoints = body.items.flatMap((slice) => listAt(slice, 'endpoints'));
        return endpoints.length === 1 && at(endpoints[0], 'conditions', 'ready') === wanted;
      });
    await serving(true);
    const pods = kubeletPods(cluster);
    assert.deepEqual(await pods.ask({ namespace, labels: { app: 'web' } }), ['1']);
    await pods.closePort({ namespace, labels: { app: 'web' } });
    assert.deepEqual(await pods.ask({ namespace, labels: { app: 'web' } }), ['refused']);
    await serving(false);
    const { body } = await admin.get(`/api/v1/namespaces/${namespace}/pods/web`);
    assert.equal(textAt(body, 'status', 'phase'), 'Running');
    await pods.openPort({ namespace, labels: { app: 'web' } });
    await serving(true);
  });

  test('node/ two nodes reach each other’s pods, beside another cluster, with cgroup v1 alone and v2 alone', async (t) => {
    if (lack !== undefined) return skipLacking(t, lack);
    const other = await sharedNode();
    await using cluster = await startCluster({
      nodes: 2,
      parts: ['etcd', 'apiserver', 'controller-manager', 'registry', 'node-1', 'node-2'],
      args: { 'node-1': ['--cgroup=v1'], 'node-2': ['--cgroup=v2'] },
    });
    const subnets = [...cluster.nodes, other.node].map(({ subnet }) => subnet);
    assert.equal(new Set(subnets).size, 3);
    const [first, second] = await Promise.all(
      ['node-1', 'node-2'].map((node) => runPod(cluster, { namespace: 'default', name: `on-${node}`, node })),
    );
    assert.ok(first && second);
    for (const [from, to] of [
      [first, second],
      [second, first],
    ] as const) {
      const peer = `http,${textAt(to, 'status', 'podIP')}:8080`;
      await fetch(`http://${textAt(from, 'status', 'podIP')}:9090/peer?to=${peer}`, { method: 'PUT' });
      await waitUntil(`${from.metadata?.name} to reach ${peer}`, async () => {
        const state: unknown = JSON.parse(await said(from, 9090));
        return Number(at(state, 'peers', peer, 'ok')) > 0;
      });
    }
    const hasV2 = other.node.cgroups.some(({ options }) => options === '');
    const [v1, v2] = cluster.nodes;
    assert.ok(v1 && v2);
    // Where the machine has no v1, there is none to be shown alone.
    if (v1.cgroups.some(({ options }) => options !== '')) {
      assert.ok(holdsPod(v1, first, 'v1'));
      assert.ok(!holdsPod(v1, first, 'v2'));
    }
    if (hasV2) {
      assert.ok(holdsPod(v2, second, 'v2'));
      assert.ok(!holdsPod(v2, second, 'v1'));
    }
  });

  test('node/ cgroups in mode auto are those of the machine: a pod is in every hierarchy', async (t) => {
    if (lack !== undefined) return skipLacking(t, lack);
    const cluster = await sharedNode();
    const namespace = await createNamespace(t, cluster, 'cgroups');
    const pod = await runPod(cluster, { namespace, name: 'web', node: cluster.node.name });
    const modes = new Set(cluster.node.cgroups.map(({ options }) => (options === '' ? 'v2' : 'v1')));
    for (const mode of modes) assert.ok(holdsPod(cluster.node, pod, mode), `the pod is in no cgroup ${mode}`);
    const outside = readFileSync(`/proc/${cluster.node.pid}/cgroup`, 'utf8');
    assert.match(outside, new RegExp(`/testnode-${cluster.node.subnet.replace('.0/24', '')}`));
  });
});

/** Whether a container of the pod has its processes in a folder of its own in that kind of hierarchy. */
function holdsPod({ cgroups }: NodeInfo, pod: KubeObject, mode: 'v1' | 'v2'): boolean {
  const id = textAt(pod, 'status', 'containerStatuses', 0, 'containerID').replace('containerd://', '');
  const folders = cgroups.filter(({ options }) => (options === '') === (mode === 'v2'));
  return folders.some(({ folder }) =>
    ['', 'burstable', 'besteffort'].some((quality) => {
      const processes = join(folder, 'kubepods', quality, `pod${pod.metadata?.uid}`, id, 'cgroup.procs');
      return existsSync(processes) && readFileSync(processes, 'utf8').trim() !== '';
    }),
  );
}

suite('a machine without a node', () => {
  test('node/ says what a machine lacks, the first thing first', () => {
    const rest = { platform: 'linux', capabilities: ~0n, cgroupsWritable: true, runc: true } as const;
    const good = { ...rest, allowed: true, uid: 0 };
    assert.equal(lackOf(good), undefined);
    assert.equal(lackOf({ ...good, allowed: false, uid: 1000 }), 'permission');
    assert.equal(lackOf({ ...good, platform: 'darwin', uid: 501 }), 'linux');
    assert.equal(lackOf({ ...good, uid: 1000, runc: false }), 'root');
    assert.equal(lackOf({ ...good, capabilities: 0xa80425fbn }), 'capabilities'); // a container's usual ones
    assert.equal(lackOf({ ...good, cgroupsWritable: false }), 'cgroups');
    assert.equal(lackOf({ ...good, runc: false }), 'runc');
    assert.match(lacks('runc'), /apt-get install/);
  });

  test('node/ a closed port is on the stub kubelet a pod that is not Ready; pods that come later are ready', async (t) => {
    const cluster = await sharedCluster();
    const namespace = await createNamespace(t, cluster, 'stub-ports');
    const pods = stubPods(cluster, cluster);
    await pods.publish('registry.test/test/web:1');
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const create = (name: string): Promise<unknown> =>
      cluster.admin.create(path, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'registry.test/test/web:1' }] },
      });
    const ready = async (name: string, wanted: 'True' | 'False'): Promise<void> => {
      await waitUntil(`pod ${name} with Ready: ${wanted}`, async () => {
        return conditionStatus((await cluster.admin.get(`${path}/${name}`)).body, 'Ready') === wanted;
      });
    };
    const selector = { namespace, labels: { app: 'web' } };
    await create('first');
    await ready('first', 'True');
    await pods.closePort(selector);
    await ready('first', 'False');
    await create('second');
    await ready('second', 'True');
    await pods.openPort(selector);
    await ready('first', 'True');
  });
});
