// The example of kube/README.md, which its test runs: label every ConfigMap that has none.
import { KubeClient } from '../../kube/client.ts';
import { loadClusterConfig } from '../../kube/config.ts';
import { Controller } from '../../kube/controller.ts';
import { Informer } from '../../kube/informer.ts';
import { readMeta, splitKey } from '../../kube/object-meta.ts';
import { UndiciTransport } from '../../kube/undici-transport.ts';
import { WorkQueue } from '../../kube/workqueue.ts';
import { systemClock as clock } from '../../runtime/clock.ts';
import { createLogger } from '../../runtime/logger.ts';
import { Metrics } from '../../runtime/metrics.ts';

// example:begin
const configMap = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

export async function labelConfigMaps(kubeconfig: string, signal: AbortSignal): Promise<void> {
  const log = createLogger({ fields: { process: 'labeller' }, level: 'error' });
  const metrics = new Metrics();
  const config = await loadClusterConfig({ kubeconfig, env: process.env });
  const transport = new UndiciTransport({ config, clock, userAgent: 'labeller/1' });
  const client = new KubeClient({ transport, clock });
  const project = (object: unknown) => readMeta(object)?.name ?? '';
  const informer = new Informer({
    client,
    type: configMap,
    labelSelector: '!seen',
    project,
    clock,
    log,
    metrics,
  });
  const queue = new WorkQueue({ name: 'labels', clock, metrics });
  informer.subscribe(({ key }) => queue.add(key));
  const reconcile = async (key: string, { signal }: { signal: AbortSignal }) => {
    if (informer.lookup(key).kind !== 'found') return { kind: 'done' } as const;
    await client.mergePatch(configMap, splitKey(key), { metadata: { labels: { seen: 'yes' } } }, { signal });
    return { kind: 'done' } as const;
  };
  const controller = new Controller({ name: 'labels', queue, reconcile, workers: 4, clock, log, metrics });
  await Promise.all([informer.run(signal), informer.whenSettled(signal).then(() => controller.run(signal))]);
  queue.stop();
  await transport.close();
}
// example:end
