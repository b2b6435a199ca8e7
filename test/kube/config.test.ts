// Finding and reading the configuration of a cluster, as kubectl does, with errors one can act on.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { ClusterConfigError } from '../../kube/cluster-config.ts';
import { loadClusterConfig } from '../../kube/config.ts';
import { environmentProxy } from '../../kube/environment-proxy.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const BASE = `
apiVersion: v1
kind: Config
current-context: one
clusters:
- name: c1
  cluster: {server: 'https://one.example:6443/', certificate-authority: ca.pem}
contexts:
- name: one
  context: {cluster: c1, user: u1, namespace: team-a}
- name: two
  context: {cluster: c1, user: u2}
users:
- name: u1
  user: {token: secret-token}
- name: u2
  user: {client-certificate-data: Y2VydA==, client-key-data: a2V5}
`;

async function write(t: TestContext, name: string, text: string, folder?: string): Promise<string> {
  const file = path.join(folder ?? (await temporaryFolder(t)), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

async function refusal(options: Parameters<typeof loadClusterConfig>[0]): Promise<string> {
  const error: unknown = await loadClusterConfig(options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ClusterConfigError, String(error));
  return error.message;
}

test('config/a named kubeconfig wins over everything else', async (t) => {
  const file = await write(t, 'config', BASE);
  const config = await loadClusterConfig({
    kubeconfig: file,
    env: { KUBECONFIG: '/nowhere', KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' },
  });
  assert.deepEqual(config, {
    source: `context "one" of ${file}`,
    namespace: 'team-a',
    server: 'https://one.example:6443',
    tlsVerify: 'verify',
    ca: { kind: 'file', path: path.join(path.dirname(file), 'ca.pem') },
    auth: { kind: 'token', token: 'secret-token' },
  });
  const two = await loadClusterConfig({ kubeconfig: file, context: 'two', env: {} });
  assert.deepEqual(
    [two.auth, two.clientCertificate],
    [
      { kind: 'anonymous' },
      { certificate: { kind: 'inline', pem: 'cert' }, key: { kind: 'inline', pem: 'key' } },
    ],
  );
});

test('config/files of $KUBECONFIG are merged, the first to name something wins, missing ones are passed over', async (t) => {
  const first = await write(
    t,
    'a/first',
    `{clusters: [{name: c1, cluster: {server: 'https://first.example', proxy-url: 'http://proxy:1', tls-server-name: sni}}],
      users: [{name: u2, user: {tokenFile: sub/token, token: ignored}}]}`,
  );
  const second = await write(t, 'b/second', BASE);
  const env = { KUBECONFIG: ['/does/not/exist', first, second].join(path.delimiter) };
  const config = await loadClusterConfig({ env, context: 'two' });
  assert.deepEqual(
    [config.server, config.proxyUrl, config.serverName, config.ca, config.auth],
    [
      'https://first.example',
      'http://proxy:1',
      'sni',
      undefined,
      { kind: 'tokenFile', path: path.join(path.dirname(first), 'sub/token') },
    ],
  );
});

test('config/without a name, ~/.kube/config, and then the service account of the pod', async (t) => {
  const home = await temporaryFolder(t);
  const account = await temporaryFolder(t);
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
  await write(t, 'token', 'abc', account);
  await write(t, 'ca.crt', 'pem', account);
  await write(t, 'namespace', 'pod-ns\n', account);
  const inPod = await loadClusterConfig({ env, home, serviceAccountFolder: account });
  assert.deepEqual(inPod, {
    server: 'https://[fd00::1]:6443',
    source: `the service account in ${account}`,
    tlsVerify: 'verify',
    ca: { kind: 'file', path: path.join(account, 'ca.crt') },
    auth: { kind: 'tokenFile', path: path.join(account, 'token') },
    namespace: 'pod-ns',
  });
  await write(t, '.kube/config', BASE, home);
  const fromHome = await loadClusterConfig({ env, home, serviceAccountFolder: account });
  assert.equal(fromHome.server, 'https://one.example:6443');
});

test('config/exec, basic, impersonation and skipped verification are read', async (t) => {
  const file = await write(
    t,
    'config',
    `
current-context: x
clusters: [{name: c, cluster: {server: 'https://x', insecure-skip-tls-verify: true}}]
contexts: [{name: x, context: {cluster: c, user: exec}}, {name: y, context: {cluster: c, user: basic}}]
users:
- name: exec
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [a, b]
      env: [{name: N, value: V}]
      provideClusterInfo: true
      installHint: get it
      interactiveMode: IfAvailable
- name: basic
  user: {username: me, password: pass, as: other, as-groups: [g], as-uid: '1'}
