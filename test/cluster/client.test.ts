// The test client against a real API server: verbs, status codes, watches, identities.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClient, type WatchEvent } from './client.ts';
import { at, textAt } from './kube-object.ts';
import { createNamespace } from './namespace.ts';
import { sharedCluster } from './shared-cluster.ts';

const configMap = (name: string, data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

test('client/ carries every verb and gives every status code as an answer', async (t) => {
  const cluster = await sharedCluster();
  const { admin } = cluster;
  const maps = `/api/v1/namespaces/${await createNamespace(t, cluster, 'client')}/configmaps`;
  assert.equal((await admin.get(`${maps}/a`)).code, 404);
  const created = await admin.create(maps, configMap('a', { x: '1' }));
  assert.equal(created.code, 201);
  assert.equal((await admin.create(maps, configMap('a'))).code, 409);
  assert.equal((await admin.create(maps, configMap('NO'))).code, 422);
  const replaced = await admin.replace(`${maps}/a`, { ...created.body, data: { x: '2' } });
  assert.deepEqual([replaced.code, at(replaced.body, 'data')], [200, { x: '2' }]);
  const stale = await admin.replace(`${maps}/a`, { ...created.body, data: { x: '3' } });
  assert.deepEqual([stale.code, textAt(stale.body, 'reason')], [409, 'Conflict']);
  const patched = await admin.mergePatch(`${maps}/a`, { data: { x: null, y: '1' } });
  assert.deepEqual(at(patched.body, 'data'), { y: '1' });
  const applied = await admin.apply(`${maps}/b`, configMap('b', { z: '1' }), { fieldManager: 'one' });
  assert.equal(applied.code, 201);
  const conflict = await admin.apply(`${maps}/b`, configMap('b', { z: '2' }), {
    fieldManager: 'two',
    conflicts: 'refuse',
  });
  assert.equal(conflict.code, 409);
  const list = await admin.list(maps, { fieldSelector: 'metadata.name=b' });
  assert.deepEqual(
    list.body.items.map((item) => item.metadata?.name),
    ['b'],
  );
  const other = await admin.delete(`${maps}/b`, {}, { preconditions: { uid: 'of-another' } });
  assert.equal(other.code, 409);
  assert.equal((await admin.delete(`${maps}/b`)).code, 200);
  assert.deepEqual((await admin.get('/healthz')).body, { text: 'ok' });
});

test('client/ watches from a version on, ends with its signal, and reports a refusal', async (t) => {
  const cluster = await sharedCluster();
  const { admin } = cluster;
  const maps = `/api/v1/namespaces/${await createNamespace(t, cluster, 'watch')}/configmaps`;
  const { resourceVersion } = (await admin.list(maps)).body.metadata ?? {};
  await admin.create(maps, configMap('a'));
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const event of admin.watch(
    maps,
    { resourceVersion, fieldSelector: 'metadata.name=a' },
    stop.signal,
  )) {
    assert.equal(event.kind, 'event');
    if (event.kind === 'event') seen.push(event.type);
    if (seen.length === 1) await admin.mergePatch(`${maps}/a`, { data: { x: '1' } });
    if (seen.length === 2) await admin.delete(`${maps}/a`);
    if (seen.length === 3) stop.abort();
  }
  assert.deepEqual(seen, ['ADDED', 'MODIFIED', 'DELETED']);
  const refused: WatchEvent[] = [];
  for await (const event of admin.watch('/api/v1/nonsense', {}, AbortSignal.timeout(20_000)))
    refused.push(event);
  assert.deepEqual(
    refused.map((event) => event.kind === 'refused' && event.code),
    [404],
  );
});

test('client/ ends a watch at the server’s own end of it without an error', async () => {
  const { admin } = await sharedCluster();
  const events: WatchEvent[] = [];
  const query = { timeoutSeconds: 1, resourceVersion: '0', fieldSelector: 'metadata.name=none' };
  for await (const event of admin.watch('/api/v1/namespaces', query, AbortSignal.timeout(20_000)))
    events.push(event);
  assert.deepEqual(events, []);
});

test('client/ is anonymous without credentials, and told so', async () => {
  const { admin } = await sharedCluster();
  const nobody = new TestClient({ ...admin.access, credentials: { kind: 'anonymous' } });
  const { code, body } = await nobody.get('/api/v1/nodes');
  assert.equal(code, 403);
  assert.match(textAt(body, 'message'), /system:anonymous/);
});
