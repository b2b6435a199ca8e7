// What the benches of the operator measure, each in a process of its own that answers commands with lines of JSON; started by
// operator-start.ts.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { AGENT_NAMESPACE } from '../../api/names.ts';
import { WORKLOAD_KINDS } from '../../api/pacto.ts';
import * as read from '../../api/read.ts';
import { DEFAULT_FEATURES } from '../../evaluation/observe/observe-input.ts';
import { KubeClient } from '../../kube/client.ts';
import { loadClusterConfig } from '../../kube/config.ts';
import { UndiciTransport } from '../../kube/undici-transport.ts';
import { OperatorCache } from '../../operator/cache/operator-cache.ts';
import { runOperator } from '../../operator/main.ts';
import * as kinds from '../../operator/resources.ts';
import { systemClock as clock } from '../../runtime/clock.ts';
import type { LogFields } from '../../runtime/log-fields.ts';
import type { Logger } from '../../runtime/logger.ts';
import { Metrics } from '../../runtime/metrics.ts';

const [, , scenario = '', kubeconfig = '', namespace = ''] = process.argv;
const config = await loadClusterConfig({ kubeconfig, env: {} });
const stop = new AbortController();
let passes = 0;
let onPass = (): void => undefined;
const silent = (): void => undefined;
const log: Logger = {
  debug: (message: string, _fields?: LogFields) => {
    if (message !== 'pass ended') return;
    passes += 1;
    onPass();
  },
  info: silent,
  warn: silent,
  error: (message, fields) => process.stderr.write(`${message} ${String(fields?.error)}\n`),
  fatal: silent,
  child: () => log,
};

type Answer = Readonly<Record<string, number>>;
type Running = { readonly done: Promise<unknown>; readonly client?: UndiciTransport };

const connect = (): { readonly transport: UndiciTransport; readonly client: KubeClient } => {
  const transport = new UndiciTransport({ config, clock, userAgent: 'bench' });
  return { transport, client: new KubeClient({ transport, clock }) };
};

async function collected(): Promise<NodeJS.MemoryUsage> {
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc?.();
    await delay(50);
  }
  return process.memoryUsage();
}

/** Memory before and after `fill`, and the most there was of it meanwhile, in MB. */
async function memoryOf(fill: () => Promise<number>): Promise<Answer> {
  const before = await collected();
  let peak = 0;
  const sample = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const objects = await fill();
  clearInterval(sample);
  const after = await collected();
  const mb = (bytes: number): number => bytes / 1e6;
  return {
    objects,
    heapMB: mb(after.heapUsed - before.heapUsed),
    rssMB: mb(after.rss),
    peakMB: mb(peak),
    emptyMB: mb(before.rss),
  };
}

/** The operator's caches, filled. */
function records(): Promise<Answer> {
  const { client } = connect();
  const metrics = new Metrics();
  const cache = new OperatorCache({ client, clock, log, metrics, agentNamespace: AGENT_NAMESPACE });
  held.push(cache);
  return memoryOf(async () => {
    void cache.informers.run(stop.signal);
    await cache.informers.whenSettled(stop.signal);
    const counted = (await metrics.render()).matchAll(/^kube_cache_objects\{.*\} (\d+)$/gm);
    return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
  });
}

/** The same objects as they come, parsed. */
function objects(): Promise<Answer> {
  const { client } = connect();
  const types = [
    kinds.PACTOS,
    kinds.SERVICES,
    kinds.ENDPOINT_SLICES,
    ...WORKLOAD_KINDS.map((kind) => kinds.WORKLOADS[kind]),
    kinds.PODS,
  ];
  const store = new Map<string, unknown>();
  held.push(store);
  return memoryOf(async () => {
    for (const type of types) {
      for await (const event of client.watch(type, { initialEvents: 'send', signal: stop.signal })) {
        if (event.kind === 'bookmark') break;
        if (event.kind !== 'added') continue;
        const metadata = read.object(event.object, 'metadata');
        store.set(
          `${type.kind} ${read.string(metadata, 'namespace')}/${read.string(metadata, 'name')}`,
          event.object,
        );
      }
    }
    return store.size;
  });
}
const held: unknown[] = [];

/** The whole operator but for its Lease. */
function operator(): Running {
  const done = runOperator(
    {
      cluster: config,
      namespace: 'default',
      identity: 'bench',
      ...(namespace === '' ? {} : { watchNamespace: namespace }),
      windowMs: 120_000,
      features: DEFAULT_FEATURES,
      agentNamespace: AGENT_NAMESPACE,
      leaderElection: 'none',
      workers: 4,
      registries: { env: {}, sources: [{ kind: 'anonymous' }] },
      health: { host: '127.0.0.1', port: 0, flag: '--health-probe-bind-address' },
      version: 'bench',
    },
    { clock, log, metrics: new Metrics() },
    stop.signal,
  );
  return { done };
}

/** The least that can follow a change with a write: one watch, one patch, nothing remembered. */
function loop(): Running {
  const { client, transport } = connect();
  const follow = async (): Promise<void> => {
    const type = kinds.WORKLOADS.Deployment;
    const options = { namespace, initialEvents: 'send', signal: stop.signal } as const;
    for await (const event of client.watch(type, options)) {
      if (event.kind !== 'added' && event.kind !== 'modified') continue;
      const spec = read.object(read.object(read.object(event.object, 'spec'), 'template'), 'spec');
      const containerImages = read
        .list(spec, 'containers')
        .flatMap((each) => read.string(each, 'image') ?? []);
      const status = { observedRuntime: { containerImages, hasPVC: false, hasEmptyDir: false } };
      const name = read.string(read.object(event.object, 'metadata'), 'name') ?? '';
      await client.mergePatch(kinds.PACTOS, { namespace, name }, { status }, { subresource: 'status' });
      passes += 1;
      onPass();
    }
  };
  return { done: follow(), client: transport };
}

const passed = async (wanted: number): Promise<void> => {
  for (;;) {
    if (passes >= wanted) return;
    await new Promise<void>((resolve) => (onPass = resolve));
  }
};
const say = (answer: Answer): boolean => process.stdout.write(`${JSON.stringify(answer)}\n`);
const state = (): Answer => {
  const { user, system } = process.cpuUsage();
  return { passes, cpuMs: (user + system) / 1_000, rssMB: process.memoryUsage.rss() / 1e6 };
};

if (scenario === 'records' || scenario === 'objects') {
  say(await (scenario === 'records' ? records() : objects()));
  process.exit(0);
}
const running = scenario === 'operator' ? operator() : loop();
running.done.catch((error: unknown) => {
  if (stop.signal.aborted) return;
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
// `passes 40` answers once there were forty; `memory` collects first.
for await (const line of createInterface({ input: process.stdin })) {
  const [word, count = '0'] = line.split(' ');
  if (word === 'passes') await passed(Number(count));
  if (word === 'memory') await collected();
  say(state());
}
stop.abort(new Error('the bench is over'));
await running.done.catch(() => undefined);
await running.client?.close();
process.exit(0);
