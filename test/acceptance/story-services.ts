// Services of stories: what runs, what its contract says, and what is told to it while it runs.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { at, listAt, textAt } from '../cluster/kube-object.ts';
import { orderPods, SERVING_PORT } from '../cluster/pods.ts';
import { type PodSelector, type PodState, STATE_ANNOTATION } from '../cluster/pod-state.ts';
import { rolledOut } from '../cluster/rolled-out.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { packed } from '../contract/bundle-support.ts';
import { push, rig } from '../contract/loader-support.ts';
import { apply, service } from '../demo/shop.ts';
import { IMAGE, type StoryStage } from './story-stage.ts';
import type { Verdict } from './verdicts.ts';

const CONTROL_PORT = 9090;

/** What runs. */
export type Running = {
  /** What the workload serves. Default: HTTP on the serving port. */
  readonly serves?: readonly string[];
  /** Readiness probe. Default: a GET of `/healthz` on the serving port. */
  readonly ready?: object;
  /** What the stub kubelet shows of pods that never are Ready as they are. Default: they are. */
  readonly stub?: PodState;
  readonly replicas?: number;
  /** More of the pod, and of its container. */
  readonly spec?: object;
  readonly container?: object;
};

/** What is said about it. */
export type Declared = {
  /** Lines of the contract after its head. */
  readonly contract: string;
  readonly version?: string;
  /** Where the contract is. Default: in the Pacto. */
  readonly source?: 'inline' | 'registry';
  /** Of the Pacto's target, beside the service and its one binding. */
  readonly target?: object;
};

/** Contract lines for the one interface of most services. */
export const HTTP = 'interfaces: [{ name: http, type: openapi, ref: http.yaml }]\n';

/** In every bundle, for configurations: `schema: schema.json`. */
const SCHEMA = '{"type":"object","required":["port"],"properties":{"port":{"type":"integer"}}}';

/** A kind of port of the test workload. */
type Kind = 'http' | 'http1' | 'h2c' | 'tls' | 'banner' | 'reset';

/** What is served on the port of the Service. */
export const serving = (kind: Kind): readonly string[] => [`-${kind}`, String(SERVING_PORT)];

/** Readiness that the control port tells, whatever is served. */
export const READY_BY_CONTROL = { httpGet: { path: '/healthz', port: CONTROL_PORT } };

/** Runs a service, waits until it is reached, and declares its contract: the first look finds everything in place. */
export async function place(
  t: TestContext,
  s: StoryStage,
  name: string,
  declared: Declared,
  running: Running = {},
): Promise<void> {
  await run(s, name, running);
  if (running.stub === undefined) await reached(s, name, running.replicas);
  await declare(t, s, name, declared);
}

/** Applies Service and Deployment. */
export async function run({ cluster, namespace }: StoryStage, name: string, running: Running): Promise<void> {
  await apply(cluster.admin, service(namespace, name), deployment(namespace, name, running));
}

/** Its pods run, are Ready, and answer where the operator asks. */
export async function reached(s: StoryStage, name: string, replicas = 1): Promise<void> {
  await rolledOut(s.cluster.admin, s.namespace, name);
  await readyEndpoints(s, name, replicas);
  await s.reached(name);
}

/** Waits until so many endpoints of a Service are ready. */
export async function readyEndpoints(
  { cluster, namespace }: StoryStage,
  name: string,
  count: number,
): Promise<void> {
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  await waitUntil(`${count} ready endpoints of ${name}`, async () => {
    const labelSelector = `kubernetes.io/service-name=${name}`;
    const { body } = await cluster.admin.list(path, { labelSelector });
    const endpoints = body.items.flatMap((slice) => listAt(slice, 'endpoints'));
    return endpoints.filter((endpoint) => at(endpoint, 'conditions', 'ready') === true).length === count;
  });
}

/** Puts the contract where it belongs and applies the Pacto. Its timer is an hour: what wakes it is what happens. */
export async function declare(
  t: TestContext,
  s: StoryStage,
  name: string,
  declared: Declared,
): Promise<void> {
  const { contract, version = '1.0.0', source = 'inline', target = {} } = declared;
  const text = `pactoVersion: "2.0"\nservice: { name: ${name}, version: ${version} }\n${contract}`;
  const repository = repositoryOf(s, name);
  if (source === 'registry') {
    const client = await rig(t, { insecure: [s.registry] });
    const files = { 'pacto.yaml': text, 'http.yaml': 'openapi: 3.1.0\n', 'schema.json': SCHEMA };
    await push(t, client, `${repository}:${version}`, await packed(files));
  }
  await apply(s.cluster.admin, {
    apiVersion: 'pacto.trianalab.io/v1alpha1',
    kind: 'Pacto',
    metadata: { name, namespace: s.namespace },
    spec: {
      contractRef: source === 'inline' ? { inline: text } : { oci: `oci://${repository}:${version}` },
      target: {
        serviceName: name,
        workloadRef: { name, kind: 'Deployment' },
        interfaceBindings: [{ interface: 'http', servicePort: 'http' }],
        ...target,
      },
      checkIntervalSeconds: 3_600,
    },
  });
}

