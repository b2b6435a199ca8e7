// An operator that may not read a kind: nothing is concluded from it, and its log says once what is missing.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { serviceAccountKubeconfig } from '../cluster/credentials.ts';
import { at, listAt } from '../cluster/kube-object.ts';
import { createNamespace } from '../cluster/namespace.ts';
import { sharedCluster } from '../cluster/shared-cluster.ts';
import { verdict } from '../demo/promotions.ts';
import { apply, contract, deployment, pacto, REGISTRY, service } from '../demo/shop.ts';
import { Program } from '../helpers/program.ts';

test('evaluation/IF35 slices that may not be read are told once, and are no absence', async (t) => {
  const cluster = await sharedCluster();
  const { admin } = cluster;
  const namespace = await createNamespace(t, cluster, 'refused');
  const account = await serviceAccountKubeconfig(cluster, { namespace, name: 'operator' });
  t.after(() => account.client.close());
  const name = `no-slices-${namespace}`;
  const [role] = parseAllDocuments(
    await readFile(new URL('../../deploy/rbac/operator.yaml', import.meta.url), 'utf8'),
  )
    .map((document) => document.toJS() as { kind: string; rules: { resources: string[] }[] })
    .filter(({ kind }) => kind === 'ClusterRole');
  assert.ok(role !== undefined);
  await apply(
    admin,
    {
      ...role,
      metadata: { name },
      rules: role.rules.filter(({ resources }) => !resources.includes('endpointslices')),
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', namespace, name: 'operator' }],
    },
  );
  t.after(async () => {
    await admin.delete(`/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${name}`);
    await admin.delete(`/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`);
  });
  await apply(
    admin,
    deployment(namespace, { name: 'api', image: `${REGISTRY}/api:1` }, 1),
    service(namespace, 'api'),
    pacto(namespace, 'api', contract('api', '1.0.0')),
  );
  await using operator = new Program(
    [
      ...['operator', '--kubeconfig', account.kubeconfig, '--watch-namespace', namespace],
      ...['--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '0'],
    ],
    { env: { POD_NAMESPACE: namespace } },
  );
  const judged = await verdict(admin, namespace, 'api', 'Unknown');
  assert.ok(listAt(judged, 'status', 'findings').some((f) => at(f, 'code') === 'COLLECTION_FAILED'));
  // A new generation makes a pass of its own; the same failure is no news in it.
  await admin.mergePatch(`/apis/pacto.trianalab.io/v1alpha1/namespaces/${namespace}/pactos/api`, {
    spec: { checkIntervalSeconds: 600 },
  });
  await verdict(admin, namespace, 'api', 'Unknown');
  const told = operator.text.split('\n').filter((line) => line.includes('an object cannot be read'));
  const about = told.filter((line) => line.includes('EndpointSlice'));
  assert.equal(about.length, 1, operator.text);
  assert.match(about[0] ?? '', new RegExp(`${namespace}/api.*forbidden`));
});
