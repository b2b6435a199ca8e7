// The operator on a real API server: verdicts that appear when they should, are written no more often than needed, and
// survive a restart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, type KubeObject, listAt, textAt } from '../cluster/kube-object.ts';
import { createNamespace } from '../cluster/namespace.ts';
import { sharedCluster } from '../cluster/shared-cluster.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { verdict } from '../demo/promotions.ts';
import { apply, contract, deployment, pacto, REGISTRY, service } from '../demo/shop.ts';
import { startGateSystem } from '../helpers/gate-system.ts';
import { Program } from '../helpers/program.ts';
import { acceptanceStage, placeService } from './stage.ts';

const API = { name: 'api', image: `${REGISTRY}/api:1` };

const pactos = (namespace: string): string =>
  `/apis/pacto.trianalab.io/v1alpha1/namespaces/${namespace}/pactos`;

function statusOf(object: KubeObject): string {
  return textAt(object, 'status', 'contractStatus');
}

test('controller/17 twelve Pactos made at once are all judged, without interference', async (t) => {
  const { admin, staging } = await acceptanceStage(t);
  const names = Array.from({ length: 12 }, (_, i) => `svc-${i}`);
  await Promise.all(
    names.map((name) => apply(admin, pacto(staging.namespace, name, contract(name, '1.0.0')))),
  );
  await waitUntil('a ContractValid condition on each', async () => {
    const { body } = await admin.list(pactos(staging.namespace));
    return (
      body.items.length === 12 && body.items.every((item) => listAt(item, 'status', 'conditions').length > 0)
    );
  });
  const { body } = await admin.list(pactos(staging.namespace));
  for (const item of body.items) {
    assert.equal(textAt(item, 'status', 'contract', 'serviceName'), item.metadata?.name);
    assert.equal(statusOf(item), 'Unknown');
  }
});

test('operator/quiet an event that changes nothing in the status causes a pass and no write', async (t) => {
  const stage = await acceptanceStage(t);
  const { admin, staging } = stage;
  await placeService(stage, API);
  const path = `${pactos(staging.namespace)}/api`;
  // A write now would at least carry another lastReconciledAt, which is in whole seconds.
  const standing = await waitUntil('a verdict on a finished rollout, of an earlier second', async () => {
    const { body } = await admin.get(path);
    const judgedAt = Date.parse(textAt(body, 'status', 'lastReconciledAt'));
    return (
      statusOf(body) === 'Compliant' &&
      at(body, 'status', 'observedRuntime', 'rolloutComplete') === true &&
      Date.now() >= judgedAt + 2_000 &&
      body
    );
  });
  const before = await reconciles(stage.system.operator);
  const services = `/api/v1/namespaces/${staging.namespace}/services/api`;
  assert.equal((await admin.mergePatch(services, { metadata: { annotations: { nudge: 'x' } } })).code, 200);
  await waitUntil('a pass', async () => (await reconciles(stage.system.operator)) > before);
  const after = await admin.get(path);
  assert.equal(after.body.metadata?.resourceVersion, standing.metadata?.resourceVersion);
  assert.equal(statusOf(after.body), 'Compliant');
});

/** Passes so far, by the operator's own metric. */
async function reconciles(operator: Program): Promise<number> {
  const port = await operator.port('metrics are serving');
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return [...text.matchAll(/^controller_runtime_reconcile_total\{.*\} (\d+)$/gm)].reduce(
    (sum, m) => sum + Number(m[1]),
    0,
  );
}

test('controller/11 controller/12 an annotation, a label or a spec of a Pacto that changes is looked at', async (t) => {
  const stage = await acceptanceStage(t);
  const { admin, staging } = stage;
  await placeService(stage, API);
  await verdict(admin, staging.namespace, 'api', 'Compliant');
  const path = `${pactos(staging.namespace)}/api`;
  for (const patch of [
    { metadata: { annotations: { nudge: 'x' } } },
    { metadata: { labels: { nudge: 'x' } } },
    { spec: { checkIntervalSeconds: 60 } },
  ]) {
    const before = await reconciles(stage.system.operator);
    assert.equal((await admin.mergePatch(path, patch)).code, 200);
    await waitUntil('a pass', async () => (await reconciles(stage.system.operator)) > before);
  }
});

