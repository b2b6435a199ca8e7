// Every dimension on a real API server: what is declared against what is there, told when it changes and not at the next
// timer. The contracts come from a registry, since schemas and resolved references do.
import assert from 'node:assert/strict';
import { before, test, type TestContext } from 'node:test';
import { AGENT_LABELS, AGENT_NAMESPACE } from '../../api/names.ts';
import { formatTime } from '../../api/time.ts';
import type { TestClient } from '../cluster/client.ts';
import { type KubeObject, listAt, textAt } from '../cluster/kube-object.ts';
import { createNamespace } from '../cluster/namespace.ts';
import { sharedCluster } from '../cluster/shared-cluster.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { packed } from '../contract/bundle-support.ts';
import { push, rig, type Rig } from '../contract/loader-support.ts';
import { type RegistryServer, startRegistry } from '../contract/registry-server.ts';
import { verdict } from '../demo/promotions.ts';
import { apply, deployment, pacto, service } from '../demo/shop.ts';
import { startGateSystem } from '../helpers/gate-system.ts';
import type { Program } from '../helpers/program.ts';
import { ensureTool } from '../tools/build.ts';

const MARKER = 'canary-1618033';

type Stage = {
  readonly admin: TestClient;
  readonly namespace: string;
  readonly operator: Program;
  readonly registry: RegistryServer;
  readonly client: Rig;
};

/** An operator with a window of two seconds that looks at one namespace. No timer wakes it: it is the watches that do. */
async function stage(t: TestContext, ...flags: readonly string[]): Promise<Stage> {
  const cluster = await sharedCluster();
  const [registry, oras] = await Promise.all([startRegistry(t), ensureTool('oras')]);
  const client = await rig(t, { insecure: [registry.host] });
  const namespace = await createNamespace(t, cluster, 'dimensions');
  const system = await startGateSystem(cluster, {
    window: '2s',
    watchNamespace: namespace,
    governed: [namespace],
    name: `dimensions-${namespace}`,
    operatorFlags: ['--oras', oras, '--insecure-registry', registry.host, ...flags],
  });
  t.after(() => system.stop());
  return { admin: cluster.admin, namespace, operator: system.operator, registry, client };
}

before(async () => {
  await ensureTool('oras');
});

type Declared = {
  readonly version?: string;
  /** Lines of the contract after its head. */
  readonly fragment: string;
  readonly target?: object;
  readonly replicas?: number;
};

/** A service of the shop: its contract pushed, its Deployment, Service and Pacto applied. */
async function place(t: TestContext, s: Stage, name: string, declared: Declared): Promise<void> {
  const { admin, namespace } = s;
  const image = { name, image: 'registry.test/shop/api:1' };
  await apply(admin, deployment(namespace, image, declared.replicas ?? 1), service(namespace, name));
  await declare(t, s, name, declared);
}

/** Pushes the contract and points the Pacto at it. */
async function declare(t: TestContext, s: Stage, name: string, declared: Declared): Promise<void> {
  const { version = '1.0.0', fragment, target = {} } = declared;
  const text = `pactoVersion: "2.0"\nservice: { name: ${name}, version: ${version} }\n${fragment}`;
  const bundle = await packed({ 'pacto.yaml': text, 'http.yaml': 'openapi: 3.1.0\n', 's.json': SCHEMA });
  await push(t, s.client, `${s.registry.host}/shop/${name}:${version}`, bundle);
  const plain = pacto(s.namespace, name, '') as { readonly spec: { readonly target: object } };
  const contractRef = { oci: `oci://${s.registry.host}/shop/${name}:${version}` };
  await apply(s.admin, {
    ...plain,
    spec: { contractRef, target: { ...plain.spec.target, ...target }, checkIntervalSeconds: 3_600 },
  });
}

const SCHEMA = '{"type":"object","required":["port"],"properties":{"port":{"type":"integer"}}}';
const HTTP = 'interfaces: [{ name: http, type: openapi, ref: http.yaml }]\n';

