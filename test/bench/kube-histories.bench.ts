// 10,000 random histories against real API servers; prints how many hold, and exits with the first that does not.
import { runHistories } from '../kube/history-run.ts';

const [, , wanted = '10000'] = process.argv;
const perServer = Math.ceil(Number(wanted) / 2);
const first = Math.floor(Math.random() * 100_000) * perServer;
for (const watchCache of ['with', 'without'] as const) {
  const started = performance.now();
  const totals = await runHistories({
    seeds: Array.from({ length: perServer }, (_, i) => first + i),
    watchCache,
    signal: new AbortController().signal,
    onDone: (done) => {
      if (done % 500 === 0) process.stdout.write(`${done} of ${perServer} histories hold\n`);
    },
  });
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stdout.write(
    `${totals.histories} histories from seed ${first} hold ${watchCache} watch cache, in ${seconds} s: ` +
      `${totals.events} events, ${totals.lists} lists, ${totals.restarts} restarts of the server\n`,
  );
}