test('evaluation/ST8 a window survives a restart of the operator and ends when it would have', async (t) => {
  const cluster = await sharedCluster();
  const { admin } = cluster;
  const namespace = await createNamespace(t, cluster, 'restart');
  const system = await startGateSystem(cluster, {
    window: '8s',
    watchNamespace: namespace,
    governed: [namespace],
    name: `restart-${namespace}`,
  });
  t.after(() => system.stop());
  await apply(
    admin,
    deployment(namespace, API, 0),
    service(namespace, 'api'),
    pacto(namespace, 'api', contract('api', '1.0.0')),
  );
  const open = await verdict(admin, namespace, 'api', 'Unknown');
  const started = textAt(listAt(open, 'status', 'observationWindows')[0], 'firstObservedNegativeAt');
  assert.equal(await system.operator.stop(), 0);
  const again = await startGateSystem(cluster, {
    window: '8s',
    watchNamespace: namespace,
    governed: [namespace],
    name: `again-${namespace}`,
  });
  t.after(() => again.stop());
  const closed = await verdict(admin, namespace, 'api', 'NonCompliant');
  const window = listAt(closed, 'status', 'observationWindows')[0];
  assert.equal(textAt(window, 'firstObservedNegativeAt'), started);
  const since = Date.parse(textAt(closed, 'status', 'contractStatusSince')) - Date.parse(started);
  assert.ok(since >= 8_000, `the violation was stated ${since} ms after the start of its window`);
});

test('operator/leadership a second replica stands by and takes over when the first stops', async (t) => {
  const stage = await acceptanceStage(t);
  const { cluster, admin, staging } = stage;
  const lease = '/apis/coordination.k8s.io/v1/namespaces/pacto-gate-system/leases/a4917283.pacto.io';
  const env = { POD_NAMESPACE: 'pacto-gate-system' };
  const flags = (): string[] => [
    ...[
      'operator',
      '--leader-elect',
      '--kubeconfig',
      cluster.kubeconfig,
      '--watch-namespace',
      staging.namespace,
    ],
    ...[
      '--health-probe-bind-address',
      '127.0.0.1:0',
      '--metrics-bind-address',
      '127.0.0.1:0',
      '--stabilization-window',
      '5s',
    ],
  ];
  await stage.system.operator.stop();
  const first = new Program(flags(), { env: { ...env, POD_NAME: 'first' } });
  t.after(() => first.stop());
  await first.line('leadership', (l) => l.message === 'became the leader');
  const second = new Program(flags(), { env: { ...env, POD_NAME: 'second' } });
  t.after(() => second.stop());
  await second.line('standing by', (l) => l.message === 'another process leads');
  await placeService(stage, API);
  await verdict(admin, staging.namespace, 'api', 'Compliant');
  assert.equal(await first.stop(), 0);
  await second.line('leadership', (l) => l.message === 'became the leader');
  const { body } = await admin.get(lease);
  assert.match(textAt(body, 'spec', 'holderIdentity'), /^second_/);
  await apply(admin, pacto(staging.namespace, 'api', contract('api', '1.1.0', 'job')));
  await verdict(admin, staging.namespace, 'api', 'NonCompliant');
});

test('operator/bad-input contracts that do not parse, name nothing or are huge are Invalid, and others go on', async (t) => {
  const stage = await acceptanceStage(t);
  const { admin, staging } = stage;
  const bad = (name: string, text: string): object => pacto(staging.namespace, name, text);
  await apply(
    admin,
    bad('not-yaml', 'a: [b'),
    bad('old', contract('old', '1.0.0').replace('"2.0"', '"1.0"')),
    bad('empty', ' '),
    bad(
      'bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((c, i) => `${c}: &${c} [${`*${'abcdefghi'[i]},`.repeat(9)}]`)
        .join('\n')}\n`,
    ),
    bad('long-name', contract('a'.repeat(253), '1.0.0')),
    { ...bad('nothing', ''), spec: { contractRef: {} } },
    {
      ...bad(
        'proto',
        `${contract('proto', '1.0.0')}metadata: { __proto__: { polluted: true }, constructor: x }\n`,
      ),
    },
  );
  for (const name of ['not-yaml', 'old', 'empty', 'bomb', 'nothing'])
    await verdict(admin, staging.namespace, name, 'Invalid');
  await placeService(stage, API);
  await verdict(admin, staging.namespace, 'api', 'Compliant');
  const many = Array.from({ length: 1000 }, (_, i) => `  - { name: i${i}, type: grpc, ref: a.proto }`).join(
    '\n',
  );
  await apply(
    admin,
    bad(
      'thousand',
      `pactoVersion: "2.0"\nservice: { name: thousand, version: 1.0.0 }\ninterfaces:\n${many}\n`,
    ),
  );
  const judged = await verdict(admin, staging.namespace, 'thousand', 'Unknown');
  assert.equal(at(judged, 'status', 'evaluationCoverage', 'required'), 1000);
});
