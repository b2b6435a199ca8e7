// The part of the bench of kube/ that a real API server is needed for: reads, cuts, a restart, silence and idling.
import { setTimeout as delay } from 'node:timers/promises';
import type { KubeClient } from '../../kube/client.ts';
import { startCluster, type TestCluster } from '../cluster/cluster.ts';
import { CuttingProxy } from '../faults/cutting-proxy.ts';
import { realRig } from '../kube/real-rig.ts';
import { Program, type ProgramName } from './kube-programs.ts';
import type { Row } from './kube-rows.ts';

const NAMES: readonly ProgramName[] = ['kube/', 'client-node', 'controller-runtime'];
const TEMPLATES = { group: '', version: 'v1', kind: 'PodTemplate', plural: 'podtemplates', namespaced: true };
/** Cuts in a row. The others wait seconds after each, and longer after more of them. */
const CUTS: Readonly<Record<ProgramName, number>> = {
  'kube/': 100,
  'client-node': 5,
  'controller-runtime': 5,
};
const IDLE_MS = 20_000;

type Values = Partial<Record<ProgramName, number>>;
type Follower = { readonly name: ProgramName; readonly program: Program; readonly proxy: CuttingProxy };

/** The object that all follow. */
class Sentinel {
  readonly #client: KubeClient;
  #count = 0;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Changes it; resolves to what followers are to see. */
  async change(): Promise<string> {
    this.#count += 1;
    const text = String(this.#count);
    const object = {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'sentinel', namespace: 'default', labels: { text } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    };
    await this.#client.apply(TEMPLATES, { namespace: 'default', name: 'sentinel' }, object, {
      fieldManager: 'bench',
    });
    return text;
  }
}

export async function againstRealServer(tell: (...rows: readonly Row[]) => void): Promise<void> {
  await using cluster = await startCluster({ parts: ['etcd', 'apiserver'] });
  await using judge = await realRig(cluster.kubeconfig);
  const sentinel = new Sentinel(judge.client);
  const present = await sentinel.change();
  tell(...(await reads(cluster)));
  const followers: Follower[] = [];
  try {
    for (const name of NAMES) {
      const proxy = await proxyOf(cluster);
      const program = await Program.start(
        name,
        'follow',
        cluster.kubeconfig,
        `https://127.0.0.1:${proxy.port}`,
      );
      followers.push({ name, program, proxy });
    }
    await Promise.all(followers.map(({ program }) => program.saw(present)));
    // Each has listed once for each of its twelve watches: a count that does not show that would show no other either.
    const counted = await listsServed(cluster);
    if (counted < 12 * NAMES.length) throw new Error(`the API server counts ${counted} lists only`);
    tell(await idle(followers));
    tell(...(await cuts(followers, cluster, sentinel)));
    tell(await restart(followers, cluster, sentinel));
    tell(await silence(followers, sentinel));
  } finally {
    for (const { program, proxy } of followers) {
      await program[Symbol.asyncDispose]();
      await proxy.close();
    }
  }
}

function proxyOf(cluster: TestCluster): Promise<CuttingProxy> {
  const { hostname, port } = new URL(cluster.server);
  return CuttingProxy.start(hostname, Number(port));
}

async function reads(cluster: TestCluster): Promise<Row[]> {
  const connections: Values = {};
  for (const name of NAMES) {
    // A proxy counts connections, and takes time of its own for it.
    const proxy = await proxyOf(cluster);
    await using program = await Program.start(
      name,
      'reads',
      cluster.kubeconfig,
      `https://127.0.0.1:${proxy.port}`,
    );
    await program.result();
    connections[name] = proxy.connections;
    await proxy.close();
  }
  const { ms, cpu } = await readTimes(cluster.kubeconfig, cluster.server);
  return [
    { what: '200 reads: connections', unit: '', goal: 2, values: connections },
    // An API server needs about a fifth of client-node's time by itself, and with both on two cores it is never the same twice: what
    // is the client's own shows, and is judged, where a server answers at once.
    { what: '200 reads, API server: time each', unit: 'ms', values: ms },
    { what: '200 reads, API server: processor time each', unit: 'ms', values: cpu },
  ];
}

