// Random histories against real API servers, with and without watch cache; seeds that once failed are kept.
import { suite, test } from 'node:test';
import { runHistories } from './history-run.ts';

/** Seeds that once broke something. */
const FOUND: readonly number[] = [
  // A damaged TLS stream left the HTTP client with a dead session it never gave up.
  91561228, 91561427,
  // A list that was due after a compaction was cut, and one more was not allowed for.
  67309721,
];
/** Histories per server; `make bench` plays many more. */
const HISTORIES = 100;

suite('kube histories', { concurrency: false }, () => {
  for (const watchCache of ['with', 'without'] as const) {
    test(`kube/history ${HISTORIES} random histories on an API server ${watchCache} watch cache`, async (t) => {
      const first = Math.floor(Math.random() * 1_000_000) * HISTORIES;
      const seeds = [...FOUND, ...Array.from({ length: HISTORIES }, (_, i) => first + i)];
      const { histories, events, lists, restarts } = await runHistories({
        seeds,
        watchCache,
        signal: t.signal,
      });
      t.diagnostic(
        `${histories} histories from seed ${first}: ${events} events, ${lists} lists, ${restarts} restarts of the server`,
      );
    });
  }
});
