// What kube/ is measured beside: @kubernetes/client-node, used as its documentation shows. Speaks as kube-subject.ts does.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';

const [, , scenario = '', kubeconfig = '', server = ''] = process.argv;

async function settle(): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc?.();
    await delay(50);
  }
}

await settle();
const before = process.memoryUsage();
const { CoreV1Api, KubeConfig, makeInformer } = await import('@kubernetes/client-node');
await settle();
const imported = process.memoryUsage();

const config = new KubeConfig();
config.loadFromFile(kubeconfig);
if (server !== '') {
  config.clusters = config.clusters.map((cluster) => ({ ...cluster, server }));
}
const api = config.makeApiClient(CoreV1Api);

function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

const say = (what: object): boolean => process.stdout.write(`${JSON.stringify(what)}\n`);

async function reads(): Promise<object> {
  const get = () => api.readNamespacedPodTemplate({ namespace: 'default', name: 'sentinel' });
  await get();
  const [started, used] = [performance.now(), process.cpuUsage()];
  for (let i = 0; i < 200; i += 1) await get();
  return { msPerRead: (performance.now() - started) / 200, cpuMsPerRead: cpuMs(used) / 200 };
}

type Started = { readonly get: (name: string, namespace?: string) => KubernetesObject | undefined };

/** An informer that is started again five seconds after an error, as the documentation has it. */
async function follow(): Promise<object> {
  const all: Started[] = [];
  let last = '';
  const look = (): void => {
    const seen = new Set(all.map((one) => one.get('sentinel', 'default')?.metadata?.labels?.['text'] ?? ''));
    const [value = ''] = seen;
    if (all.length < 12 || seen.size > 1 || value === '' || value === last) return;
    last = value;
    say({ saw: value });
  };
  for (let i = 0; i < 12; i += 1) {
    const informer = makeInformer(config, '/api/v1/namespaces/default/podtemplates', () =>
      api.listNamespacedPodTemplate({ namespace: 'default' }),
    );
    const start = (): void => void informer.start().catch(again);
    const again = (): void => void setTimeout(start, 5_000);
    informer.on('add', look);
    informer.on('update', look);
    informer.on('error', again);
    all.push(informer);
    start();
  }
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'cpu') say({ cpuMs: cpuMs() });
  }
  return {};
}

async function pods(): Promise<object> {
  let peak = 0;
  const sample = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  await settle();
  const heap = process.memoryUsage().heapUsed;
  const informer = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
  const started = performance.now();
  await informer.start();
  const seconds = (performance.now() - started) / 1_000;
  clearInterval(sample);
  await settle();
  const after = process.memoryUsage();
  const objects = informer.list().length;
  return {
    objects,
    seconds,
    peakMiB: peak / 2 ** 20,
    steadyMiB: after.rss / 2 ** 20,
    heapPerObject: (after.heapUsed - heap) / objects,
  };
}

const SCENARIOS: Readonly<Record<string, () => Promise<object>>> = {
  import: () => Promise.resolve({ importMiB: (imported.rss - before.rss) / 2 ** 20 }),
  reads,
  follow,
  pods,
};
say(await (SCENARIOS[scenario] ?? (() => Promise.reject(new Error(`no scenario ${scenario}`))))());
// Its informers and their timers would go on for ever.
process.exit();
