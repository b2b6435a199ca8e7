// Plays many random histories at once in one arena, and lets happen to it from time to time what happens to all of them.
import { Arena } from './history-arena.ts';
import { runHistory } from './history.ts';

export type HistoryRun = {
  readonly seeds: readonly number[];
  /** Of the API servers. Without it old versions are answered 410 once they are compacted away. */
  readonly watchCache: 'with' | 'without';
  /** Histories that are played at the same time. */
  readonly atOnce: number;
  /** An API server is killed and started again each time so many histories are done; the two take turns. */
  readonly restartEvery: number;
  /** Called after each history with how many are done. */
  readonly onDone?: (done: number) => void;
};

export type HistoryTotals = {
  histories: number;
  lists: number;
  events: number;
  restarts: number;
  lags: number;
};

/** The second server falls behind each time so many histories are done, for longer than a list waits for a version (3 s). */
const LAG_EVERY = 10;
const LAG_MS = 4_000;

/** Rejects with the first history that failed, which names its seed and its steps. */
export async function runHistories(run: HistoryRun): Promise<HistoryTotals> {
  await using arena = await Arena.start(run.watchCache);
  const totals: HistoryTotals = { histories: 0, lists: 0, events: 0, restarts: 0, lags: 0 };
  const stop = new AbortController();
  const fail = (error: unknown): void => stop.abort(error);
  let restarting = Promise.resolve();
  const shake = (): void => {
    const done = totals.histories;
    if (done % LAG_EVERY === 0 && arena.lag(Math.random() * LAG_MS) === 'begun') totals.lags += 1;
    if (done % run.restartEvery !== 0) return;
    const place = totals.restarts % 2 === 0 ? 0 : 1;
    totals.restarts += 1;
    // One at a time: some server always answers.
    restarting = restarting.then(() => arena.restart(place)).catch(fail);
  };
  const seeds = [...run.seeds];
  const worker = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined && !stop.signal.aborted; seed = seeds.shift()) {
      const { lists, events } = await runHistory(arena, seed, stop.signal);
      totals.lists += lists;
      totals.events += events;
      totals.histories += 1;
      run.onDone?.(totals.histories);
      shake();
    }
  };
  // Nobody plays on in an arena that is closed.
  await Promise.all(Array.from({ length: run.atOnce }, () => worker().catch(fail)));
  await restarting;
  stop.signal.throwIfAborted();
  return totals;
}
