// The mode of kube-proxy for nodes of this machine.
import { proxyLack } from '../tools/proxy-lack.ts';
import type { ClusterOptions } from './cluster.ts';

/** `nftables` where the machine has what that takes. */
export async function usableProxy(): Promise<NonNullable<ClusterOptions['proxy']>> {
  return (await proxyLack()) === undefined ? 'nftables' : 'none';
}
