// Identities for programs under test: a ServiceAccount, a token that may be bound to a pod, and a kubeconfig that holds it.
import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusal, TestClient } from './client.ts';
import type { ClusterAccess } from './cluster.ts';
import { textAt } from './kube-object.ts';
import { readAccess } from './kubeconfig.ts';

export type ServiceAccountOptions = {
  readonly namespace: string;
  /** Of the ServiceAccount; it is created where it does not exist. */
  readonly name: string;
  /** Pod the token is bound to; it dies with the pod. Created where it does not exist. */
  readonly podName?: string;
  /** Node a created pod is bound to, which the token then names. Created where it does not exist. */
  readonly nodeName?: string;
  /** Seconds, at least 600, which the server demands. Default: 3600. */
  readonly expirationSeconds?: number;
  /** Where the kubeconfig has the token: in itself, or in a file beside it that `refresh` rewrites. Default: `inline`. */
  readonly token?: 'inline' | 'file';
};

/** A kubeconfig of a ServiceAccount. */
export type ServiceAccountCredentials = {
  /** Path of the kubeconfig, in the cluster's folder. */
  readonly kubeconfig: string;
  /** Path of the file with the token alone. */
  readonly tokenFile: string;
  /** User name as the server sees it. */
  readonly user: string;
  /** A client with these credentials; it reads a token file anew for each request. */
  readonly client: TestClient;
  /** Asks for a new token and writes it to the files, each replaced in one step as kubelet does. */
  refresh(): Promise<void>;
};

/** @throws Error when the server refuses something, with its words */
export async function serviceAccountKubeconfig(
  cluster: ClusterAccess,
  options: ServiceAccountOptions,
): Promise<ServiceAccountCredentials> {
  const { admin } = cluster;
  const { namespace, name, podName, nodeName, token = 'inline' } = options;
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await createUnlessThere(admin, accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
  if (nodeName !== undefined) {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } };
    await createUnlessThere(admin, '/api/v1/nodes', node);
  }
  if (podName !== undefined) await createUnlessThere(admin, pods, podOf(podName, name, nodeName));
  const folder = join(cluster.dir, 'credentials', `${namespace}-${name}-${randomBytes(4).toString('hex')}`);
  await mkdir(folder, { recursive: true });
  const kubeconfig = join(folder, 'kubeconfig');
  const tokenFile = join(folder, 'token');
  const refresh = async (): Promise<void> => {
    const text = await requestToken(admin, `${accounts}/${name}/token`, pods, options);
    await replaceFile(tokenFile, text);
    const user = token === 'file' ? { tokenFile } : { token: text };
    await replaceFile(kubeconfig, kubeconfigText(cluster, user));
  };
  await refresh();
  return {
    kubeconfig,
    tokenFile,
    user: `system:serviceaccount:${namespace}:${name}`,
    client: new TestClient({
      ...readAccess(kubeconfig),
      credentials: { kind: 'token', token: () => readFileSync(tokenFile, 'utf8') },
    }),
    refresh,
  };
}

async function requestToken(
  admin: TestClient,
  path: string,
  pods: string,
  { podName, expirationSeconds = 3_600 }: ServiceAccountOptions,
): Promise<string> {
  const spec: Record<string, unknown> = { expirationSeconds };
  if (podName !== undefined) {
    const pod = await admin.get(`${pods}/${podName}`);
    spec['boundObjectRef'] = {
      apiVersion: 'v1',
      kind: 'Pod',
      name: podName,
      uid: pod.body.metadata?.uid,
    };
  }
  const answer = await admin.create(path, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
  });
  const token = textAt(answer.body, 'status', 'token');
  if (token === '') throw refusal(path, answer);
  return token;
}

const podOf = (name: string, serviceAccountName: string, nodeName: string | undefined): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    serviceAccountName,
    ...(nodeName !== undefined && { nodeName }),
    containers: [{ name: 'main', image: 'registry.test/none:1' }],
  },
});

function kubeconfigText({ server, pki }: ClusterAccess, user: object): string {
  const ca = readFileSync(join(pki, 'ca.crt')).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  });
}

async function createUnlessThere(admin: TestClient, path: string, object: object): Promise<void> {
  const answer = await admin.create(path, object);
  if (answer.code !== 201 && answer.code !== 409) throw refusal(`creating in ${path}`, answer);
}

async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
