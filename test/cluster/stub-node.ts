// A Node that exists in the API alone, ready to have pods scheduled to it.
import { refusal, type TestClient } from './client.ts';
import { at, listAt } from './kube-object.ts';
import { nowSeconds } from './now-seconds.ts';

/**
 * Creates a Node, or takes one of that name, makes it Ready, and lifts the taint that admission puts on a new one; the
 * controller that would lift it does not run where no kubelet sends heartbeats.
 * @param address InternalIP; nothing ever connects to it
 */
export async function createStubNode(admin: TestClient, name: string, address: string): Promise<void> {
  const path = `/api/v1/nodes/${name}`;
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
  };
  const created = await admin.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
  });
  if (created.code !== 201 && created.code !== 409) throw refusal(`node ${name}`, created);
  const now = nowSeconds();
  const capacity = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '1000' };
  const ready = await admin.mergePatch(`${path}/status`, {
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'StubKubelet',
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      capacity,
      allocatable: capacity,
    },
  });
  if (ready.code >= 300) throw refusal(`the status of node ${name}`, ready);
  const { body } = await admin.get(path);
  const taints = listAt(body, 'spec', 'taints');
  const kept = taints.filter((taint) => at(taint, 'key') !== 'node.kubernetes.io/not-ready');
  if (kept.length < taints.length) await admin.mergePatch(path, { spec: { taints: kept } });
}
