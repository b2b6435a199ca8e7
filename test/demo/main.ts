// `make demo`: a real control plane on loopback, the product as processes of its own, and the story played on them.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseDuration } from '../../api/duration.ts';
import { aborted } from '../../runtime/aborted.ts';
import { startCluster, type TestCluster } from '../cluster/cluster.ts';
import { serviceAccountKubeconfig } from '../cluster/credentials.ts';
import { applyManifests } from '../cluster/manifests.ts';
import { kubeletPods, type Pods, stubPods } from '../cluster/pods.ts';
import { startStubKubelet } from '../cluster/stub-kubelet.ts';
import { whyStub } from '../cluster/why-stub.ts';
import { type GateSystem, startGateSystem } from '../helpers/gate-system.ts';
import { Narrator, StoryError } from './narrator.ts';
import { pipelineRights } from './pipeline-rights.ts';
import { IMAGES, playStory, PRODUCTION, STAGING } from './story.ts';

const COMPILED = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const PROGRAM = 'bin/pacto-gate.js';

const { values } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    'stabilization-window': { type: 'string', default: '10s' },
  },
});
const window = values['stabilization-window'];
const parsed = parseDuration(window);
if (parsed.kind === 'invalid' || parsed.ms < 5_000) {
  process.stderr.write(
    `demo: --stabilization-window ${JSON.stringify(window)}: give a duration from 5s on, such as 10s\n`,
  );
  process.exit(2);
}
const windowSeconds = parsed.ms / 1000;

const tell = new Narrator((text) => void process.stdout.write(text));
const started = performance.now();
const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;

const stop = new AbortController();
const interrupted = aborted(stop.signal);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

process.exitCode = await run();

async function run(): Promise<number> {
  await using stack = new AsyncDisposableStack();
  tell.note(`starting etcd, kube-apiserver, kube-controller-manager and kube-scheduler on loopback …`);
  const why = await whyStub();
  const cluster: TestCluster = stack.use(await startCluster({ nodes: why === undefined ? 1 : 0 }));
  const pods = await podsOf(cluster, why, stack);
  tell.note(`all of it is ready after ${seconds()}: ${cluster.server}`);
  for (const { namespace } of [STAGING, PRODUCTION]) {
    await applyManifests(
      cluster.admin,
      `{ apiVersion: v1, kind: Namespace, metadata: { name: ${namespace} } }`,
    );
  }
  const system: GateSystem = stack.use(
    await startGateSystem(cluster, { window, entry: existsSync(COMPILED) ? COMPILED : SOURCES }),
  );
  tell.note(
    `operator (pid ${system.operator.pid}) and webhook (pid ${system.webhook.pid}) run as accounts of their own after ${seconds()}`,
  );
  tell.note(
    `operator flags: --stabilization-window ${window} (usually 2m, shortened for the demo) --leader-elect`,
  );
  await applyManifests(cluster.admin, pipelineRights('demo-pipeline', STAGING.namespace));
  const pipeline = await serviceAccountKubeconfig(cluster, {
    namespace: STAGING.namespace,
    name: 'pipeline',
  });
  try {
    // Left alone after an interruption: it fails when the cluster goes, and nobody waits for it.
    const story = playStory({ admin: cluster.admin, pipeline: pipeline.client, pods, windowSeconds, tell });
    story.catch(() => undefined);
    await Promise.race([story, interrupted]);
    if (stop.signal.aborted) return 130;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`\ndemo failed after ${seconds()}: ${error.message}\n`);
    if (!(error instanceof StoryError)) process.stderr.write(`${error.stack}\n`);
    process.stderr.write(
      `last lines of the operator:\n${tail(system.operator.text)}\nof the webhook:\n${tail(system.webhook.text)}\n`,
    );
    return 1;
  }
  tell.note(`\nall claims held, ${seconds()} from the first line`);
  if (values.keep) await keep(cluster);
  return 0;
}

/** Who runs the pods: a node of this machine, or a stand-in, and then why. */
async function podsOf(
  cluster: TestCluster,
  why: string | undefined,
  stack: AsyncDisposableStack,
): Promise<Pods> {
  if (why !== undefined) {
    tell.note(why);
    return stubPods(cluster, stack.use(await startStubKubelet(cluster)));
  }
  const [node] = cluster.nodes;
  tell.note(`a node with kubelet and containerd runs the pods, in namespaces of its own: ${node?.subnet}`);
  const pods = kubeletPods(cluster);
  await pods.publish(...IMAGES);
  return pods;
}

/** Leaves everything running until Ctrl-C, and says how to reach it. */
async function keep(cluster: TestCluster): Promise<void> {
  process.stdout.write(`
still running; Ctrl-C ends it. In another terminal:
  export KUBECONFIG=${cluster.kubeconfig}
  ${existsSync(`${cluster.dir}/bin/testcluster`) ? `alias kubectl='${cluster.dir}/bin/testcluster kubectl'` : ''}
  kubectl get pactos -A
  node ${PROGRAM} status -A
  node ${PROGRAM} check shop-staging/api --wait
`);
  // Nothing else keeps the process alive.
  const alive = setInterval(() => undefined, 60_000);
  await interrupted;
  clearInterval(alive);
}

function tail(text: string): string {
  return text.split('\n').slice(-15).join('\n');
}
