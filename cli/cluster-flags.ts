// Flags that say which cluster, and the client of a short command.
import { USER_AGENT } from '../api/names.ts';
import { KubeClient } from '../kube/client.ts';
import type { ClusterConfig } from '../kube/cluster-config.ts';
import { loadClusterConfig } from '../kube/config.ts';
import { UndiciTransport } from '../kube/undici-transport.ts';
import type { CliContext } from './command.ts';

export const CLUSTER_FLAGS = {
  kubeconfig: {
    kind: 'string',
    help: 'Path of the kubeconfig; default $KUBECONFIG, ~/.kube/config, or the pod',
    placeholder: 'FILE',
  },
  context: { kind: 'string', help: 'Context of the kubeconfig', placeholder: 'NAME' },
} as const;

export type ClusterFlags = { readonly kubeconfig: string | undefined; readonly context: string | undefined };

export function clusterConfig(flags: ClusterFlags, context: CliContext): Promise<ClusterConfig> {
  return loadClusterConfig({
    env: context.env,
    home: context.home,
    ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
    ...(flags.context === undefined ? {} : { context: flags.context }),
  });
}

export type Connected = { readonly client: KubeClient; readonly config: ClusterConfig };

/** Hands a client to `work` and closes its connections afterwards. */
export async function withClient<T>(
  flags: ClusterFlags,
  context: CliContext,
  work: (connected: Connected) => Promise<T>,
): Promise<T> {
  const config = await clusterConfig(flags, context);
  const transport = new UndiciTransport({
    config,
    clock: context.clock,
    userAgent: `${USER_AGENT}/${context.version}`,
  });
  try {
    return await work({ client: new KubeClient({ transport, clock: context.clock }), config });
  } finally {
    await transport.close();
  }
}
