// Least privilege, both ways, by the API server's own audit log: no request of ours is refused for want of a right, and
// no right is granted that is never used.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { startCluster, type TestCluster } from '../cluster/cluster.ts';
import { serviceAccountKubeconfig } from '../cluster/credentials.ts';
import { at, listAt } from '../cluster/kube-object.ts';
import { applyManifests } from '../cluster/manifests.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { verdict } from '../demo/promotions.ts';
import { apply, contract, deployment, pacto, service } from '../demo/shop.ts';
import { serveForeignKinds } from '../helpers/foreign-kinds.ts';
import { startGateSystem } from '../helpers/gate-system.ts';
import { Program, runProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const AUDIT_POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
    userGroups: ["system:serviceaccounts:pacto-gate-system"]
  - level: None
`;

/** `user verb group/resource`, with the subresource behind a further slash. */
type Right = string;

type AuditEvent = {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
};

function rightOf({ verb, user, objectRef }: AuditEvent): Right {
  const { apiGroup = '', resource = '', subresource } = objectRef ?? {};
  const account = user.username.split(':').at(-1);
  return `${account} ${verb} ${apiGroup}/${resource}${subresource === undefined ? '' : `/${subresource}`}`;
}

async function audited(file: string): Promise<AuditEvent[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.endsWith('}'));
  return lines
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter((event) => event.objectRef?.resource !== undefined);
}

/** Every right in the shipped roles of these accounts. */
async function granted(): Promise<Set<Right>> {
  const accounts: Readonly<Record<string, string>> = {
    'operator.yaml': 'pacto-operator',
    'metrics-observation.yaml': 'pacto-operator',
    'kernel-evidence.yaml': 'pacto-operator',
    'webhook.yaml': 'pacto-gate-webhook',
    'reader.yaml': 'reader',
  };
  const rights = new Set<Right>();
  for (const [file, account] of Object.entries(accounts)) {
    const path = fileURLToPath(new URL(`../../deploy/rbac/${file}`, import.meta.url));
    for (const document of parseAllDocuments(await readFile(path, 'utf8'))) {
      for (const right of rightsOf(document.toJS())) rights.add(`${account} ${right}`);
    }
  }
  return rights;
}

/** `verb group/resource` of every rule of a role. */
function rightsOf(role: unknown): string[] {
  return listAt(role, 'rules').flatMap((rule) =>
    listAt(rule, 'apiGroups').flatMap((group) =>
      listAt(rule, 'resources').flatMap((resource) =>
        listAt(rule, 'verbs').map((verb) => `${String(verb)} ${String(group)}/${String(resource)}`),
      ),
    ),
  );
}

/** How the API server hands out lists: as streams, which need `watch` alone, or as pages, which need `list` too. */
const SERVERS: readonly { readonly name: string; readonly flags: readonly string[] }[] = [
  { name: 'streaming', flags: [] },
  { name: 'paging', flags: ['--feature-gates=WatchList=false'] },
];

test('gate/rights every granted right is used, and nothing is refused', async (t) => {
  const folder = await temporaryFolder(t);
  const policy = join(folder, 'policy.yaml');
  await writeFile(policy, AUDIT_POLICY);
  const seen: AuditEvent[] = [];
  for (const { name, flags } of SERVERS) {
    const log = join(folder, `${name}.log`);
    await using cluster = await startCluster({
      args: { apiserver: [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`, ...flags] },
    });
    await exercise(cluster);
    const event = (e: AuditEvent): boolean => e.verb === 'patch' && e.objectRef?.resource === 'events';
    await waitUntil('an event to be folded into an earlier one', async () =>
      (await audited(log)).some(event),
    );
    seen.push(...(await audited(log)));
  }
  const used = new Set(seen.map(rightOf));
  const unused = [...(await granted())].filter((right) => !used.has(right));
  assert.deepEqual(unused, [], 'rights that are granted and never used');
  const refused = seen.filter((event) => event.responseStatus?.code === 403);
  assert.deepEqual([...new Set(refused.map(rightOf))], [], 'requests that were refused');
});

