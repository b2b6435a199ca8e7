// 10,000 random histories against real API servers; prints how many hold, and exits with the first that does not.
import { runHistories } from '../kube/history-run.ts';

const [, , wanted = '10000', from] = process.argv;
const perServer = Math.ceil(Number(wanted) / 2);
const first = from === undefined ? Math.floor(Math.random() * 100_000) * perServer : Number(from);
for (const watchCache of ['with', 'without'] as const) {
  const started = performance.now();
  const seconds = (): number => Math.round((performance.now() - started) / 1_000);
  const totals = await runHistories({
    seeds: Array.from({ length: perServer }, (_, i) => first + i),
    watchCache,
    atOnce: 64,
    restartEvery: 125,
    onDone: (done) => {
      if (done % 500 === 0)
        process.stdout.write(`${done} of ${perServer} histories hold after ${seconds()} s\n`);
    },
  });
  process.stdout.write(
    `${totals.histories} histories from seed ${first} hold ${watchCache} watch cache, in ${seconds()} s: ` +
      `${totals.events} events, ${totals.lists} lists, ${totals.restarts} restarts of servers, ${totals.lags} lags\n`,
  );
}