const codes = (object: KubeObject): readonly string[] =>
  listAt(object, 'status', 'findings').map((finding) => textAt(finding, 'code'));

const configMap = (namespace: string, text: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace },
  data: { app: text },
});

test('evaluation/CO5 CO7 CO9 a ConfigMap that is missing, then violates its schema, then conforms', async (t) => {
  const s = await stage(t);
  const { admin, namespace } = s;
  const binding = { configuration: 'app', kind: 'ConfigMap', name: 'settings', key: 'app', format: 'yaml' };
  await place(t, s, 'api', {
    fragment: 'configurations: [{ name: app, required: true, schema: s.json }]\n',
    target: { configBindings: [binding] },
  });
  assert.deepEqual(codes(await verdict(admin, namespace, 'api', 'Unknown')), ['EVIDENCE_INSUFFICIENT']);
  assert.deepEqual(codes(await verdict(admin, namespace, 'api', 'NonCompliant')), ['CONFIGURATION_ABSENT']);
  await apply(admin, configMap(namespace, 'port: 8080'));
  const conforming = await verdict(admin, namespace, 'api', 'Compliant');
  assert.deepEqual(listAt(conforming, 'status', 'observationWindows'), []);
  await apply(admin, configMap(namespace, `port: ${MARKER}`));
  const violating = await verdict(admin, namespace, 'api', 'NonCompliant');
  assert.deepEqual(codes(violating), ['CONFIGURATION_MISMATCH']);
  assert.doesNotMatch(JSON.stringify(violating), new RegExp(MARKER));
  await apply(admin, configMap(namespace, 'port: 1'));
  await verdict(admin, namespace, 'api', 'Compliant');
  assert.doesNotMatch(s.operator.text, new RegExp(MARKER));
});

test('evaluation/CO17 of a Secret its existence alone is told', async (t) => {
  const s = await stage(t);
  const { admin, namespace } = s;
  const metadata = { name: 'keys', namespace };
  await apply(admin, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { [MARKER]: MARKER } });
  await place(t, s, 'api', {
    fragment: 'configurations: [{ name: app, required: true, schema: s.json }]\n',
    target: { configBindings: [{ configuration: 'app', kind: 'Secret', name: 'keys' }] },
  });
  const judged = await verdict(admin, namespace, 'api', 'Unknown');
  assert.deepEqual(codes(judged), ['EVIDENCE_INSUFFICIENT']);
  assert.deepEqual(listAt(judged, 'status', 'observationWindows'), []);
  assert.doesNotMatch(JSON.stringify(judged) + s.operator.text, new RegExp(MARKER));
});

test('evaluation/EX16 an internal interface that an Ingress exposes, until it does no longer', async (t) => {
  const s = await stage(t);
  const { admin, namespace } = s;
  await place(t, s, 'api', { fragment: HTTP });
  await verdict(admin, namespace, 'api', 'Compliant');
  const ingresses = `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`;
  await admin.create(ingresses, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web' },
    spec: { defaultBackend: { service: { name: 'api', port: { name: 'http' } } } },
  });
  await admin.mergePatch(`${ingresses}/web/status`, {
    status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } },
  });
  const exposed = await verdict(admin, namespace, 'api', 'NonCompliant');
  assert.deepEqual(codes(exposed), ['INTERFACE_VISIBILITY_MISMATCH']);
  assert.doesNotMatch(JSON.stringify(listAt(exposed, 'status', 'findings')), /203\.0/);
  await admin.delete(`${ingresses}/web`);
  await verdict(admin, namespace, 'api', 'Compliant');
});

