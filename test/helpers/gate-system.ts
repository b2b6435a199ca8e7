// The product on a real control plane: operator and webhook as processes with their own accounts and the shipped rights.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { AGENT_NAMESPACE } from '../../api/names.ts';
import type { ClusterAccess } from '../cluster/cluster.ts';
import { type ServiceAccountCredentials, serviceAccountKubeconfig } from '../cluster/credentials.ts';
import { applyManifests } from '../cluster/manifests.ts';
import { Program } from './program.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const SYSTEM = 'pacto-gate-system';
/** The opt-in rights are granted always; what is off does not use them. */
const ROLES = [
  'operator.yaml',
  'metrics-observation.yaml',
  'kernel-evidence.yaml',
  'webhook.yaml',
  'reader.yaml',
] as const;
/** Tokens live an hour and are renewed at half their life, as kubelet would. */
const TOKEN_SECONDS = 3_600;

export type GateSystemOptions = {
  /** Go-style duration. */
  readonly window: string;
  /** The one namespace the operator looks at, without leader election; absent: all, with it. */
  readonly watchNamespace?: string;
  /** Namespaces whose writes reach the webhook; absent: those of the shipped configuration. */
  readonly governed?: readonly string[];
  /** Name of the webhook configuration. Default: `pacto-gate`. */
  readonly name?: string;
  /** More words for the operator. */
  readonly operatorFlags?: readonly string[];
  /** File with the program's `main`. Default: the sources. */
  readonly entry?: string;
};

export type GateSystem = AsyncDisposable & {
  readonly operator: Program;
  readonly webhook: Program;
  /** Base URLs of the health endpoints. */
  readonly operatorHealth: string;
  readonly webhookHealth: string;
  /** Takes the webhook configuration away, then stops both processes. */
  stop(): Promise<void>;
};

/** Applies accounts and rights, starts both processes, and registers the webhook once it answers. */
export async function startGateSystem(
  cluster: ClusterAccess,
  options: GateSystemOptions,
): Promise<GateSystem> {
  const { window, watchNamespace, name = 'pacto-gate', entry } = options;
  await installRights(cluster);
  const operatorAccount = await account(cluster, 'pacto-operator');
  const webhookAccount = await account(cluster, 'pacto-gate-webhook');
  const scope = watchNamespace === undefined ? ['--leader-elect'] : ['--watch-namespace', watchNamespace];
  const source = entry === undefined ? {} : { entry };
  const operator = new Program(
    [
      'operator',
      ...scope,
      ...['--kubeconfig', operatorAccount.kubeconfig, '--stabilization-window', window],
      ...['--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '127.0.0.1:0'],
      ...(options.operatorFlags ?? []),
    ],
    { env: { POD_NAMESPACE: SYSTEM, POD_NAME: 'pacto-operator-0' }, ...source },
  );
  const webhook = new Program(
    [
      'webhook',
      ...['--kubeconfig', webhookAccount.kubeconfig, '--stabilization-window', window, '--drain-delay', '0s'],
      ...['--bind-address', '127.0.0.1:0', '--health-probe-bind-address', '127.0.0.1:0'],
      ...[
        '--tls-cert-file',
        join(cluster.pki, 'apiserver.crt'),
        '--tls-private-key-file',
        join(cluster.pki, 'apiserver.key'),
      ],
    ],
    source,
  );
  const renewal = setInterval(
    () => {
      Promise.all([operatorAccount.refresh(), webhookAccount.refresh()]).catch((error: unknown) => {
        process.stderr.write(`the tokens of operator and webhook were not renewed: ${String(error)}\n`);
      });
    },
    (TOKEN_SECONDS * 1000) / 2,
  );
  const configuration = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${name}`;
  const stop = async (): Promise<void> => {
    clearInterval(renewal);
    await cluster.admin.delete(configuration).catch(() => undefined);
    await Promise.all([operator.stop(), webhook.stop()]);
  };
  try {
    const port = await webhook.port('webhook is serving');
    const operatorPort = await operator.port('health endpoints are serving');
    await operator.line('readiness', (line) => line.message === 'operator is judging');
    await register(cluster, { name, port, governed: options.governed });
    return {
      operator,
      webhook,
      operatorHealth: `http://127.0.0.1:${operatorPort}`,
      webhookHealth: `http://127.0.0.1:${await webhook.port('health endpoints are serving')}`,
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Namespace, accounts, roles and bindings as they are shipped. */
export async function installRights({ admin }: ClusterAccess): Promise<void> {
  await applyManifests(admin, `{ apiVersion: v1, kind: Namespace, metadata: { name: ${SYSTEM} } }`);
  await applyManifests(admin, `{ apiVersion: v1, kind: Namespace, metadata: { name: ${AGENT_NAMESPACE} } }`);
  for (const file of ROLES) {
    await applyManifests(admin, await readFile(join(DEPLOY, 'rbac', file), 'utf8'));
  }
}

function account(cluster: ClusterAccess, name: string): Promise<ServiceAccountCredentials> {
  return serviceAccountKubeconfig(cluster, {
    namespace: SYSTEM,
    name,
    token: 'file',
    expirationSeconds: TOKEN_SECONDS,
  });
}

type WebhookConfiguration = {
  metadata: { name: string };
  webhooks: {
    clientConfig: { service?: { path: string }; url?: string; caBundle?: string };
    namespaceSelector: unknown;
  }[];
};

/** Registers the shipped configuration with the address of the process in place of the Service. */
async function register(
  cluster: ClusterAccess,
  {
    name,
    port,
    governed,
  }: { readonly name: string; readonly port: number; readonly governed: readonly string[] | undefined },
): Promise<void> {
  const file = join(DEPLOY, 'webhook', 'validating-webhook-configuration.yaml');
  const configuration = parse(await readFile(file, 'utf8')) as WebhookConfiguration;
  const caBundle = (await readFile(join(cluster.pki, 'ca.crt'))).toString('base64');
  configuration.metadata.name = name;
  for (const hook of configuration.webhooks) {
    hook.clientConfig = {
      url: `https://127.0.0.1:${port}${hook.clientConfig.service?.path ?? ''}`,
      caBundle,
    };
    if (governed === undefined) continue;
    hook.namespaceSelector = {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: governed }],
    };
  }
  await applyManifests(cluster.admin, JSON.stringify(configuration));
}
