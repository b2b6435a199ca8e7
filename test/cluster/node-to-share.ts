// Starts the cluster with a real node that tests share.
import { startCluster, type TestCluster } from './cluster.ts';
import { usableProxy } from './usable-proxy.ts';

/**
 * With kube-proxy where the machine can.
 * @throws ToolError or Error when it cannot be started
 */
export async function startNodeToShare(): Promise<TestCluster> {
  return startCluster({ nodes: 1, proxy: await usableProxy() });
}
