// What most tests of this room need: a client to a scripted server, a small projection, and waiting for a condition.
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../runtime/clock.ts';
import { systemClock } from '../../runtime/clock.ts';
import { Metrics } from '../../runtime/metrics.ts';
import { KubeClient } from '../../kube/client.ts';
import type { ClusterConfig } from '../../kube/cluster-config.ts';
import { Informer, type InformerOptions } from '../../kube/informer.ts';
import type { ResourceType } from '../../kube/resource.ts';
import type { Transport } from '../../kube/transport.ts';
import { UndiciTransport, type UndiciTransportOptions } from '../../kube/undici-transport.ts';
import { CapturedLog } from '../helpers/captured-log.ts';
import { type Protocol, ScriptedApiServer } from '../faults/scripted-api-server.ts';
import type { Raw } from '../faults/object-store.ts';

export const CONFIG_MAP: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

export type Projection = { readonly name: string; readonly namespace: string; readonly text: string };

export function projectConfigMap(object: unknown): Projection {
  const { metadata, data } = object as { metadata: Record<string, string>; data?: Record<string, string> };
  return Object.freeze({
    name: metadata['name'] ?? '',
    namespace: metadata['namespace'] ?? '',
    text: data?.['text'] ?? '',
  });
}

export function configMap(name: string, text = '', namespace = 'default'): Raw {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { text } };
}

export const SCOPE = { resource: 'configmaps', namespace: 'default' };

export type Rig = AsyncDisposable & {
  readonly transport: UndiciTransport;
  readonly client: KubeClient;
  readonly log: CapturedLog;
  readonly metrics: Metrics;
};

/** A server with HTTP/2 unless said otherwise; closes with the test. */
export async function startServer(t: TestContext, protocol?: Protocol): Promise<ScriptedApiServer> {
  const server = await ScriptedApiServer.start(protocol);
  t.after(() => server.close());
  return server;
}

/** How to reach a scripted server, without credentials. */
export function configOf({ url, ca }: Pick<ScriptedApiServer, 'url' | 'ca'>): ClusterConfig {
  return {
    server: url,
    source: 'test',
    ca: { kind: 'inline', pem: ca },
    tlsVerify: 'verify',
    auth: { kind: 'anonymous' },
  };
}

export function rig(
  server: Pick<ScriptedApiServer, 'url' | 'ca'>,
  options: Partial<UndiciTransportOptions> = {},
): Rig {
  return rigOf(configOf(server), options);
}

/** As {@link rig}, for any server. `over` may put something between the client and its transport. */
export function rigOf(
  config: ClusterConfig,
  options: Partial<UndiciTransportOptions> = {},
  over: (transport: Transport) => Transport = (transport) => transport,
): Rig {
  const clock = options.clock ?? systemClock;
  const transport = new UndiciTransport({ config, userAgent: 'pacto-gate/test', ...options, clock });
  return {
    transport,
    client: new KubeClient({ transport: over(transport), clock }),
    log: new CapturedLog(),
    metrics: new Metrics(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

export type Running<T> = AsyncDisposable & {
  readonly informer: Informer<T>;
  readonly stop: () => Promise<void>;
};

/** Starts an informer over ConfigMaps; stops it with the scope. */
export function runInformer(
  { client, log, metrics }: Rig,
  options: Partial<InformerOptions<Projection>> & { readonly clock?: Clock } = {},
): Running<Projection> {
  const informer = new Informer<Projection>({
    client,
    type: CONFIG_MAP,
    project: projectConfigMap,
    log,
    metrics,
    ...options,
    clock: options.clock ?? systemClock,
  });
  const stop = new AbortController();
  const done = informer.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await done;
  };
  return { informer, stop: end, [Symbol.asyncDispose]: end };
}

/** Waits until `condition` holds. Fails after `deadlineMs`, in milliseconds: a limit, generous since a loaded machine is no failure. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string,
  deadlineMs = 60_000,
): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await delay(2);
  }
}

/** What the informer and the server hold, as comparable text. */
export function pictures(
  informer: Informer<Projection>,
  server: ScriptedApiServer,
): { readonly informer: readonly string[]; readonly server: readonly string[] } {
  const list = informer.list();
  const held = list.kind === 'found' ? list.value : [];
  return {
    informer: held.map(({ namespace, name, text }) => `${namespace}/${name}=${text}`).sort(),
    server: server.store
      .list({ resource: 'configmaps', namespace: '' })
      .map(projectConfigMap)
      .map(({ namespace, name, text }) => `${namespace}/${name}=${text}`)
      .sort(),
  };
}

/** Waits until the informer holds exactly what the server holds. */
export async function converged(informer: Informer<Projection>, server: ScriptedApiServer): Promise<void> {
  await eventually(() => {
    const { informer: held, server: stored } = pictures(informer, server);
    return informer.list().kind === 'found' && held.join('\n') === stored.join('\n');
  }, 'the informer equals the server');
}
