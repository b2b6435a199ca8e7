// Plays many random histories at once against an API server of their own.
import { startCluster } from '../cluster/cluster.ts';
import { runHistory } from './history.ts';
import { realRig } from './real-rig.ts';

export type HistoryRun = {
  readonly seeds: readonly number[];
  /** Of the API server. Without it old versions are answered 410 once they are compacted away. */
  readonly watchCache: 'with' | 'without';
  readonly signal: AbortSignal;
  /** Called after each history with how many are done. */
  readonly onDone?: (done: number) => void;
};

export type HistoryTotals = { histories: number; lists: number; events: number; restarts: number };

const AT_ONCE = 8;

/** Rejects with the first history that failed, which names its seed and its steps. */
export async function runHistories(run: HistoryRun): Promise<HistoryTotals> {
  await using cluster = await startCluster({
    parts: ['etcd', 'apiserver'],
    ...(run.watchCache === 'without' ? { args: { apiserver: ['--watch-cache=false'] } } : {}),
  });
  await using judge = await realRig(cluster.kubeconfig);
  const totals: HistoryTotals = { histories: 0, lists: 0, events: 0, restarts: 0 };
  let restarting: Promise<void> | undefined;
  const restart = async (): Promise<void> => {
    totals.restarts += 1;
    await cluster.killPart('apiserver');
    await cluster.startPart('apiserver');
  };
  const arena = {
    kubeconfig: cluster.kubeconfig,
    server: cluster.server,
    etcd: cluster.etcd,
    compaction: run.watchCache === 'without' ? ('bites' as const) : ('harmless' as const),
    judge: judge.client,
    // Histories that restart it at the same time share one restart.
    restart: () =>
      (restarting ??= restart().finally(() => {
        restarting = undefined;
      })),
  };
  const seeds = [...run.seeds];
  const worker = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const { lists, events } = await runHistory(arena, seed, run.signal);
      totals.lists += lists;
      totals.events += events;
      totals.histories += 1;
      run.onDone?.(totals.histories);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    seeds.length = 0;
    await restarting;
  }
  return totals;
}
