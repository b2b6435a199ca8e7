// What 10,000 Pactos and 50,000 objects take in the operator's caches, beside the same objects held as they come.
import { loadavg } from 'node:os';
import { type Figures, median, Workshop } from './operator-programs.ts';
import { benchTable } from './bench-table.ts';

const PACTOS = 10_000;
const ROUNDS = 3;
const GOALS = { heapRatio: 0.25, rssMB: 150, peakRatio: 2 } as const;

await using workshop = await Workshop.open();
await using cluster = workshop.start('cluster', [String(PACTOS)]);
const served = await cluster.said<{ url: string; ca: string; bytes: number }>();
const kubeconfig = await workshop.kubeconfig(served);

async function measure(scenario: 'records' | 'objects', env: NodeJS.ProcessEnv = {}): Promise<Figures> {
  await using subject = workshop.start('subject', [scenario, kubeconfig], env);
  const figures = await subject.said();
  if (figures['objects'] !== 6 * PACTOS) throw new Error(`${scenario} holds ${figures['objects']} objects`);
  return figures;
}

const [records, oneArena, objects]: [Figures[], Figures[], Figures[]] = [[], [], []];
for (let round = 0; round < ROUNDS; round += 1) {
  records.push(await measure('records'));
  // As the documentation says to start the operator.
  oneArena.push(await measure('records', { MALLOC_ARENA_MAX: '1' }));
  objects.push(await measure('objects'));
}
const middle = (rows: readonly Figures[], key: string): number =>
  median(rows.map((row) => row[key] ?? Number.NaN));
const table = benchTable('', 'records', 'objects', 'goal', '');
const row = (what: string, own: string, other: string, goal = '', verdict = ''): void => {
  if (verdict === 'missed') process.exitCode = 1;
  table.push([what, own, other, goal, verdict]);
};
const met = (value: number, goal: number): string => (value <= goal ? 'met' : 'missed');
const mb = (rows: readonly Figures[], key: string): string => `${middle(rows, key).toFixed(0)} MB`;
const heapRatio = middle(records, 'heapMB') / middle(objects, 'heapMB');
const peakRatio = middle(records, 'peakMB') / middle(records, 'rssMB');
row('heap added', mb(records, 'heapMB'), mb(objects, 'heapMB'));
row(
  'heap, of full objects',
  heapRatio.toFixed(3),
  '1',
  String(GOALS.heapRatio),
  met(heapRatio, GOALS.heapRatio),
);
row(
  'RSS',
  mb(records, 'rssMB'),
  mb(objects, 'rssMB'),
  `${GOALS.rssMB} MB`,
  met(middle(records, 'rssMB'), GOALS.rssMB),
);
row(
  'RSS with MALLOC_ARENA_MAX=1',
  mb(oneArena, 'rssMB'),
  '',
  `${GOALS.rssMB} MB`,
  met(middle(oneArena, 'rssMB'), GOALS.rssMB),
);
row('RSS before', mb(records, 'emptyMB'), mb(objects, 'emptyMB'));
row(
  'peak of RSS, of RSS',
  peakRatio.toFixed(2),
  '',
  String(GOALS.peakRatio),
  met(peakRatio, GOALS.peakRatio),
);
process.stdout.write(
  `${6 * PACTOS} objects, ${(served.bytes / 1e6).toFixed(0)} MB of JSON, load ${loadavg()[0]?.toFixed(1)}\n${table.toString()}\n`,
);
