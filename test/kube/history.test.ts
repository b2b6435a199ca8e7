// Random histories against real API servers, with and without watch cache; seeds that once failed are kept.
import { suite, test, type TestContext } from 'node:test';
import { startCluster } from '../cluster/cluster.ts';
import { type Arena, runHistory } from './history.ts';
import { realRig } from './real-rig.ts';

/** Seeds that once broke something. */
const FOUND: readonly number[] = [
  // A damaged TLS stream left the HTTP client with a dead session it never gave up.
  91561228, 91561427,
  // A list that was due after a compaction was cut, and one more was not allowed for.
  67309721,
];
/** Histories per server; a bench runs many more. */
const HISTORIES = 100;
const AT_ONCE = 8;

async function play(t: TestContext, arena: Arena): Promise<void> {
  const first = Math.floor(Math.random() * 1_000_000) * HISTORIES;
  const seeds = [...FOUND, ...Array.from({ length: HISTORIES }, (_, i) => first + i)];
  let [lists, events] = [0, 0];
  const worker = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const report = await runHistory(arena, seed, t.signal);
      lists += report.lists;
      events += report.events;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  t.diagnostic(`${HISTORIES} histories from seed ${first}: ${events} events, ${lists} lists`);
}

suite('kube histories', { concurrency: false }, () => {
  for (const cache of ['with', 'without'] as const) {
    test(`kube/history ${HISTORIES} random histories on an API server ${cache} watch cache`, async (t) => {
      await using cluster = await startCluster({
        parts: ['etcd', 'apiserver'],
        ...(cache === 'without' ? { args: { apiserver: ['--watch-cache=false'] } } : {}),
      });
      await using judge = await realRig(cluster.kubeconfig);
      await play(t, {
        kubeconfig: cluster.kubeconfig,
        server: cluster.server,
        etcd: cluster.etcd,
        compaction: cache === 'without' ? 'bites' : 'harmless',
        judge: judge.client,
      });
    });
  }
});
