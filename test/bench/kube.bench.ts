// Bench of kube/: import, reads, heap per pod, a list of 50,000 pods and idle cost, each against its goal.
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

type Served = { readonly url: string; readonly ca: string; readonly bytes: number };
type Row = { readonly what: string; readonly value: number; readonly unit: string; readonly goal?: number };

const run = promisify(execFile);
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function withPods<T>(count: number, work: (served: Served) => Promise<T>): Promise<T> {
  const server = spawn(process.execPath, [here('pod-server.ts'), String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const served = await new Promise<Served>((resolve, reject) => {
      createInterface({ input: server.stdout }).once('line', (line) => resolve(JSON.parse(line) as Served));
      server.once('exit', () => reject(new Error('the pod server ended')));
    });
    return await work(served);
  } finally {
    server.stdin.end();
  }
}

async function measure(scenario: string, { url, ca }: Served): Promise<Record<string, number>> {
  const { stdout } = await run(process.execPath, ['--expose-gc', here('kube-subject.ts'), scenario, url, ca]);
  return JSON.parse(stdout) as Record<string, number>;
}

async function bench(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const add = (what: string, value: number | undefined, unit: string, goal?: number): void => {
    rows.push({ what, value: value ?? Number.NaN, unit, ...(goal === undefined ? {} : { goal }) });
  };
  await withPods(5_000, async (served) => {
    add('import', (await measure('import', served))['importMiB'], 'MiB RSS', 25);
    add('read, kept-alive', (await measure('reads', served))['msPerRead'], 'ms');
    const small = await measure('streaming', served);
    add('heap per projected pod (5,000)', small['heapPerObject'], 'B', 1_536);
  });
  for (const how of ['streaming', 'paged']) {
    await withPods(50_000, async (served) => {
      const big = await measure(how, served);
      add(`50,000 pods, ${how}: time`, big['seconds'], 's');
      add(`50,000 pods, ${how}: peak / steady RSS`, (big['peakMiB'] ?? 0) / (big['steadyMiB'] ?? 1), '', 2);
      add(`50,000 pods, ${how}: steady RSS`, big['steadyMiB'], 'MiB');
      add(`50,000 pods, ${how}: longest pause`, big['pauseMs'], 'ms', 10);
      add(`50,000 pods, ${how}: pause p99`, big['pauseP99Ms'], 'ms');
    });
  }
  await withPods(10, async (served) => {
    add('idle, 12 watches: CPU per second', (await measure('idle', served))['cpuMsPerSecond'], 'ms', 2);
  });
  return rows;
}

for (const { what, value, unit, goal } of await bench()) {
  const met = goal === undefined || value <= goal;
  const verdict = goal === undefined ? '' : `goal ${goal}: ${met ? 'met' : 'MISSED'}`;
  if (!met) process.exitCode = 1;
  process.stdout.write(`${what.padEnd(46)} ${value.toFixed(2).padStart(10)} ${unit.padEnd(8)} ${verdict}\n`);
}
