// Finds the cluster to talk to: a kubeconfig that was named, $KUBECONFIG, ~/.kube/config, or the pod we run in.
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ClusterConfig, ClusterConfigError } from './cluster-config.ts';
import { environmentProxy } from './environment-proxy.ts';

export type LoadOptions = {
  /** Path of a kubeconfig; when given, nothing else is looked at. */
  readonly kubeconfig?: string;
  /** Context to use. Default: the current one. */
  readonly context?: string;
  /**
   * The environment, of which KUBECONFIG, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT and, where the kubeconfig names
   * no proxy, HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder, for `.kube/config`. Default: none. */
  readonly home?: string;
  /** Folder of the service account. Default: where Kubernetes mounts it. */
  readonly serviceAccountFolder?: string;
};

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Loads the configuration, in kubectl's order: `kubeconfig`; the files in $KUBECONFIG; `~/.kube/config`; the service
 * account of the pod. Throws {@link ClusterConfigError} when there is none or it cannot be used.
 */
export async function loadClusterConfig(options: LoadOptions): Promise<ClusterConfig> {
  const config = await findConfig(options);
  const proxyUrl = config.proxyUrl ?? environmentProxy(config.server, options.env);
  return proxyUrl === undefined ? config : { ...config, proxyUrl };
}

async function findConfig(options: LoadOptions): Promise<ClusterConfig> {
  const { kubeconfig, context, env, home } = options;
  if (kubeconfig !== undefined) return fromKubeconfigs([path.resolve(kubeconfig)], context);
  const listed = (env['KUBECONFIG'] ?? '').split(path.delimiter).filter((file) => file !== '');
  if (listed.length > 0) {
    const existing = await present(listed.map((file) => path.resolve(file)));
    if (existing.length === 0) {
      throw new ClusterConfigError(
        `$KUBECONFIG names ${listed.join(', ')}, which does not exist; correct it or unset it`,
      );
    }
    return fromKubeconfigs(existing, context);
  }
  const [standard] = home === undefined ? [] : await present([path.join(home, '.kube', 'config')]);
  if (standard !== undefined) return fromKubeconfigs([standard], context);
  const inCluster = await loadInCluster(env, options.serviceAccountFolder ?? SERVICE_ACCOUNT);
  if (inCluster === undefined) {
    throw new ClusterConfigError(
      'no cluster is configured: there is no --kubeconfig, no $KUBECONFIG, no ~/.kube/config and no service account; ' +
        'name a kubeconfig with --kubeconfig',
    );
  }
  if (context !== undefined) {
    throw new ClusterConfigError(
      `context "${context}" was asked for, but there is no kubeconfig to look it up in`,
    );
  }
  return inCluster;
}

async function fromKubeconfigs(
  files: readonly string[],
  context: string | undefined,
): Promise<ClusterConfig> {
  // A pod has none, and need not hold the YAML parser in memory.
  const { readKubeconfig, resolveContext } = await import('./kubeconfig.ts');
  return resolveContext(await readKubeconfig(files), context);
}

async function loadInCluster(env: LoadOptions['env'], folder: string): Promise<ClusterConfig | undefined> {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (host === undefined || host === '' || port === undefined || port === '') return undefined;
  const token = path.join(folder, 'token');
  if ((await present([token])).length === 0) {
    throw new ClusterConfigError(
      `this looks like a pod, but ${token} does not exist; set automountServiceAccountToken or name a --kubeconfig`,
    );
  }
  const ca = path.join(folder, 'ca.crt');
  if ((await present([ca])).length === 0) {
    throw new ClusterConfigError(
      `this looks like a pod, but ${ca} does not exist; without it the API server cannot be told from an impostor`,
    );
  }
  const namespace = await readFile(path.join(folder, 'namespace'), 'utf8').catch(() => '');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    source: `the service account in ${folder}`,
    tlsVerify: 'verify',
    ca: { kind: 'file', path: ca },
    auth: { kind: 'tokenFile', path: token },
    ...(namespace.trim() === '' ? {} : { namespace: namespace.trim() }),
  };
}

async function present(files: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of files) {
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    ) {
      found.push(file);
    }
  }
  return found;
}
