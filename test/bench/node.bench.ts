// Measures a real node: how soon it is Ready, its pods are, and a rollout is over; memory and disk of each part.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster, type TestCluster } from '../cluster/cluster.ts';
import { rolledOut } from '../cluster/rolled-out.ts';
import { runPod } from '../cluster/node-pod.ts';
import { usableProxy } from '../cluster/usable-proxy.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { pushWorkload } from '../cluster/workload-images.ts';
import { nodeLack } from '../tools/node-lack.ts';
import { lacks } from '../helpers/machine-lacks.ts';

type Row = {
  readonly what: string;
  readonly values: readonly number[];
  readonly unit: string;
  readonly goal?: number;
};

const ROUNDS = 5;
const ARGS = ['-http', '8080', '-control', '9090'];

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

async function repeated(work: (round: number) => Promise<number>): Promise<readonly number[]> {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) values.push(await work(round));
  return values;
}

async function starts(cluster: TestCluster): Promise<readonly Row[]> {
  const first = await seconds(() => cluster.startPart('node-1'));
  const again = await repeated(async () => {
    await cluster.stopPart('node-1');
    return seconds(() => cluster.startPart('node-1'));
  });
  return [
    { what: 'node Ready after its first start', values: [first], unit: 's', goal: 5 },
    { what: 'node Ready after another start', values: again, unit: 's', goal: 5 },
  ];
}

async function pods(cluster: TestCluster): Promise<readonly Row[]> {
  await runPod(cluster, { namespace: 'default', name: 'brings-the-image', node: 'node-1' });
  const ready = await repeated((round) =>
    seconds(() => runPod(cluster, { namespace: 'default', name: `pod-${round}`, node: 'node-1' })),
  );
  const rollouts = await repeated(async (round) => {
    const { byDigest } = await pushWorkload(cluster, { name: 'bench/web', tag: String(round), args: ARGS });
    return seconds(async () => {
      await cluster.admin.apply('/apis/apps/v1/namespaces/default/deployments/web', deployment(byDigest));
      await rolledOut(cluster.admin, 'default', 'web');
    });
  });
  return [
    { what: 'pod Ready after its creation, push of the image included', values: ready, unit: 's', goal: 3 },
    { what: 'rollout of two pods to another digest, pull included', values: rollouts, unit: 's', goal: 5 },
  ];
}

function deployment(image: string): object {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              name: 'main',
              image,
              readinessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 1 },
            },
          ],
        },
      },
    },
  };
}

/** Proportional set size in MiB by program, of every process of the cluster: text that several share is divided. */
function memory(cluster: TestCluster): readonly Row[] {
  const ofNode = `/testnode-${cluster.nodes[0]?.subnet.replace(/\.0\/24$/, '')}`;
  const sums = new Map<string, number[]>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (!words[0]?.startsWith(cluster.dir) && !readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(ofNode))
        continue;
      const file = words[0]?.split('/').at(-1) ?? '';
      const name =
        file === 'testcluster' || file === 'workload' ? `${file} ${words[1]?.replace(/^-.*/, '')}` : file;
      const [, kib = '0'] =
        /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
      sums.set(name, [...(sums.get(name) ?? []), Number(kib) / 1024]);
    } catch {
      // it has ended meanwhile
    }
  }
  return [...sums].map(([name, values]) => ({
    what: `memory of ${name} (${values.length})`,
    values,
    unit: 'MiB',
  }));
}

/** MiB on disk; a link that is named is followed. */
function size(path: string): number {
  const { stdout } = spawnSync('du', ['-sxDk', path], { encoding: 'utf8' });
  return Number.parseInt(stdout, 10) / 1024;
}

function disk({ dir }: TestCluster): readonly Row[] {
  const rows: Row[] = ['etcd', 'node-1', 'images'].map((name) => ({
    what: `disk of ${name}`,
    values: [size(join(dir, name))],
    unit: 'MiB',
  }));
  const programs = readdirSync(join(dir, 'bin'));
  return [
    ...rows,
    ...programs.map((name) => ({
      what: `program ${name}`,
      values: [size(join(dir, 'bin', name))],
      unit: 'MiB',
    })),
  ];
}

const lack = await nodeLack();
if (lack !== undefined) {
  process.stdout.write(`no node to measure: ${lacks(lack)}\n`);
} else {
  await using cluster = await startCluster({
    nodes: 1,
    proxy: await usableProxy(),
    parts: ['etcd', 'apiserver', 'controller-manager', 'scheduler', 'registry'],
  });
  const rows = [...(await starts(cluster)), ...(await pods(cluster))];
  await waitUntil('pods of earlier rollouts to be gone', async () => {
    const { body } = await cluster.admin.list('/api/v1/pods');
    return body.items.length === ROUNDS + 3;
  });
  rows.push(...memory(cluster), ...disk(cluster));
  const stop = await seconds(() => cluster.stopPart('node-1'));
  rows.push({ what: `node with ${ROUNDS + 3} pods stopped, nothing of it left`, values: [stop], unit: 's' });
  for (const { what, values, unit, goal } of rows) {
    const [least, most] = [Math.min(...values), Math.max(...values)].map((value) =>
      value.toFixed(unit === 's' ? 2 : 1),
    );
    const met = goal === undefined || Math.max(...values) <= goal;
    if (!met) process.exitCode = 1;
    const verdict = goal === undefined ? '' : `goal ${goal} ${unit}: ${met ? 'met' : 'MISSED'}`;
    process.stdout.write(
      `${what.padEnd(60)} ${least === most ? least : `${least} to ${most}`} ${unit}  ${verdict}\n`,
    );
  }
}