/** Lets operator, webhook and reader do everything they do. */
async function exercise(cluster: TestCluster): Promise<void> {
  const { admin } = cluster;
  await serveForeignKinds(cluster);
  await using _system = await startGateSystem(cluster, {
    window: '1s',
    operatorFlags: ['--enable-metrics-observation', '--enable-kernel-evidence'],
  });
  const image = { name: 'api', image: 'registry.example.com/shop/api:1' };
  const good = pacto('default', 'api', contract('api', '1.0.0'));
  await apply(admin, deployment('default', image, 0), service('default', 'api'), good);
  await verdict(admin, 'default', 'api', 'NonCompliant');
  // The same verdict once more with the same counts: its event is folded into the first one with a patch.
  await apply(admin, pacto('default', 'api', 'no contract'));
  await verdict(admin, 'default', 'api', 'Invalid');
  await apply(admin, good);
  await verdict(admin, 'default', 'api', 'NonCompliant');
  // A pull secret is read even where its credentials are not needed.
  await admin.create('/apis/pacto.trianalab.io/v1alpha1/namespaces/default/pactos', {
    apiVersion: 'pacto.trianalab.io/v1alpha1',
    kind: 'Pacto',
    metadata: { name: 'secretive' },
    spec: { contractRef: { inline: contract('secretive', '1.0.0'), pullSecretRef: 'none' } },
  });
  await verdict(admin, 'default', 'secretive', 'Unknown');
  // A bound ConfigMap is read by name once its version is known.
  await admin.create('/api/v1/namespaces/default/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings' },
    data: { app: 'port: 1' },
  });
  await admin.create('/apis/pacto.trianalab.io/v1alpha1/namespaces/default/pactos', {
    apiVersion: 'pacto.trianalab.io/v1alpha1',
    kind: 'Pacto',
    metadata: { name: 'configured' },
    spec: {
      contractRef: {
        inline: `${contract('configured', '1.0.0')}configurations: [{ name: app, required: true, schema: app.json }]\n`,
      },
      target: {
        serviceName: 'configured',
        configBindings: [
          { configuration: 'app', kind: 'ConfigMap', name: 'settings', key: 'app', format: 'yaml' },
        ],
      },
    },
  });
  await verdict(admin, 'default', 'configured', 'Unknown');
  await reader(cluster);
}

/** Uses the reader's rights as people and pipelines do. */
async function reader(cluster: TestCluster): Promise<void> {
  const account = await serviceAccountKubeconfig(cluster, { namespace: 'pacto-gate-system', name: 'reader' });
  await applyManifests(
    cluster.admin,
    `{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: { name: reader },
       roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: pacto-gate-reader },
       subjects: [{ kind: ServiceAccount, namespace: pacto-gate-system, name: reader }] }`,
  );
  const base = ['--kubeconfig', account.kubeconfig];
  for (const kind of ['StatefulSet', 'Deployment']) {
    const name = `by-${kind.toLowerCase()}`;
    const target = { workloadRef: { name, kind } };
    await cluster.admin.create('/apis/pacto.trianalab.io/v1alpha1/namespaces/default/pactos', {
      apiVersion: 'pacto.trianalab.io/v1alpha1',
      kind: 'Pacto',
      metadata: { name },
      spec: { contractRef: { inline: contract(name, '1.0.0') }, target },
    });
    await runProgram(['check', `default/${name}`, '--image', 'registry.example.com/x:1', ...base]);
  }
  const status = await runProgram(['status', '-n', 'default', '-o', 'json', ...base]);
  assert.equal(status.code, 0, status.stderr);
  assert.ok(listAt(JSON.parse(status.stdout), 'items').length > 0);
  assert.equal(at(JSON.parse(status.stdout), 'kind'), 'DecisionList');
  await using following = new Program(['status', '-n', 'default', '-w', ...base]);
  await waitUntil('the table', () => following.text.includes('by-deployment'));
  await cluster.admin.delete('/apis/pacto.trianalab.io/v1alpha1/namespaces/default/pactos/by-deployment');
  await waitUntil('the deletion to be shown', () => following.text.includes('deleted'));
  assert.equal(await following.stop(), 0);
}