test('evaluation/DE9 DE18 DE27 a dependency that goes away, comes back, and changes its version', async (t) => {
  const s = await stage(t);
  const { admin, namespace, registry } = s;
  await place(t, s, 'ledger', { fragment: HTTP });
  await place(t, s, 'api', {
    fragment: `dependencies: [{ name: ledger, ref: 'oci://${registry.host}/shop/ledger', required: true, compatibility: 1.x }]\n`,
  });
  const healthy = await verdict(admin, namespace, 'api', 'Compliant');
  assert.equal(textAt(healthy, 'status', 'findings'), '');
  const scale = (replicas: number): Promise<unknown> =>
    admin.mergePatch(`/apis/apps/v1/namespaces/${namespace}/deployments/ledger`, { spec: { replicas } });
  await scale(0);
  await verdict(admin, namespace, 'api', 'Unknown');
  assert.deepEqual(codes(await verdict(admin, namespace, 'api', 'NonCompliant')), ['DEPENDENCY_UNREACHABLE']);
  await scale(1);
  await verdict(admin, namespace, 'api', 'Compliant');
  await declare(t, s, 'ledger', { version: '2.0.0', fragment: HTTP });
  const outside = await verdict(admin, namespace, 'api', 'NonCompliant');
  assert.deepEqual(codes(outside), ['DEPENDENCY_VERSION_MISMATCH']);
});

test('evaluation/PE3 PE1 state that is declared to last, without and with a claim', async (t) => {
  const s = await stage(t);
  const { admin, namespace } = s;
  await place(t, s, 'api', {
    fragment:
      'state: { type: stateful, persistence: { scope: shared, durability: persistent }, dataCriticality: high }\n',
    replicas: 0,
  });
  assert.deepEqual(codes(await verdict(admin, namespace, 'api', 'NonCompliant')), ['PERSISTENCE_MISMATCH']);
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  await admin.mergePatch(`/apis/apps/v1/namespaces/${namespace}/deployments/api`, {
    spec: { template: { spec: { volumes } } },
  });
  const kept = await verdict(admin, namespace, 'api', 'Compliant');
  assert.deepEqual(listAt(kept, 'status', 'evaluationCoverage', 'unverified'), ['state.persistence.scope']);
});

test('evaluation/KE2 KE3 KE1 a node that sees nothing listen, then sees it', async (t) => {
  const s = await stage(t, '--enable-kernel-evidence', '--kernel-evidence-staleness', '1h');
  const { admin, namespace } = s;
  await place(t, s, 'api', { fragment: HTTP });
  // No agent has published anything: nothing is known, whatever the endpoints say.
  assert.deepEqual(codes(await verdict(admin, namespace, 'api', 'Unknown')), ['EVIDENCE_STALE']);
  const pod = await waitUntil('the pod to run', async () => {
    const { body } = await admin.list(`/api/v1/namespaces/${namespace}/pods`);
    return body.items.find((item) => textAt(item, 'status', 'phase') === 'Running');
  });
  const observations = `/apis/pacto.trianalab.io/v1alpha1/namespaces/${AGENT_NAMESPACE}/noderuntimeobservations`;
  const node = textAt(pod, 'spec', 'nodeName');
  const uid = pod.metadata?.uid ?? '';
  const now = (): string => formatTime(Date.now());
  const publish = (listeners: readonly object[]): Promise<void> =>
    apply(admin, {
      apiVersion: 'pacto.trianalab.io/v1alpha1',
      kind: 'NodeRuntimeObservation',
      metadata: { name: node, namespace: AGENT_NAMESPACE, labels: AGENT_LABELS },
      spec: { nodeName: node },
      status: {
        lastPublished: now(),
        collection: { state: 'Running' },
        pods: [{ uid, baselineTime: now(), listeners, peers: [] }],
      },
    });
  t.after(() => admin.delete(`${observations}/${node}`));
  await publish([]);
  const silent = await verdict(admin, namespace, 'api', 'NonCompliant');
  assert.deepEqual(codes(silent), ['INTERFACE_ABSENT']);
  await publish([{ address: '0.0.0.0', port: 8080 }]);
  const confirmed = await verdict(admin, namespace, 'api', 'Compliant');
  assert.deepEqual(listAt(confirmed, 'status', 'observationWindows'), []);
});
