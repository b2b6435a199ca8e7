// Manifests as users write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from './kube-object.ts';
import { applyManifests } from './manifests.ts';
import { createNamespace } from './namespace.ts';
import { sharedCluster } from './shared-cluster.ts';

test('manifests/ are applied document by document, a CRD before its objects, and again without a change', async (t) => {
  const cluster = await sharedCluster();
  const { admin } = cluster;
  const namespace = await createNamespace(t, cluster, 'manifests');
  const plural = namespace.replace('-', '');
  const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.test.pacto-gate`;
  t.after(async () => void (await admin.delete(definition)));
  const text = `# a comment alone
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.test.pacto-gate }
spec:
  group: test.pacto-gate
  scope: Cluster
  names: { plural: ${plural}, kind: K${plural} }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
---
apiVersion: test.pacto-gate/v1
kind: K${plural}
metadata: { name: one }
---
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { x: "1" } }
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: b, namespace: default } }
`;
  const first = await applyManifests(admin, text, { namespace, fieldManager: 'chart' });
  t.after(async () => void (await admin.delete('/api/v1/namespaces/default/configmaps/b')));
  assert.deepEqual(
    first.map(({ kind, metadata }) => [kind, metadata?.namespace, metadata?.name]),
    [
      [`K${plural}`, undefined, 'one'],
      ['ConfigMap', namespace, 'a'],
      ['ConfigMap', 'default', 'b'],
    ],
  );
  assert.equal(at(first, 1, 'metadata', 'managedFields', 0, 'manager'), 'chart');
  const again = await applyManifests(admin, text, { namespace, fieldManager: 'chart' });
  assert.deepEqual(
    again.map((object) => object.metadata?.resourceVersion),
    first.map((object) => object.metadata?.resourceVersion),
  );
});

test('manifests/ end at the first document that is refused, unknown, or no YAML', async (t) => {
  const cluster = await sharedCluster();
  const namespace = await createNamespace(t, cluster, 'refused');
  const apply = (text: string) => applyManifests(cluster.admin, text, { namespace });
  await assert.rejects(
    apply('{ apiVersion: v1, kind: ConfigMap, metadata: { name: "A B" } }'),
    /configmaps\/A B was refused \(422\): .*Invalid value/,
  );
  await assert.rejects(
    apply('{ apiVersion: v1, kind: Nonsense, metadata: { name: a } }'),
    /knows no Nonsense in v1/,
  );
  await assert.rejects(apply('{ apiVersion: v1, kind: ConfigMap }'), /ConfigMap has no metadata\.name/);
  await assert.rejects(apply('a: 1\na: 2'), /Map keys must be unique/);
});
