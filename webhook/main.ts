// Wires the webhook process: caches, handler, admission server, health endpoints.
import { KindsNotServedError } from '../api/kinds-not-served.ts';
import { METRIC_PREFIX, USER_AGENT } from '../api/names.ts';
import { GateCache } from '../gate/cache/gate-cache.ts';
import type { CacheStaleAction } from '../gate/judge-policy.ts';
import { KubeClient } from '../kube/client.ts';
import type { ClusterConfig } from '../kube/cluster-config.ts';
import { RestMetrics } from '../kube/rest-metrics.ts';
import { UndiciTransport } from '../kube/undici-transport.ts';
import { aborted } from '../runtime/aborted.ts';
import type { Clock } from '../runtime/clock.ts';
import { HealthServer, type ListenAddress } from '../runtime/health-server.ts';
import { type Component, runAll } from '../runtime/lifecycle.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { type CertificateFiles, readPair } from './certificate.ts';
import { PromotionHandler } from './promotion-handler.ts';
import { WebhookServer } from './server.ts';
import { WebhookMetrics } from './webhook-metrics.ts';

/** Options of `pacto-gate webhook`. */
export type WebhookOptions = {
  readonly cluster: ClusterConfig;
  /** Address of the admission server. Default: all. */
  readonly host?: string;
  /** Port of the admission server. Default: 9443; 0 takes a free one. */
  readonly port: number;
  readonly certificate: CertificateFiles;
  /** Address of /healthz, /readyz and /metrics. Default: :8081. */
  readonly health: ListenAddress;
  /** What happens to a promotion while the gate is out of touch with the API server. Default: Hold. */
  readonly onCacheStale: CacheStaleAction;
  /** Seconds; counts where a verdict names no window of its own. Default: 120. */
  readonly windowSeconds: number;
  /** Milliseconds a stopping server goes on answering. Default: 10,000. */
  readonly drainMs: number;
  readonly version: string;
};

export type Runtime = { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics };

/** Runs until `signal` aborts. Rejects with a typed error when it cannot start. */
export async function runWebhook(
  options: WebhookOptions,
  runtime: Runtime,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, metrics } = runtime;
  // Before anything connects: a pair that cannot serve is told at once.
  await readPair(options.certificate);
  const transport = new UndiciTransport({
    config: options.cluster,
    clock,
    log,
    userAgent: `${USER_AGENT}-webhook/${options.version}`,
  });
  const client = new KubeClient({
    transport,
    clock,
    metrics: new RestMetrics(metrics, new URL(options.cluster.server).host),
  });
  const cache = new GateCache({ client, clock, log, metrics, windowSeconds: options.windowSeconds });
  const webhookMetrics = new WebhookMetrics(metrics);
  const handler = new PromotionHandler({
    view: cache.view,
    onCacheStale: options.onCacheStale,
    wall: clock.wall,
    log: log.child({ component: 'promotions' }),
    metrics: webhookMetrics,
  });
  const server = new WebhookServer({
    handler,
    files: options.certificate,
    ...(options.host === undefined ? {} : { host: options.host }),
    port: options.port,
    drainMs: options.drainMs,
    clock,
    log,
    metrics: webhookMetrics,
  });
  gauges(metrics, cache, server);
  const health = new HealthServer({
    health: options.health,
    metrics,
    log,
    ready: [
      { name: 'caches', check: () => listed(cache.informers.unsettled(), 'not read yet') },
      { name: 'webhook', check: () => server.notReady() },
    ],
  });
  const components: Component[] = [
    health,
    { name: 'caches', run: (stop) => cache.informers.run(stop), ready: (stop) => settled(cache, stop) },
    server,
    { name: 'announce', run: (stop) => announce(server, health, log, stop) },
  ];
  try {
    await runAll(signal, components, { log, timers: clock.timers, drainMs: options.drainMs + 20_000 });
  } finally {
    await transport.close();
  }
}

async function settled(cache: GateCache, signal: AbortSignal): Promise<void> {
  await cache.informers.whenSettled(signal);
  const missing = cache.notServed();
  if (missing.length > 0) throw new KindsNotServedError(missing);
}

async function announce(
  server: WebhookServer,
  health: HealthServer,
  log: Logger,
  stop: AbortSignal,
): Promise<void> {
  log.info('webhook is serving', { address: `:${server.port ?? 0}`, path: '/admit/promotion' });
  log.info('health endpoints are serving', { address: `:${health.port ?? 0}` });
  await aborted(stop);
}

function listed(kinds: readonly string[], what: string): string | undefined {
  return kinds.length === 0 ? undefined : `${kinds.join(', ')}: ${what}`;
}

function gauges(metrics: Metrics, cache: GateCache, server: WebhookServer): void {
  for (const { kind } of cache.ages()) {
    metrics.gauge<'kind'>({
      name: `${METRIC_PREFIX}cache_age_seconds`,
      help: 'Time since the API server last confirmed a cached kind.',
      labels: ['kind'],
      collect: () => ({
        labels: { kind },
        value: (cache.ages().find((a) => a.kind === kind)?.ageMs ?? 0) / 1000,
      }),
    });
  }
  metrics.gauge({
    name: `${METRIC_PREFIX}certificate_expiry_timestamp_seconds`,
    help: 'End of validity of the serving certificate, in seconds since the epoch.',
    collect: () => ({ labels: {}, value: server.certificateNotAfterMs / 1000 }),
  });
}