/** Where the contracts of a service are that are in the registry. */
export const repositoryOf = ({ registry, namespace }: StoryStage, name: string): string =>
  `${registry}/${namespace}/${name}`;

/** Gives an order to the workload of a service on a real node. */
export function order(
  { cluster, namespace }: StoryStage,
  name: string,
  method: 'PUT' | 'DELETE',
  path: string,
  body?: string,
): Promise<void> {
  return orderPods(cluster, podsOf(namespace, name), method, path, body);
}

/** Serves something else on the port of the Service. */
export async function serveInstead(s: StoryStage, name: string, kind: Kind): Promise<void> {
  await order(s, name, 'DELETE', `/listen?port=${SERVING_PORT}`);
  await order(s, name, 'PUT', `/listen?kind=${kind}&port=${SERVING_PORT}`);
}

export const podsOf = (namespace: string, name: string): PodSelector => ({
  namespace,
  labels: labelsOf(name),
});

const labelsOf = (name: string): Readonly<Record<string, string>> => ({ 'app.kubernetes.io/name': name });

function deployment(namespace: string, name: string, running: Running): object {
  const { serves = serving('http'), stub = 'ready', replicas = 1, spec = {}, container = {} } = running;
  const { ready = { httpGet: { path: '/healthz', port: SERVING_PORT } } } = running;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: labelsOf(name) },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels: labelsOf(name), annotations: { [STATE_ANNOTATION]: stub } },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              name: 'main',
              image: IMAGE,
              command: ['/workload', '-control', String(CONTROL_PORT), ...serves],
              ports: [{ name: 'http', containerPort: SERVING_PORT }],
              // One refusal counts; a slow answer on a loaded machine does not.
              readinessProbe: { ...ready, periodSeconds: 1, timeoutSeconds: 20, failureThreshold: 1 },
              ...container,
            },
          ],
          ...spec,
        },
      },
    },
  };
}

/**
 * A verdict says this and nothing else. Findings are written `SEVERITY CODE SUBJECT at PATH`; each must point to the pass
 * that came to it, and name no address.
 */
export function says(
  { status, findings, object }: Verdict,
  wanted: string,
  ...lines: readonly string[]
): void {
  assert.deepEqual([status, ...findings], [wanted, ...lines]);
  const judgedAt = textAt(object, 'status', 'lastReconciledAt');
  for (const finding of listAt(object, 'status', 'findings')) {
    const [reference, ...more] = listAt(finding, 'evidenceRefs');
    assert.deepEqual(more, []);
    assert.deepEqual([textAt(reference, 'source'), textAt(reference, 'observedAt')], ['k8s', judgedAt]);
    if (textAt(finding, 'code') !== 'EVIDENCE_MISSING') {
      assert.deepEqual([at(reference, 'collector'), at(reference, 'detectedAt')], ['k8s-observer', judgedAt]);
    }
    assert.doesNotMatch(JSON.stringify(finding), /\d+\.\d+\.\d+\.\d+/);
  }
}

/** Waits for a verdict that says this, whatever came before it. */
export async function begins(
  { verdicts }: StoryStage,
  name: string,
  wanted: string,
  ...lines: readonly string[]
): Promise<Verdict> {
  const verdict = await verdicts.until(name, ({ status, findings }) => {
    return JSON.stringify([status, ...findings]) === JSON.stringify([wanted, ...lines]);
  });
  says(verdict, wanted, ...lines);
  return verdict;
}

/** The next verdict says this, and there was none in between. */
export async function follows(
  { verdicts }: StoryStage,
  name: string,
  wanted: string,
  ...lines: readonly string[]
): Promise<Verdict> {
  const verdict = await verdicts.next(name);
  try {
    says(verdict, wanted, ...lines);
  } catch (error) {
    throw new Error(`${(error as Error).message}\nafter ${verdicts.history(name)}`, { cause: error });
  }
  return verdict;
}

/**
 * An absence was confirmed at the end of its window: the window began with the pass that saw it first, every pass before
 * its end left it open, and the first one from then on closed it. Times are whole seconds: the start of a window is rounded
 * up, others down.
 */
export function confirmed(open: Verdict, closed: Verdict, subject: string, windowMs: number): void {
  const began = open.windows[subject];
  assert.ok(
    began !== undefined && began - open.from >= 0 && began - open.from <= 1_000,
    `${began} ${open.from}`,
  );
  assert.equal(closed.windows[subject], began);
  assert.ok(open.to < began + windowMs, `open ${open.to - began} ms after its start`);
  assert.ok(closed.from >= began + windowMs, `closed ${closed.from - began} ms after its start`);
  assert.equal(Date.parse(textAt(closed.object, 'status', 'contractStatusSince')), closed.from);
}
