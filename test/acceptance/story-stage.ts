// The stage of stories about services that run: one namespace and one operator that looks at it, inside the node where it
// can be, so that its probes reach Services by their names.
import { after } from 'node:test';
import { serviceAccountKubeconfig } from '../cluster/credentials.ts';
import type { ClusterAccess } from '../cluster/cluster.ts';
import { insideNode, reachedInside } from '../cluster/inside-node.ts';
import { createNamespace } from '../cluster/namespace.ts';
import type { Pods } from '../cluster/pods.ts';
import { sharedPods } from '../cluster/shared-pods.ts';
import { startRegistry } from '../contract/registry-server.ts';
import { REGISTRY } from '../demo/shop.ts';
import { installRights } from '../helpers/gate-system.ts';
import { Program } from '../helpers/program.ts';
import { ensureTool } from '../tools/build.ts';
import { proxyLack } from '../tools/proxy-lack.ts';
import { Verdicts } from './verdicts.ts';

export type StoryStage = {
  readonly cluster: ClusterAccess;
  readonly namespace: string;
  readonly pods: Pods;
  /** Host of the registry of contracts, as the operator and this process call it. */
  readonly registry: string;
  readonly verdicts: Verdicts;
  readonly operator: Program;
  /** Resolves when port 80 of a Service is reached from where the operator is; at once when that is not in a node. */
  readonly reached: (service: string) => Promise<void>;
};

/** The image every service of a story runs. */
export const IMAGE = `${REGISTRY}/api:1`;

const SYSTEM = 'pacto-gate-system';

/**
 * Makes the stage for all tests of the calling file when the first one asks for it, on a real node where the machine can,
 * and ends it after them. Probes are on where kube-proxy can run.
 * @param window stabilization window, a Go-style duration
 */
export function storyStage(window: string): () => Promise<StoryStage> {
  const cleanups = new AsyncDisposableStack();
  let stage: Promise<StoryStage> | undefined;
  after(async () => {
    await stage?.catch(() => undefined);
    await cleanups.disposeAsync();
  });
  return () => {
    stage ??= start(window, cleanups);
    return stage;
  };
}

async function start(window: string, cleanups: AsyncDisposableStack): Promise<StoryStage> {
  const cluster = await sharedPods();
  const { admin, pods, node } = cluster;
  const entrance = node !== undefined && (await proxyLack()) === undefined ? { ...cluster, node } : undefined;
  const later = { after: (fn: () => Promise<void>) => cleanups.defer(fn) };
  const [oras, namespace] = await Promise.all([
    ensureTool('oras'),
    createNamespace(later, cluster, 'stories'),
    pods.publish(IMAGE),
    installRights(cluster),
  ]);
  // Inside a node only two ports of the machine are reached, and one is that of its registry.
  const registry = node === undefined ? (await startRegistry(later)).host : cluster.registry;
  const ending = new AbortController();
  cleanups.defer(() => ending.abort());
  const verdicts = await Verdicts.follow(admin, namespace, ending.signal);
  const { kubeconfig } = await serviceAccountKubeconfig(cluster, {
    namespace: SYSTEM,
    name: 'pacto-operator',
  });
  const operator = new Program(
    [
      ...['operator', '--kubeconfig', kubeconfig, '--watch-namespace', namespace],
      ...['--stabilization-window', window, '--oras', oras, '--insecure-registry', registry],
      ...['--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '127.0.0.1:0'],
      ...(entrance === undefined ? [] : ['--enable-probing', '--enable-metrics-observation']),
    ],
    {
      env: { POD_NAMESPACE: SYSTEM, POD_NAME: 'pacto-operator-0' },
      through: entrance === undefined ? [] : insideNode(entrance),
    },
  );
  cleanups.defer(async () => void (await operator.stop()));
  await operator.line('readiness', (line) => line.message === 'operator is judging');
  const reached = async (service: string): Promise<void> => {
    if (entrance !== undefined) await reachedInside(entrance, `${service}.${namespace}.svc`, 80);
  };
  return { cluster, namespace, pods, registry, verdicts, operator, reached };
}