`,
  );
  const exec = await loadClusterConfig({ kubeconfig: file, env: {} });
  assert.equal(exec.tlsVerify, 'skip');
  assert.deepEqual(exec.auth, {
    kind: 'exec',
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: path.join(path.dirname(file), 'bin/login'),
      args: ['a', 'b'],
      env: [{ name: 'N', value: 'V' }],
      provideClusterInfo: true,
      installHint: 'get it',
    },
  });
  const basic = await loadClusterConfig({ kubeconfig: file, context: 'y', env: {} });
  assert.deepEqual(basic.auth, { kind: 'basic', username: 'me', password: 'pass' });
  assert.deepEqual(basic.impersonate, { user: 'other', groups: ['g'], uid: '1' });
});

test('config/what is missing or wrong is said in one sentence with the way out', async (t) => {
  const folder = await temporaryFolder(t);
  const file = await write(t, 'config', BASE, folder);
  const at = (text: string, name: string): Promise<string> => write(t, name, text, folder);
  assert.equal(
    await refusal({ kubeconfig: '/no/such/file', env: {} }),
    'kubeconfig /no/such/file does not exist; name another file with --kubeconfig or $KUBECONFIG',
  );
  assert.equal(
    await refusal({ env: { KUBECONFIG: '/no/such/file' } }),
    '$KUBECONFIG names /no/such/file, which does not exist; correct it or unset it',
  );
  assert.match(
    await refusal({ env: {} }),
    /^no cluster is configured: .*name a kubeconfig with --kubeconfig$/,
  );
  assert.equal(
    await refusal({ kubeconfig: file, context: 'three', env: {} }),
    `context "three" is not in ${file}; it has: one, two`,
  );
  assert.match(await refusal({ kubeconfig: folder, env: {} }), /cannot be read; check its permissions/);
  assert.match(
    await refusal({ kubeconfig: await at('a: [', 'broken'), env: {} }),
    /not valid YAML \(line 1, /,
  );
  assert.match(await refusal({ kubeconfig: await at('- a', 'list'), env: {} }), /is not a mapping/);
  assert.match(
    await refusal({ kubeconfig: await at('', 'empty'), env: {} }),
    /no current context; choose one with --context/,
  );
  for (const [change, message] of [
    [['https://one.example:6443/', 'ftp://x'], /server "ftp:\/\/x" is not an http or https URL/],
    [['user: u1', 'user: nobody'], /names user "nobody", which .* does not define/],
    [['cluster: c1, user: u1', 'cluster: nowhere, user: u1'], /names cluster "nowhere"/],
    [['{token: secret-token}', '{client-key: k}'], /client-certificate and client-key go together/],
    [
      ['{token: secret-token}', '{auth-provider: {name: gcp}}'],
      /auth-provider "gcp", which Kubernetes removed in 1\.26/,
    ],
    [
      ['{token: secret-token}', '{exec: {apiVersion: v1, command: x}}'],
      /exec apiVersion "v1" is not supported/,
    ],
    [
      [
        '{token: secret-token}',
        '{exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Always}}',
      ],
      /interactiveMode Always/,
    ],
  ] as const) {
    const [from, to] = change;
    const text = await refusal({ kubeconfig: await at(BASE.replace(from, to), 'changed'), env: {} });
    assert.match(text, message);
    assert.doesNotMatch(text, /secret-token/);
  }
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  assert.match(
    await refusal({ env, serviceAccountFolder: folder }),
    /looks like a pod, but .*token does not exist/,
  );
});

test('config/a YAML bomb is refused', async (t) => {
  const levels = Array.from(
    { length: 12 },
    (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]`,
  );
  const file = await write(t, 'bomb', `l0: &l0 x\n${levels.join('\n')}\n`);
  assert.match(await refusal({ kubeconfig: file, env: {} }), /cannot be read safely/);
});

test('config/proxies of the environment are used as kubectl uses them', () => {
  const env = {
    HTTPS_PROXY: 'http://proxy:3128',
    http_proxy: 'plain-proxy:8080',
    NO_PROXY: 'internal.example, .corp,10.0.0.0/8,192.168.1.1,other.example:8443,[fd00::]/8',
  };
  for (const [server, proxy] of [
    ['https://api.example', 'http://proxy:3128'],
    ['http://api.example', 'http://plain-proxy:8080'],
    ['https://internal.example', undefined],
    ['https://a.internal.example:6443', undefined],
    ['https://notinternal.example', 'http://proxy:3128'],
    ['https://corp', 'http://proxy:3128'],
    ['https://x.corp', undefined],
    ['https://10.1.2.3', undefined],
    ['https://11.1.2.3', 'http://proxy:3128'],
    ['https://192.168.1.1:6443', undefined],
    ['https://other.example:8443', undefined],
    ['https://other.example:443', 'http://proxy:3128'],
    ['https://127.0.0.1:6443', undefined],
    ['https://localhost', undefined],
    ['https://[::1]:6443', undefined],
  ] as const) {
    assert.equal(environmentProxy(server, env), proxy, server);
  }
  assert.equal(environmentProxy('https://api.example', { ...env, NO_PROXY: '*' }), undefined);
  assert.equal(environmentProxy('https://api.example', {}), undefined);
});

test('config/the proxy of the kubeconfig wins over the environment', async (t) => {
  const env = { HTTPS_PROXY: 'http://env-proxy:1' };
  const plain = await write(t, 'plain', BASE);
  const own = await write(
    t,
    'own',
    BASE.replace('certificate-authority', "proxy-url: 'http://own:1', certificate-authority"),
  );
  assert.equal((await loadClusterConfig({ kubeconfig: plain, env })).proxyUrl, 'http://env-proxy:1');
  assert.equal((await loadClusterConfig({ kubeconfig: own, env })).proxyUrl, 'http://own:1');
});
