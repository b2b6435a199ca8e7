// Kernel evidence on a real API server: what is published about a node decides, as soon as it is published.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_LABELS, AGENT_NAMESPACE } from '../../api/names.ts';
import { formatTime } from '../../api/time.ts';
import { type KubeObject, listAt, textAt } from '../cluster/kube-object.ts';
import { createNamespace } from '../cluster/namespace.ts';
import { sharedCluster } from '../cluster/shared-cluster.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { verdict } from '../demo/promotions.ts';
import { apply, contract, deployment, pacto, REGISTRY, service } from '../demo/shop.ts';
import { startGateSystem } from '../helpers/gate-system.ts';

const codes = (object: KubeObject): readonly string[] =>
  listAt(object, 'status', 'findings').map((finding) => textAt(finding, 'code'));

test('evaluation/KE2 KE3 KE1 a node that sees nothing listen, then sees it', async (t) => {
  const cluster = await sharedCluster();
  const { admin } = cluster;
  const namespace = await createNamespace(t, cluster, 'kernel');
  const system = await startGateSystem(cluster, {
    window: '2s',
    watchNamespace: namespace,
    governed: [namespace],
    name: `kernel-${namespace}`,
    operatorFlags: ['--enable-kernel-evidence', '--kernel-evidence-staleness', '1h'],
  });
  t.after(() => system.stop());
  await apply(
    admin,
    deployment(namespace, { name: 'api', image: `${REGISTRY}/api:1` }, 1),
    service(namespace, 'api'),
    pacto(namespace, 'api', contract('api', '1.0.0')),
  );
  const pod = await waitUntil('the pod to be ready', async () => {
    const { body } = await admin.list(`/api/v1/namespaces/${namespace}/pods`);
    return body.items.find((item) => textAt(item, 'status', 'phase') === 'Running');
  });
  // No agent has published anything: nothing is known, whatever the endpoints say.
  await waitUntil('the verdict that nothing is known', async () => {
    const judged = await verdict(admin, namespace, 'api', 'Unknown');
    return codes(judged).join(' ') === 'EVIDENCE_STALE';
  });
  const observations = `/apis/pacto.trianalab.io/v1alpha1/namespaces/${AGENT_NAMESPACE}/noderuntimeobservations`;
  const node = textAt(pod, 'spec', 'nodeName');
  const uid = pod.metadata?.uid ?? '';
  const now = (): string => formatTime(Date.now());
  const publish = (listeners: readonly object[]): Promise<void> =>
    apply(admin, {
      apiVersion: 'pacto.trianalab.io/v1alpha1',
      kind: 'NodeRuntimeObservation',
      metadata: { name: node, namespace: AGENT_NAMESPACE, labels: AGENT_LABELS },
      spec: { nodeName: node },
      status: {
        lastPublished: now(),
        collection: { state: 'Running' },
        pods: [{ uid, baselineTime: now(), listeners, peers: [] }],
      },
    });
  t.after(() => admin.delete(`${observations}/${node}`));
  await publish([]);
  const silent = await verdict(admin, namespace, 'api', 'NonCompliant');
  assert.deepEqual(codes(silent), ['INTERFACE_ABSENT']);
  await publish([{ address: '0.0.0.0', port: 8080 }]);
  const confirmed = await verdict(admin, namespace, 'api', 'Compliant');
  assert.deepEqual(listAt(confirmed, 'status', 'observationWindows'), []);
});
