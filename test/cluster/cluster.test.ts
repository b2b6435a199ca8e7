// The control plane itself: order of the start, control of the parts, and that nothing outlives it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite, test } from 'node:test';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { ensureTools } from '../tools/build.ts';
import { isGone } from './is-gone.ts';
import { startCluster } from './cluster.ts';
import { at, textAt } from './kube-object.ts';
import { createNamespace } from './namespace.ts';
import { waitUntil } from './wait-until.ts';

const WIDGETS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.test.pacto-gate }
spec:
  group: test.pacto-gate
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object } }
`;

suite('a control plane', () => {
  test('cluster/ serves CRDs to controllers that start after them, and leaves nothing behind', async (t) => {
    const crds = await temporaryFolder(t);
    await writeFile(join(crds, 'widgets.yaml'), WIDGETS);
    await using cluster = await startCluster({ crds, parts: ['etcd', 'apiserver', 'controller-manager'] });
    const { admin } = cluster;
    assert.deepEqual(Object.keys(cluster.pids).sort(), [
      'apiserver',
      'controller-manager',
      'etcd',
      'launcher',
    ]);
    const namespace = await createNamespace(t, cluster, 'crds');
    const widgets = `/apis/test.pacto-gate/v1/namespaces/${namespace}/widgets`;
    const owner = await admin.create(widgets, {
      apiVersion: 'test.pacto-gate/v1',
      kind: 'Widget',
      metadata: { name: 'owner' },
    });
    assert.equal(owner.code, 201);
    const dependent = `/api/v1/namespaces/${namespace}/configmaps/dependent`;
    await admin.create(`/api/v1/namespaces/${namespace}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'dependent',
        ownerReferences: [
          { apiVersion: 'test.pacto-gate/v1', kind: 'Widget', name: 'owner', uid: owner.body.metadata?.uid },
        ],
      },
    });
    await admin.delete(`${widgets}/owner`);
    // A garbage collector that had started before the CRD would look at it only after 30 s.
    await waitUntil('the dependent to be collected', async () => (await admin.get(dependent)).code === 404, {
      timeout: 15_000,
    });

    const pids = Object.values(cluster.pids);
    await cluster.stop();
    assert.deepEqual(
      pids.filter((pid) => !isGone(pid)),
      [],
    );
    assert.ok(!existsSync(cluster.dir));
    await cluster.stop();
  });

  test('cluster/ says in the error what a part that refuses to start wrote last', async () => {
    const args = { apiserver: ['--no-such-flag'] };
    await assert.rejects(startCluster({ parts: ['etcd', 'apiserver'], args }), (error: Error) => {
      assert.match(error.message, /apiserver ended \(exit status 1\) while apiserver was starting/);
      assert.match(error.message, /unknown flag: --no-such-flag/);
      return true;
    });
  });

  test('cluster/ stops, kills, freezes and starts single parts at the same address', async () => {
    await using cluster = await startCluster({ parts: ['etcd', 'apiserver'] });
    const { admin, server, pids } = cluster;
    const ready = async (): Promise<boolean> => (await admin.get('/readyz')).code === 200;
    assert.ok(await ready());

    await cluster.killPart('apiserver');
    assert.ok(isGone(pids['apiserver']));
    assert.equal(cluster.pids['apiserver'], undefined);
    await assert.rejects(ready(), /got no answer/);
    await assert.rejects(cluster.killPart('apiserver'), /apiserver is not running/);
    // The port stays taken, so that no other test can get it in between.
    const thief = createServer().listen(Number(new URL(server).port), '127.0.0.1');
    const [error] = (await once(thief, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'EADDRINUSE');
    await cluster.startPart('apiserver');
    assert.ok(await ready());
    assert.notEqual(cluster.pids['apiserver'], pids['apiserver']);

    await cluster.pausePart('apiserver');
    const frozen = admin.send('GET', '/readyz', { signal: AbortSignal.timeout(300) });
    await assert.rejects(frozen, /got no answer/);
    await cluster.resumePart('apiserver');
    assert.ok(await ready());

    await cluster.stopPart('etcd');
    assert.ok(isGone(pids['etcd']));
    await cluster.startPart('etcd');
    assert.equal((await fetch(`${cluster.etcd}/health`)).status, 200);
  });

  test('cluster/ dies with the process that started it, also by kill -9', async (t) => {
    const program = new URL('./fixtures/start-and-wait.ts', import.meta.url).pathname;
    const parent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => parent.kill('SIGKILL'));
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const { pids, dir } = JSON.parse(line) as { pids: Record<string, number>; dir: string };
    assert.deepEqual(Object.keys(pids).sort(), ['apiserver', 'etcd', 'launcher']);
    assert.deepEqual(Object.values(pids).filter(isGone), []);
    parent.kill('SIGKILL');
    await waitUntil('every process to go', () => Object.values(pids).every(isGone), { timeout: 10_000 });
    await waitUntil('the folder to go', () => !existsSync(dir), { timeout: 10_000 });
  });

  test('cluster/ takes its parts along when its launcher is killed, and the next one removes the folder', async (t) => {
    const parent = await temporaryFolder(t); // where no other test’s cluster does the removing
    const killed = await startCluster({ parts: ['etcd'], parent });
    const { pids, dir } = killed;
    process.kill(Number(pids['launcher']), 'SIGKILL');
    await waitUntil('every process to go', () => Object.values(pids).every(isGone), { timeout: 10_000 });
    await assert.rejects(killed.startPart('etcd'), /ended \(SIGKILL\)/);
    await killed.stop();
    assert.ok(existsSync(dir));
    // Folders marked in the last seconds are spared, as their owner may be about to start.
    await utimes(join(dir, '.cluster-up'), 0, 0);
    await using next = await startCluster({ parts: ['etcd'], parent });
    assert.notEqual(next.dir, dir);
    assert.ok(!existsSync(dir));
  });

  test('cluster/ prefers the programs that KUBEBUILDER_ASSETS names', async (t) => {
    const assets = await temporaryFolder(t);
    const { testcluster } = await ensureTools(['testcluster']);
    await symlink(testcluster, join(assets, 'testcluster'));
    // Programs of their own names, as the folder of another project has them, told apart by their command line.
    const script = (part: string): string => `#!/bin/sh\nexec "$(dirname "$0")/testcluster" ${part} "$@"\n`;
    await writeFile(join(assets, 'etcd'), script('etcd').replace('"$@"', '--name=from-assets "$@"'), {
      mode: 0o755,
    });
    const env = { ...process.env, KUBEBUILDER_ASSETS: assets };
    await using cluster = await startCluster({ parts: ['etcd'], env });
    const response = await fetch(`${cluster.etcd}/v3/cluster/member/list`, { method: 'POST', body: '{}' });
    assert.equal(textAt(at(await response.json(), 'members', 0), 'name'), 'from-assets');
  });
});
