// The pods of a service as stories need them, whoever runs them: images that can be pulled, and a port that closes.
import type { ClusterAccess } from './cluster.ts';
import { type KubeObject, textAt } from './kube-object.ts';
import { matchesPod, type PodSelector } from './pod-state.ts';
import type { PodDriver } from './stub-kubelet.ts';
import { waitUntil } from './wait-until.ts';
import { IMAGE_REGISTRY, pushWorkload } from './workload-images.ts';

/** The port a workload serves HTTP on, and the one it takes orders on. */
export const SERVING_PORT = 8080;
const CONTROL_PORT = 9090;

/** Pods, and who runs them. */
export type Pods = {
  readonly runBy: 'kubelet' | 'stub';
  /** Makes images like `registry.test/shop/api:1` ready to be pulled: a workload that serves HTTP on port 8080. */
  publish(...images: readonly string[]): Promise<void>;
  /**
   * Closes the serving port of the pods that run now; their processes go on, and pods that come later are not concerned.
   * Resolves when it is done, before probes and endpoints have noticed.
   */
  closePort(selector: PodSelector): Promise<void>;
  /** Opens it again. */
  openPort(selector: PodSelector): Promise<void>;
  /**
   * What the pods that run now say on the serving port: the version of their image each, or `refused` where the port is
   * closed. On the stub kubelet nobody can be asked, and the list is empty.
   */
  ask(selector: PodSelector): Promise<readonly string[]>;
};

/** Pods that a real kubelet runs. */
export function kubeletPods(cluster: ClusterAccess): Pods {
  return {
    runBy: 'kubelet',
    publish: async (...images) => {
      for (const image of images) {
        const [, name = '', tag = ''] = /^registry\.test\/(.+):([^:]+)$/.exec(image) ?? [];
        if (name === '') throw new Error(`${image}: give a name like ${IMAGE_REGISTRY}/shop/api:1`);
        await pushWorkload(cluster, {
          name,
          tag,
          args: ['-http', String(SERVING_PORT), '-control', String(CONTROL_PORT)],
        });
      }
    },
    closePort: (selector) => orderPods(cluster, selector, 'DELETE', `/listen?port=${SERVING_PORT}`),
    openPort: (selector) => orderPods(cluster, selector, 'PUT', `/listen?kind=http&port=${SERVING_PORT}`),
    ask: async (selector) => Promise.all((await running(cluster, selector)).map(askPod)),
  };
}

/** Pods that are only said to run. An image needs no registry, and a closed port is a pod that is not ready. */
export function stubPods(cluster: ClusterAccess, driver: Pick<PodDriver, 'setPodState'>): Pods {
  const bring = async (selector: PodSelector, state: 'ready' | 'unready'): Promise<void> => {
    for (const { metadata } of await running(cluster, selector)) {
      await driver.setPodState({ namespace: selector.namespace, name: metadata?.name ?? '' }, state);
    }
  };
  return {
    runBy: 'stub',
    publish: () => Promise.resolve(),
    closePort: (selector) => bring(selector, 'unready'),
    openPort: (selector) => bring(selector, 'ready'),
    ask: () => Promise.resolve([]),
  };
}

async function askPod(pod: KubeObject): Promise<string> {
  try {
    const answer = await fetch(`http://${textAt(pod, 'status', 'podIP')}:${SERVING_PORT}/`);
    return (await answer.text()).split(' ')[1] ?? '';
  } catch (error) {
    const { code } = (error as Error).cause as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') return 'refused';
    throw error;
  }
}

/**
 * Gives an order to the workload of each pod that runs now, on a real node. See `test/tools/workload`.
 * @throws Error when nothing runs, or a workload refuses
 */
export async function orderPods(
  cluster: ClusterAccess,
  selector: PodSelector,
  method: 'PUT' | 'DELETE',
  path: string,
  body: string | null = null,
): Promise<void> {
  for (const pod of await running(cluster, selector)) {
    const url = `http://${textAt(pod, 'status', 'podIP')}:${CONTROL_PORT}${path}`;
    const answer = await fetch(url, { method, body });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  }
}

async function running({ admin }: ClusterAccess, selector: PodSelector): Promise<readonly KubeObject[]> {
  return waitUntil(`pods of ${JSON.stringify(selector)} that run`, async () => {
    const { body } = await admin.list(`/api/v1/namespaces/${selector.namespace}/pods`);
    const meant = body.items.filter(
      (pod) => matchesPod(selector, pod) && pod.metadata?.deletionTimestamp === undefined,
    );
    return meant.length > 0 && meant.every((pod) => textAt(pod, 'status', 'phase') === 'Running') && meant;
  });
}
