// From a change to the stored verdict on a real API server, in turns with the least that can follow a change with a write: one
// watch and one patch, nothing remembered.
import { loadavg } from 'node:os';
import * as read from '../../api/read.ts';
import type { KubeClient } from '../../kube/client.ts';
import { PACTOS, WORKLOADS } from '../../operator/resources.ts';
import { startCluster } from '../cluster/cluster.ts';
import { realRig } from '../kube/real-rig.ts';
import { median, Workshop } from './operator-programs.ts';
import { benchTable } from './bench-table.ts';

const CHANGES = 200;
const WARM_UP = 40;
const GOALS = { p50: 2, p99: 3 } as const;
const SIDES = ['operator', 'loop'] as const;
type Side = (typeof SIDES)[number];

const NAME = 'app';
const IMAGE = 'registry.test/app';
const INLINE = `pactoVersion: "2.0"
service: { name: app, version: 1.0.0 }
workload: service
`;

/** What both sides see of one change: a Deployment whose image is new, and a Pacto whose status says so. */
class Watcher {
  readonly #client: KubeClient;
  readonly #seen = new Map<string, number>();
  readonly #waiting = new Map<string, () => void>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async run(signal: AbortSignal): Promise<void> {
    const deployments = this.#follow(WORKLOADS.Deployment, signal, (object) => {
      const pod = read.object(read.object(read.object(object, 'spec'), 'template'), 'spec');
      return read.string(read.list(pod, 'containers')[0], 'image');
    });
    const pactos = this.#follow(PACTOS, signal, (object) => {
      const runtime = read.object(read.object(object, 'status'), 'observedRuntime');
      return read.strings(runtime, 'containerImages')[0];
    });
    await Promise.all([deployments, pactos]);
  }

  /** When something of this namespace was first seen to have the image, in milliseconds. */
  async at(kind: string, namespace: string, image: string): Promise<number> {
    const key = `${kind} ${namespace} ${image}`;
    for (;;) {
      const seen = this.#seen.get(key);
      if (seen !== undefined) return seen;
      await new Promise<void>((resolve) => this.#waiting.set(key, resolve));
    }
  }

  async #follow(
    type: typeof PACTOS,
    signal: AbortSignal,
    imageOf: (object: unknown) => string | undefined,
  ): Promise<void> {
    for await (const event of this.#client.watch(type, { initialEvents: 'send', signal })) {
      if (event.kind !== 'added' && event.kind !== 'modified') continue;
      const now = performance.now();
      const namespace = read.string(read.object(event.object, 'metadata'), 'namespace') ?? '';
      const key = `${type.kind} ${namespace} ${imageOf(event.object)}`;
      if (!this.#seen.has(key)) this.#seen.set(key, now);
      this.#waiting.get(key)?.();
    }
  }
}

const FIELD_MANAGER = 'bench';

function deployment(namespace: string, image: string): object {
  const labels = { app: NAME };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
    },
  };
}

async function place(client: KubeClient, namespace: string): Promise<void> {
  const types = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
  await client.create(types, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await change(client, namespace, `${IMAGE}:0`);
  const target = { workloadRef: { name: NAME, kind: 'Deployment' } };
  await client.create(PACTOS, {
    apiVersion: 'pacto.trianalab.io/v1alpha1',
    kind: 'Pacto',
    metadata: { name: NAME, namespace },
    spec: { contractRef: { inline: INLINE }, target, checkIntervalSeconds: 3_600 },
  });
}

async function change(client: KubeClient, namespace: string, image: string): Promise<void> {
  await client.apply(WORKLOADS.Deployment, { namespace, name: NAME }, deployment(namespace, image), {
    fieldManager: FIELD_MANAGER,
  });
}

await using workshop = await Workshop.open();
await using cluster = await startCluster({ parts: ['etcd', 'apiserver'] });
await using rig = await realRig(cluster.kubeconfig);
const { client } = rig;
for (const side of SIDES) await place(client, side);
const stop = new AbortController();
const watcher = new Watcher(client);
const watching = watcher.run(stop.signal).catch((error: unknown) => {
  if (!stop.signal.aborted) throw error;
});
await using operator = workshop.start('subject', ['operator', cluster.kubeconfig, 'operator']);
await using loop = workshop.start('subject', ['loop', cluster.kubeconfig, 'loop']);
await Promise.all([operator.ask('passes 1'), loop.ask('passes 1')]);

const took: Readonly<Record<Side, number[]>> = { operator: [], loop: [] };
for (let i = 1; i <= WARM_UP + CHANGES; i += 1) {
  for (const side of i % 2 === 0 ? SIDES : SIDES.toReversed()) {
    const image = `${IMAGE}:${i}`;
    await change(client, side, image);
    const changed = await watcher.at('Deployment', side, image);
    const judged = await watcher.at('Pacto', side, image);
    if (i > WARM_UP) took[side].push(judged - changed);
  }
}
stop.abort(new Error('the bench is over'));
await watching;

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
const table = benchTable('', 'operator', 'bare loop', 'ratio', 'goal', '');
const row = (what: string, of: (values: readonly number[]) => number, goal?: number): void => {
  const [own, bare] = [of(took.operator), of(took.loop)];
  const verdict = goal === undefined ? '' : own / bare <= goal ? 'met' : 'missed';
  if (verdict === 'missed') process.exitCode = 1;
  table.push([
    what,
    `${own.toFixed(1)} ms`,
    `${bare.toFixed(1)} ms`,
    (own / bare).toFixed(2),
    String(goal ?? ''),
    verdict,
  ]);
};
row('change to stored verdict, p50', median, GOALS.p50);
row('p90', (values) => at(values, 0.9));
row('p99', (values) => at(values, 0.99), GOALS.p99);
process.stdout.write(`${CHANGES} changes each, load ${loadavg()[0]?.toFixed(1)}\n${table.toString()}\n`);
