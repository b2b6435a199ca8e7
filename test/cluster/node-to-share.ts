// Starts the cluster with a real node that tests share.
import { proxyLack } from '../tools/proxy-lack.ts';
import { startCluster, type TestCluster } from './cluster.ts';

/**
 * With kube-proxy where the machine can.
 * @throws ToolError or Error when it cannot be started
 */
export async function startNodeToShare(): Promise<TestCluster> {
  const proxy = (await proxyLack()) === undefined ? 'nftables' : 'none';
  return startCluster({ nodes: 1, proxy });
}
