// Identities of programs under test, as the server sees them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClient } from './client.ts';
import { serviceAccountKubeconfig } from './credentials.ts';
import { at, textAt } from './kube-object.ts';
import { readAccess } from './kubeconfig.ts';
import { applyManifests } from './manifests.ts';
import { createNamespace } from './namespace.ts';
import { sharedCluster } from './shared-cluster.ts';
import { waitUntil } from './wait-until.ts';

async function whoAmI(client: TestClient): Promise<unknown> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const { body } = await client.create('/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
  return at(body, 'status', 'userInfo');
}

test('credentials/ make a ServiceAccount that has the rights of its Role and no others', async (t) => {
  const cluster = await sharedCluster();
  const namespace = await createNamespace(t, cluster, 'rights');
  const { kubeconfig, user } = await serviceAccountKubeconfig(cluster, { namespace, name: 'reader' });
  assert.equal(readAccess(kubeconfig).credentials.kind, 'token');
  const client = TestClient.fromKubeconfig(kubeconfig);
  t.after(async () => client.close());
  assert.equal(textAt(await whoAmI(client), 'username'), user);
  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  assert.equal((await client.list(maps)).code, 403);
  const rules = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: reader }
rules: [{ apiGroups: [""], resources: [configmaps], verbs: [list] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader }
subjects: [{ kind: ServiceAccount, name: reader, namespace: ${namespace} }]
`;
  await applyManifests(cluster.admin, rules, { namespace });
  await waitUntil('the role to count', async () => (await client.list(maps)).code === 200);
  assert.equal((await client.list(`/api/v1/namespaces/${namespace}/secrets`)).code, 403);
});

test('credentials/ bind a token to a pod, whose node it names and with which it dies', async (t) => {
  const cluster = await sharedCluster();
  const namespace = await createNamespace(t, cluster, 'bound');
  const nodeName = `node-${namespace}`;
  t.after(async () => void (await cluster.admin.delete(`/api/v1/nodes/${nodeName}`)));
  const options = { namespace, name: 'agent', podName: 'agent-0', nodeName, expirationSeconds: 600 };
  const { client } = await serviceAccountKubeconfig(cluster, options);
  // The server remembers for 10 s that a token was good, so the one to be refused is not used before.
  const { client: unused } = await serviceAccountKubeconfig(cluster, options);
  t.after(async () => {
    client.close();
    unused.close();
  });
  const extra = at(await whoAmI(client), 'extra');
  assert.deepEqual(at(extra, 'authentication.kubernetes.io/node-name'), [nodeName]);
  assert.deepEqual(at(extra, 'authentication.kubernetes.io/pod-name'), ['agent-0']);
  const pod = `/api/v1/namespaces/${namespace}/pods/agent-0`;
  await cluster.admin.delete(pod, {}, { gracePeriodSeconds: 0 });
  await waitUntil('the token to be refused', async () => (await unused.get('/version')).code === 401);
});

test('credentials/ refresh a token file in place', async (t) => {
  const cluster = await sharedCluster();
  const namespace = await createNamespace(t, cluster, 'refresh');
  const account = await serviceAccountKubeconfig(cluster, { namespace, name: 'long', token: 'file' });
  const client = TestClient.fromKubeconfig(account.kubeconfig);
  t.after(async () => client.close());
  const id = async (): Promise<unknown> => {
    const info = await whoAmI(client);
    assert.equal(textAt(info, 'username'), account.user);
    return at(info, 'extra', 'authentication.kubernetes.io/credential-id', 0);
  };
  const first = await id();
  assert.equal(await id(), first);
  await account.refresh();
  assert.notEqual(await id(), first);
});

test('credentials/ say what the server said when it refuses a token', async (t) => {
  const cluster = await sharedCluster();
  const namespace = await createNamespace(t, cluster, 'short');
  const short = serviceAccountKubeconfig(cluster, { namespace, name: 'a', expirationSeconds: 1 });
  await assert.rejects(short, /serviceaccounts\/a\/token was refused \(422\).*10 minutes/);
});
