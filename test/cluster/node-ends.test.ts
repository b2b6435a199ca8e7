// Nothing of a node outlives it: no process, mount, namespace, cgroup, link or folder, however it ends.
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { suite, test, type TestContext } from 'node:test';
import { skipLacking } from '../helpers/machine-lacks.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { nodeLack } from '../tools/node-lack.ts';
import { type NodeInfo, startCluster, type TestCluster } from './cluster.ts';
import { isGone } from './is-gone.ts';
import { textAt } from './kube-object.ts';
import { leftOf, type NodeTraces, tracesOf } from './node-traces.ts';
import { runPod } from './node-pod.ts';
import { waitUntil } from './wait-until.ts';

const ROUNDS = 20;

const lack = await nodeLack();

async function nothingLeft(traces: NodeTraces): Promise<void> {
  await waitUntil('everything of the node to go', () => leftOf(traces).length === 0).catch(
    (error: unknown) => {
      throw new Error(`left of the node:\n${leftOf(traces).join('\n')}`, { cause: error });
    },
  );
}

/** A node's traces; what there is to find must be found while it runs, or the looking proves nothing. */
function tracesOfRunning({ nodes, dir }: Pick<TestCluster, 'nodes' | 'dir'>): NodeTraces {
  const [info] = nodes;
  assert.ok(info);
  const traces = tracesOf(info, dir);
  const kinds = leftOf(traces).map((line) => line.split(' ')[0]);
  assert.ok(kinds.filter((kind) => kind === 'process').length >= 6, kinds.join(' ')); // first, containerd, kubelet, shim, pause, workload
  assert.ok(kinds.includes('link') && kinds.includes('cgroup'), kinds.join(' '));
  assert.equal(traces.namespaces.length, 6);
  return traces;
}

type Running = {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly pids: Readonly<Record<string, number>>;
  readonly dir: string;
  readonly traces: NodeTraces;
};

/** A process of its own with a cluster, a node and a pod that has a volume. */
async function start(t: TestContext): Promise<Running> {
  const program = new URL('./fixtures/start-node.ts', import.meta.url).pathname;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  t.after(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { dir, pids, info } = JSON.parse(line) as {
    dir: string;
    pids: Record<string, number>;
    info: NodeInfo;
  };
  return { child, pids, dir, traces: tracesOfRunning({ nodes: [info], dir }) };
}

const WAYS: readonly { readonly name: string; readonly end: (running: Running) => void }[] = [
  { name: 'after a test that fails', end: ({ child }) => child.stdin.end('now\n') },
  { name: 'after SIGTERM', end: ({ child }) => void child.kill('SIGTERM') },
  { name: 'after kill -9', end: ({ child }) => void child.kill('SIGKILL') },
];

suite('the end of a node', () => {
  for (const { name, end } of WAYS) {
    test(`node/ nothing is left of it ${name}`, async (t) => {
      if (lack !== undefined) return skipLacking(t, lack);
      const running = await start(t);
      end(running);
      await nothingLeft(running.traces);
      await waitUntil('every other process to go', () => Object.values(running.pids).every(isGone));
      await waitUntil('the folder to go', () => !existsSync(running.dir));
    });
  }

  test('node/ nothing but the folder is left of it after kill -9 of its launcher, and the next removes that', async (t) => {
    if (lack !== undefined) return skipLacking(t, lack);
    const parent = await temporaryFolder(t); // where no other test’s cluster does the removing
    const killed = await startCluster({ nodes: 1, parent });
    await runPod(killed, { namespace: 'default', name: 'one', node: 'node-1' });
    const traces = tracesOfRunning(killed);
    const { dir, pids } = killed;
    process.kill(Number(pids['launcher']), 'SIGKILL');
    await nothingLeft(traces);
    await killed.stop();
    assert.ok(existsSync(dir));
    // Folders marked in the last seconds are spared, as their owner may be about to start.
    utimesSync(join(dir, '.cluster-up'), 0, 0);
    await using _next = await startCluster({ parts: ['etcd'], parent });
    assert.ok(!existsSync(dir));
  });

  test(`node/ nothing is left of it in ${ROUNDS} starts and stops in a row, and its pod runs again each time`, async (t) => {
    if (lack !== undefined) return skipLacking(t, lack);
    await using cluster = await startCluster({ nodes: 1 });
    const { admin } = cluster;
    await runPod(cluster, { namespace: 'default', name: 'one', node: 'node-1', volume: 'tmpfs' });
    const container = async (): Promise<string> => {
      const { body } = await admin.get('/api/v1/namespaces/default/pods/one');
      return textAt(body, 'status', 'containerStatuses', 0, 'containerID');
    };
    let before = await container();
    for (let round = 0; round < ROUNDS; round += 1) {
      const traces = tracesOfRunning(cluster);
      await cluster.stopPart('node-1');
      await nothingLeft(traces);
      await cluster.startPart('node-1');
      const again = await waitUntil('the pod to run again', async () => {
        const now = await container();
        return now !== '' && now !== before && now;
      });
      before = again;
    }
    const last = tracesOfRunning(cluster);
    await cluster.stop();
    await nothingLeft(last);
    assert.ok(!existsSync(cluster.dir));
  });

  test('node/ its own processes may be killed: the kernel ends the rest, and the next start removes empty cgroups', async (t) => {
    if (lack !== undefined) return skipLacking(t, lack);
    await using cluster = await startCluster({ nodes: 1 });
    await runPod(cluster, { namespace: 'default', name: 'one', node: 'node-1' });
    const first = tracesOfRunning(cluster);
    process.kill(first.info.pid, 'SIGKILL');
    await nothingLeft(first);
    await waitUntil('the launcher to notice', () => cluster.pids['node-1'] === undefined);
    await cluster.startPart('node-1');
    const second = tracesOf(cluster.nodes[0] ?? first.info, cluster.dir);
    await cluster.killPart('node-1'); // the process on the machine, which would have cleaned up
    await waitUntil('all but cgroups to go', () => leftOf(second).every((line) => line.startsWith('cgroup')));
    assert.ok(leftOf(second).length > 0);
    await cluster.startPart('node-1');
    await cluster.stopPart('node-1');
    await nothingLeft(second);
  });
});
