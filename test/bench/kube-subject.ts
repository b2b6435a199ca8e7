// One measurement of kube/ in a process of its own: prints one line of JSON. Uses the compiled code where there is some.
import { existsSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type * as clientModule from '../../kube/client.ts';
import type * as configModule from '../../kube/config.ts';
import type * as informerModule from '../../kube/informer.ts';
import type * as transportModule from '../../kube/undici-transport.ts';
import type * as clockModule from '../../runtime/clock.ts';
import type * as metricsModule from '../../runtime/metrics.ts';

const [, , scenario = '', kubeconfig = '', server = '', heap = 'plain'] = process.argv;
/** As kube/README.md has it for a program that must not pause while it reads very many objects. */
const prepared = heap === 'prepared';
if (prepared) {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=400');
}
const compiled = existsSync(new URL('../../dist/kube/client.js', import.meta.url));
const root = compiled ? '../../dist' : '../..';
const ending = compiled ? 'js' : 'ts';

const settle = async (): Promise<void> => {
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc?.();
    await delay(50);
  }
};
await settle();
const before = process.memoryUsage();
const load = async <T>(name: string): Promise<T> => (await import(`${root}/${name}.${ending}`)) as T;
const { loadClusterConfig } = await load<typeof configModule>('kube/config');
const { KubeClient } = await load<typeof clientModule>('kube/client');
const { Informer } = await load<typeof informerModule>('kube/informer');
const { UndiciTransport } = await load<typeof transportModule>('kube/undici-transport');
const { systemClock: clock } = await load<typeof clockModule>('runtime/clock');
const { Metrics } = await load<typeof metricsModule>('runtime/metrics');
await settle();
const imported = process.memoryUsage();

const config = await loadClusterConfig({ kubeconfig, env: {} });
const transport = new UndiciTransport({
  config: server === '' ? config : { ...config, server },
  clock,
  userAgent: 'bench',
});
const client = new KubeClient({ transport, clock });
const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const templates = { group: '', version: 'v1', kind: 'PodTemplate', plural: 'podtemplates', namespaced: true };
const noop = (): void => undefined;
const log = { debug: noop, info: noop, warn: noop, error: noop, fatal: noop, child: () => log };

type Pod = {
  readonly metadata: { readonly [key: string]: unknown; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly nodeName: string; readonly containers: readonly { readonly image: string }[] };
  readonly status: { readonly phase: string; readonly podIP: string };
};

/** The ten fields a product keeps of a pod. */
function project(object: unknown) {
  const { metadata, spec, status } = object as Pod;
  return {
    namespace: metadata['namespace'],
    name: metadata['name'],
    uid: metadata['uid'],
    labels: metadata.labels,
    owner: (metadata['ownerReferences'] as { name: string }[])[0]?.name,
    node: spec.nodeName,
    images: spec.containers.map(({ image }) => image),
    phase: status.phase,
    ip: status.podIP,
  };
}

const stop = new AbortController();
const informer = (lists: 'streamed' | 'paged') =>
  new Informer({
    client,
    lists,
    type: pods,
    project,
    indexes: { byNode: ({ node }) => [node] },
    clock,
    log,
    metrics: new Metrics(),
  });

async function reads(): Promise<object> {
  const get = () => client.get(templates, { namespace: 'default', name: 'sentinel' });
  await get();
  const [started, used] = [performance.now(), process.cpuUsage()];
  for (let i = 0; i < 200; i += 1) await get();
  return { msPerRead: (performance.now() - started) / 200, cpuMsPerRead: cpuMs(used) / 200 };
}

const RESOLUTION_MS = 1;

async function cache(lists: 'streamed' | 'paged'): Promise<object> {
  // What a connection and its first request take is the start of a program, not of a list.
  await client.raw({ method: 'GET', path: '/version' }, {}).catch(() => undefined);
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let peak = 0;
  const sample = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  await settle();
  const heap = process.memoryUsage().heapUsed;
  const one = informer(lists);
  loop.enable();
  const started = performance.now();
  const done = one.run(stop.signal);
  await one.whenSettled(stop.signal);
  const seconds = (performance.now() - started) / 1_000;
  loop.disable();
  // Not V8's default, which is 0 and decides by itself.
  if (prepared) setFlagsFromString('--heap-growing-percent=100');
  clearInterval(sample);
  await settle();
  const after = process.memoryUsage();
  stop.abort();
  await done;
  return {
    objects: one.size,
    seconds,
    // What is recorded is the time from one look to the next, which is the time between two looks when nothing is in the way.
    pauseMs: loop.max / 1e6 - RESOLUTION_MS,
    pauseP99Ms: loop.percentile(99) / 1e6 - RESOLUTION_MS,
    peakMiB: peak / 2 ** 20,
    steadyMiB: after.rss / 2 ** 20,
    heapPerObject: (after.heapUsed - heap) / one.size,
  };
}

function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

const say = (what: object): boolean => process.stdout.write(`${JSON.stringify(what)}\n`);

/** 12 informers of one kind: says what all of them see, and the processor time used when asked. Ends with its input. */
async function follow(): Promise<object> {
  const text = (object: unknown) =>
    (object as { metadata: { labels: { text: string } } }).metadata.labels.text;
  const all = Array.from(
    { length: 12 },
    () =>
      new Informer({
        client,
        type: templates,
        namespace: 'default',
        project: text,
        clock,
        log,
        metrics: new Metrics(),
      }),
  );
  let last = '';
  for (const one of all) {
    one.subscribe(() => {
      const seen = new Set(
        all.map((each) => each.lookup('default/sentinel')).map((it) => (it.kind === 'found' ? it.value : '')),
      );
      const [value = ''] = seen;
      if (seen.size > 1 || value === '' || value === last) return;
      last = value;
      say({ saw: value });
    });
  }
  const done = all.map((one) => one.run(stop.signal));
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'cpu') say({ cpuMs: cpuMs() });
  }
  stop.abort();
  await Promise.all(done);
  return {};
}

const SCENARIOS: Readonly<Record<string, () => Promise<object>>> = {
  import: () => Promise.resolve({ importMiB: (imported.rss - before.rss) / 2 ** 20, compiled }),
  reads,
  streaming: () => cache('streamed'),
  paged: () => cache('paged'),
  follow,
};
const result = await (SCENARIOS[scenario] ?? (() => Promise.reject(new Error(`no scenario ${scenario}`))))();
await transport.close();
process.stdout.write(`${JSON.stringify(result)}\n`);
