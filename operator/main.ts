// Wires the operator process: caches, leader election, the Pacto controller, events, health endpoints.
import { KindsNotServedError } from '../api/kinds-not-served.ts';
import { EVENT_COMPONENT, FIELD_MANAGERS, LEASES, USER_AGENT } from '../api/names.ts';
import { ContractChecker } from '../contract/check/contract-checker.ts';
import { ContractLoader } from '../contract/loader/contract-loader.ts';
import { CredentialFolders } from '../contract/registry/credential-folders.ts';
import { OrasClient } from '../contract/registry/oras-client.ts';
import { KubeClient } from '../kube/client.ts';
import { EventRecorder } from '../kube/event-recorder.ts';
import { LeaderElector } from '../kube/leader-election.ts';
import { RestMetrics } from '../kube/rest-metrics.ts';
import { UndiciTransport } from '../kube/undici-transport.ts';
import type { Clock } from '../runtime/clock.ts';
import { HealthServer } from '../runtime/health-server.ts';
import { type Component, runAll } from '../runtime/lifecycle.ts';
import { aborted } from '../runtime/aborted.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { OperatorCache } from './cache/operator-cache.ts';
import { PactoController } from './controllers/pacto/pacto-controller.ts';
import { OperatorMetrics } from './operator-metrics.ts';
import type { OperatorOptions, RegistryOptions } from './options.ts';
import { PactoContracts } from './pacto-contracts.ts';
import { PactoInquiries } from './pacto-inquiries.ts';
import { Inquiries } from './probes/inquiries.ts';
import { pullSecretReader } from './pull-secret-reader.ts';

export type OperatorRuntime = { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics };

/** Runs until `signal` aborts. Rejects with a typed error when it cannot start, or with LeaseLostError. */
export async function runOperator(
  options: OperatorOptions,
  runtime: OperatorRuntime,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, metrics } = runtime;
  const connect = (): UndiciTransport =>
    new UndiciTransport({
      config: options.cluster,
      clock,
      log,
      userAgent: `${USER_AGENT}-operator/${options.version}`,
    });
  // The Lease has a connection of its own, so that a large answer never delays a renewal.
  const [transport, leaseTransport] = [connect(), connect()];
  const restMetrics = new RestMetrics(metrics, new URL(options.cluster.server).host);
  const elector = new LeaderElector({
    client: new KubeClient({ transport: leaseTransport, clock, metrics: restMetrics }),
    namespace: options.namespace,
    name: LEASES.operator,
    identity: options.identity,
    fieldManager: FIELD_MANAGERS.operator,
    clock,
    log,
    metrics,
  });
  const client = new KubeClient({
    transport,
    clock,
    metrics: restMetrics,
    beforeWrite: () => {
      if (options.leaderElection === 'lease') elector.assertLeading();
    },
  });
  const cache = new OperatorCache({
    client,
    clock,
    log,
    metrics,
    monitors: options.features.metricsObservation,
    ...(options.features.kernelEvidence === undefined ? {} : { agentNamespace: options.agentNamespace }),
    ...(options.watchNamespace === undefined ? {} : { namespace: options.watchNamespace }),
  });
  const events = new EventRecorder({
    client,
    api: 'v1',
    source: { component: EVENT_COMPONENT, instance: options.identity },
    clock,
    log: log.child({ component: 'events' }),
    metrics,
  });
  const contracts = contractLoader(options.registries, clock);
  // Apart from that of the loader: configurations must not wait behind contracts.
  const documents = new ContractChecker({ timers: clock.timers });
  const controller = new PactoController({
    client,
    cache,
    contracts: new PactoContracts({
      loader: contracts.loader,
      pullSecrets: pullSecretReader(client),
      timers: clock.timers,
    }),
    events,
    operatorMetrics: new OperatorMetrics(metrics),
    settings: { windowMs: options.windowMs, features: options.features },
    inquiries: new PactoInquiries({
      inquire: new Inquiries({
        client,
        cache,
        checker: documents,
        timers: clock.timers,
        monotonic: clock.monotonic,
      }).ask,
      timers: clock.timers,
    }),
    workers: options.workers,
    clock,
    log,
    metrics,
  });
  const health = new HealthServer({
    health: options.health,
    ...(options.metricsAddress === undefined ? {} : { metricsAddress: options.metricsAddress, metrics }),
    log,
    ready: [
      { name: 'caches', check: () => listed(cache.informers.unsettled()) },
      { name: 'pactos', check: () => cache.pactosUnreadable() },
    ],
  });
  const components: Component[] = [
    health,
    { name: 'caches', run: (stop) => cache.informers.run(stop), ready: (stop) => settled(cache, stop) },
    { name: 'events', run: (stop) => events.run(stop) },
    { name: 'announce', run: (stop) => announce(health, log, stop) },
    {
      name: 'pacto controller',
      run: (stop) =>
        options.leaderElection === 'lease'
          ? elector.run(stop, (led) => controller.run(led))
          : controller.run(stop),
    },
  ];
  try {
    await runAll(signal, components, { log, timers: clock.timers });
  } finally {
    await Promise.all([contracts.close(), documents.close()]);
    await Promise.all([transport.close(), leaseTransport.close()]);
  }
}

type OwnedLoader = { readonly loader: ContractLoader; close(): Promise<void> };

function contractLoader({ sources, ...registries }: RegistryOptions, clock: Clock): OwnedLoader {
  const { timers } = clock;
  const oras = new OrasClient({ ...registries, folders: new CredentialFolders(), timers });
  const checker = new ContractChecker({ timers });
  const loader = new ContractLoader({ oras, checker, sources, clock: clock.monotonic, timers });
  const close = async (): Promise<void> => {
    await loader.close();
    await checker.close();
  };
  return { loader, close };
}

async function settled(cache: OperatorCache, signal: AbortSignal): Promise<void> {
  await cache.informers.whenSettled(signal);
  if (cache.pactosNotServed()) throw new KindsNotServedError(['Pacto']);
}

async function announce(health: HealthServer, log: Logger, stop: AbortSignal): Promise<void> {
  log.info('health endpoints are serving', { address: `:${health.port ?? 0}` });
  const { metricsPort } = health;
  if (metricsPort !== undefined) log.info('metrics are serving', { address: `:${metricsPort}` });
  await aborted(stop);
}

function listed(kinds: readonly string[]): string | undefined {
  return kinds.length === 0 ? undefined : `not read yet: ${kinds.join(', ')}`;
}
