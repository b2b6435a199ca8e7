// The shared cluster for tests about services that run: on a real node where the machine can, else on the stub kubelet.
import type { ClusterAccess, NodeInfo } from './cluster.ts';
import { DESK_VARIABLE } from './cluster-desk.ts';
import { kubeletPods, type Pods, stubPods } from './pods.ts';
import { sharedCluster, sharedNode } from './shared-cluster.ts';
import { whyStub } from './why-stub.ts';

export type SharedPods = ClusterAccess & {
  readonly pods: Pods;
  /** Where they run, when a kubelet runs them. */
  readonly node?: NodeInfo;
};

let found: Promise<SharedPods> | undefined;

/**
 * The cluster to test services on. Without a real node the run, or this file when it is alone, says why.
 * @throws ToolError or Error when it cannot be started
 */
export function sharedPods(): Promise<SharedPods> {
  found ??= find();
  return found;
}

async function find(): Promise<SharedPods> {
  const why = await whyStub();
  if (why === undefined) {
    const cluster = await sharedNode();
    return { ...cluster, pods: kubeletPods(cluster) };
  }
  // In a run the global setup has said it once for all files.
  if (process.env[DESK_VARIABLE] === undefined) process.stderr.write(`${why}\n`);
  const cluster = await sharedCluster();
  return { ...cluster, pods: stubPods(cluster, cluster) };
}
