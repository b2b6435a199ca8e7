// One pod on a real node, for tests of the node itself.
import { refusal } from './client.ts';
import type { ClusterAccess } from './cluster.ts';
import { conditionStatus, type KubeObject } from './kube-object.ts';
import { waitUntil } from './wait-until.ts';
import { pushWorkload } from './workload-images.ts';

export type PodOptions = {
  readonly namespace: string;
  readonly name: string;
  /** Node to run on. */
  readonly node: string;
  /** A volume to mount. Default: none. */
  readonly volume?: 'tmpfs';
};

/** Runs the test workload with an HTTP port 8080 and the control port 9090; resolves with the pod once it is Ready. */
export async function runPod(
  cluster: ClusterAccess,
  { namespace, name, node, volume }: PodOptions,
): Promise<KubeObject> {
  const { admin } = cluster;
  const args = ['-http', '8080', '-control', '9090'];
  const { byDigest } = await pushWorkload(cluster, { name: 'test/workload', tag: '1', args });
  const volumes = volume === undefined ? [] : [{ name: 'data', emptyDir: { medium: 'Memory' } }];
  const answer = await admin.create(`/api/v1/namespaces/${namespace}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 1,
      volumes,
      containers: [
        {
          name: 'main',
          image: byDigest,
          volumeMounts: volumes.map((each) => ({ name: each.name, mountPath: '/data' })),
          readinessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 1 },
        },
      ],
    },
  });
  if (answer.code !== 201) throw refusal(`pod ${namespace}/${name}`, answer);
  return waitUntil(`pod ${namespace}/${name} to be Ready`, async () => {
    const { body } = await admin.get(`/api/v1/namespaces/${namespace}/pods/${name}`);
    return conditionStatus(body, 'Ready') === 'True' && body;
  });
}
