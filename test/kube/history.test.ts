// Random histories against real API servers, with and without watch cache; seeds that once failed are kept.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runHistories } from './history-run.ts';

/** Seeds that once broke something. */
const FOUND: readonly number[] = [
  // A damaged TLS stream left the HTTP client with a dead session it never gave up.
  91561228, 91561427,
  // A list that was due after a compaction was cut, and one more was not allowed for.
  67309721,
  // A watch that was taken up again said nothing for a minute, and a server was not found again: no cause was found.
  770041,
  52062277,
  // Silence over HTTP/1.1 made a server without bookmarks be listed once more, which was not allowed for.
  35222562, 90000185,
  // The predecessor of the next change was compacted, and etcd could not tell that change to any watch.
  93935992,
];
/** Histories per server; `make bench` plays many more. */
const HISTORIES = 100;

suite('kube histories', { concurrency: false }, () => {
  for (const watchCache of ['with', 'without'] as const) {
    test(`kube/history ${HISTORIES} random histories on API servers ${watchCache} watch cache`, async (t) => {
      const first = Math.floor(Math.random() * 1_000_000) * HISTORIES;
      const seeds = [...FOUND, ...Array.from({ length: HISTORIES }, (_, i) => first + i)];
      const totals = await runHistories({ seeds, watchCache, atOnce: 32, restartEvery: 35 });
      const { histories, events, lists, restarts, lags } = totals;
      t.diagnostic(
        `${histories} histories from seed ${first}: ${events} events, ${lists} lists, ` +
          `${restarts} restarts of servers, ${lags} lags`,
      );
      assert.ok(restarts >= 2, 'each server was restarted');
      assert.ok(lags >= 2, 'the second server fell behind');
    });
  }
});