/** Of three rounds in turn the best of each: other work on the machine only ever makes a round slower. */
export async function readTimes(
  kubeconfig: string,
  server: string,
): Promise<{ readonly ms: Values; readonly cpu: Values }> {
  const [ms, cpu]: [Values, Values] = [{}, {}];
  for (let round = 0; round < 3; round += 1) {
    for (const name of NAMES) {
      await using program = await Program.start(name, 'reads', kubeconfig, server);
      const { msPerRead = Number.NaN, cpuMsPerRead = Number.NaN } = await program.result();
      ms[name] = Math.min(ms[name] ?? Number.POSITIVE_INFINITY, msPerRead);
      cpu[name] = Math.min(cpu[name] ?? Number.POSITIVE_INFINITY, cpuMsPerRead);
    }
  }
  return { ms, cpu };
}

/** A row whose goal is a fifth of client-node's. */
export function fifth(what: string, values: Values): Row {
  return { what, unit: 'ms', goal: (values['client-node'] ?? Number.NaN) / 5, values };
}

async function idle(followers: readonly Follower[]): Promise<Row> {
  const used = (): Promise<readonly number[]> => Promise.all(followers.map(({ program }) => program.cpuMs()));
  const before = await used();
  await delay(IDLE_MS);
  const after = await used();
  const values = Object.fromEntries(
    followers.map(({ name }, i) => [name, ((after[i] ?? 0) - (before[i] ?? 0)) / (IDLE_MS / 1_000)]),
  );
  return { what: 'idle with 12 watches: processor time a second', unit: 'ms', goal: 2, values };
}

async function cuts(
  followers: readonly Follower[],
  cluster: TestCluster,
  sentinel: Sentinel,
): Promise<readonly Row[]> {
  const [lists, seconds]: [Values, Values] = [{}, {}];
  for (const { name, program, proxy } of followers) {
    const before = await listsServed(cluster);
    const took: number[] = [];
    for (let i = 0; i < CUTS[name]; i += 1) {
      const started = performance.now();
      proxy.cut();
      await program.saw(await sentinel.change());
      took.push((performance.now() - started) / 1_000);
    }
    lists[name] = ((await listsServed(cluster)) - before) * (100 / CUTS[name]);
    seconds[name] = took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? Number.NaN;
  }
  return [
    { what: '12 watches cut: LISTs for 100 cuts', unit: '', goal: 0, values: lists },
    { what: '12 watches cut: until all are current, median', unit: 's', values: seconds },
  ];
}

/** All programs follow one server, which is killed and started again. */
async function restart(
  followers: readonly Follower[],
  cluster: TestCluster,
  sentinel: Sentinel,
): Promise<Row> {
  await cluster.killPart('apiserver');
  await cluster.startPart('apiserver');
  return {
    what: '12 watches, server restarted: until current',
    unit: 's',
    goal: 2,
    values: await untilCurrent(followers, sentinel, performance.now()),
  };
}

/** Every connection falls silent, as when packets are dropped; new ones get through. */
async function silence(followers: readonly Follower[], sentinel: Sentinel): Promise<Row> {
  for (const { proxy } of followers) {
    proxy.swallow();
    proxy.pass();
  }
  return {
    what: '12 watches, silent connections: until current',
    unit: 's',
    goal: 15,
    values: await untilCurrent(followers, sentinel, performance.now()),
  };
}

async function untilCurrent(
  followers: readonly Follower[],
  sentinel: Sentinel,
  started: number,
): Promise<Values> {
  const text = await sentinel.change();
  const seconds = await Promise.all(
    followers.map(async ({ name, program }) => {
      await program.saw(text);
      return [name, (performance.now() - started) / 1_000] as const;
    }),
  );
  return Object.fromEntries(seconds);
}

/** Lists of the kind that the API server has answered, paged and streaming, by its own count. */
async function listsServed(cluster: TestCluster): Promise<number> {
  await using r = await realRig(cluster.kubeconfig);
  const { body } = await r.transport.request({
    method: 'GET',
    path: '/metrics',
    headers: { accept: 'text/plain' },
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  let sum = 0;
  for (const line of Buffer.concat(chunks).toString('utf8').split('\n')) {
    if (!line.includes('resource="podtemplates"')) continue;
    // A streamed list is a watch, which is counted as a request only when it ends; it has a count of its own.
    const isList = line.startsWith('apiserver_request_total{') && line.includes('verb="LIST"');
    const isStreamed = line.startsWith('apiserver_watch_list_duration_seconds_count{');
    if (isList || isStreamed) sum += Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return sum;
}
