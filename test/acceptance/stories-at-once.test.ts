// What pods that run contradict at once, what nobody can decide, and what heals inside a window. It is an hour long here, so
// nothing that is told was waited for.
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { apply } from '../demo/shop.ts';
import { skipLacking } from '../helpers/machine-lacks.ts';
import { proxyLack } from '../tools/proxy-lack.ts';
import {
  begins,
  declare,
  follows,
  HTTP,
  order,
  place,
  podsOf,
  reached,
  READY_BY_CONTROL,
  repositoryOf,
  run,
  says,
  serveInstead,
  serving,
} from './story-services.ts';
import { storyStage, type StoryStage } from './story-stage.ts';

const stage = storyStage('1h');
const probeLack = await proxyLack();

const MARKER = 'canary-1618033';

const TYPE = 'interfaces[name=http].type';
const HEALTH = 'capabilities: [{ type: health, binding: { type: http, interface: http, path: /live } }]\n';
const UNHEALTHY = 'unknown EVIDENCE_INSUFFICIENT capability/health at capabilities[type=health]';

suite('stories at once', { concurrency: 4 }, () => {
  test('evaluation/IF24 an endpoint that turns unready and is ready again inside the window heals', async (t) => {
    const s = await stage();
    await place(t, s, 'brief', { contract: HTTP });
    await begins(s, 'brief', 'Compliant');
    await s.pods.closePort(podsOf(s.namespace, 'brief'));
    const open = await follows(
      s,
      'brief',
      'Unknown',
      'unknown EVIDENCE_INSUFFICIENT interface/http at interfaces[name=http]',
    );
    assert.deepEqual(Object.keys(open.windows), ['interface/http']);
    await s.pods.openPort(podsOf(s.namespace, 'brief'));
    const healed = await follows(s, 'brief', 'Compliant');
    assert.deepEqual(healed.windows, {});
  });

  test('acceptance/stories a workload of another kind than declared is told at once', async (t) => {
    const s = await stage();
    await place(t, s, 'worker', { contract: `${HTTP}workload: service\n` });
    await begins(s, 'worker', 'Compliant');
    await declare(t, s, 'worker', { contract: `${HTTP}workload: job\n`, version: '1.1.0' });
    const wrong = await follows(
      s,
      'worker',
      'NonCompliant',
      'error WORKLOAD_MISMATCH service/worker at workload',
    );
    assert.deepEqual(wrong.windows, {});
    await declare(t, s, 'worker', { contract: `${HTTP}workload: service\n`, version: '1.1.1' });
    await follows(s, 'worker', 'Compliant');
  });

  test('evaluation/EX16 an internal interface that an Ingress exposes is told at once, until it does no longer', async (t) => {
    const s = await stage();
    const { admin } = s.cluster;
    await place(t, s, 'inner', { contract: HTTP });
    await begins(s, 'inner', 'Compliant');
    const ingresses = `/apis/networking.k8s.io/v1/namespaces/${s.namespace}/ingresses`;
    await admin.create(ingresses, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web' },
      spec: { defaultBackend: { service: { name: 'inner', port: { name: 'http' } } } },
    });
    await admin.mergePatch(`${ingresses}/web/status`, {
      status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } },
    });
    const exposed = await follows(
      s,
      'inner',
      'NonCompliant',
      'error INTERFACE_VISIBILITY_MISMATCH interface/http at interfaces[name=http].visibility',
    );
    assert.deepEqual(exposed.windows, {});
    await admin.delete(`${ingresses}/web`);
    await follows(s, 'inner', 'Compliant');
  });

  test('evaluation/DE27 a dependency in a version out of range is told at once, until the range admits it', async (t) => {
    const s = await stage();
    await place(t, s, 'prices', { contract: HTTP, source: 'registry' });
    await begins(s, 'prices', 'Compliant');
    const ref = `oci://${repositoryOf(s, 'prices')}`;
    const needs = (range: string): string =>
      `dependencies: [{ name: prices, ref: '${ref}', required: true, compatibility: ${range} }]\n`;
    await place(t, s, 'basket', { contract: needs('1.x') });
    await begins(s, 'basket', 'Compliant');
    await declare(t, s, 'prices', { contract: HTTP, source: 'registry', version: '2.0.0' });
    const outside = await follows(
      s,
      'basket',
      'NonCompliant',
      'error DEPENDENCY_VERSION_MISMATCH dependency/prices at dependencies[name=prices].compatibility',
    );
    assert.deepEqual(outside.windows, {});
    await declare(t, s, 'basket', { contract: needs('">=1.0 <3.0"'), version: '1.1.0' });
    await follows(s, 'basket', 'Compliant');
  });

  test('evaluation/CO17 of a Secret its existence alone is told', async (t) => {
    const s = await stage();
    await apply(s.cluster.admin, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'keys', namespace: s.namespace },
      stringData: { [MARKER]: MARKER },
    });
    await place(t, s, 'keeper', {
      contract: 'configurations: [{ name: app, required: true, schema: schema.json }]\n',
      target: { configBindings: [{ configuration: 'app', kind: 'Secret', name: 'keys' }] },
    });
    const undecided = 'unknown EVIDENCE_INSUFFICIENT configuration/app at configurations[name=app]';
    const judged = await begins(s, 'keeper', 'Unknown', undecided);
    assert.deepEqual(judged.windows, {});
    assert.doesNotMatch(JSON.stringify(judged.object) + s.operator.text, new RegExp(MARKER));
  });

  test('evaluation/PE3 PE1 state that must last is told at once where pods keep it in themselves, or share what is local', async (t) => {
    const s = await stage();
    const contract = (scope: string): string =>
      `state: { type: stateful, persistence: { scope: ${scope}, durability: persistent }, dataCriticality: high }\n`;
    const keeping = (volume: object, replicas = 1): Parameters<typeof run>[2] => ({
      replicas,
      spec: { volumes: [{ name: 'data', ...volume }] },
      container: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    });
    await place(t, s, 'store', { contract: contract('shared') }, keeping({ emptyDir: {} }));
    const durability = 'error PERSISTENCE_MISMATCH service/store at state.persistence.durability';
    const lost = await begins(s, 'store', 'NonCompliant', durability);
    assert.deepEqual(lost.windows, {});
    await claim(t, s, 'data');
    const claimed = { persistentVolumeClaim: { claimName: 'data' } };
    await run(s, 'store', keeping(claimed));
    await follows(s, 'store', 'Compliant');
    await run(s, 'store', keeping(claimed, 2));
    await reached(s, 'store', 2); // both pods run with the one claim
    assert.deepEqual((await s.verdicts.again('store')).unverified, []);
    await declare(t, s, 'store', { contract: contract('local'), version: '1.1.0' });
    const shared = 'error PERSISTENCE_MISMATCH service/store at state.persistence.scope';
    await follows(s, 'store', 'NonCompliant', shared);
    await run(s, 'store', keeping(claimed));
    await follows(s, 'store', 'Compliant');
  });

  test('acceptance/stories a Service that goes is missing at once, until it is there again', async (t) => {
    const s = await stage();
    await place(t, s, 'door', { contract: HTTP });
    await begins(s, 'door', 'Compliant');
    await s.cluster.admin.delete(`/api/v1/namespaces/${s.namespace}/services/door`);
    await begins(s, 'door', 'Unknown', 'unknown EVIDENCE_MISSING interface/http at interfaces[name=http]');
    await run(s, 'door', {});
    await begins(s, 'door', 'Compliant');
  });

  test('acceptance/stories HTTP where gRPC is declared is told at once, until it is gRPC', async (t) => {
    if (probeLack !== undefined) return skipLacking(t, probeLack);
    const s = await stage();
    const contract = 'interfaces: [{ name: http, type: grpc, ref: api.proto }]\n';
    await place(t, s, 'caller', { contract }, { serves: serving('http1'), ready: READY_BY_CONTROL });
    const mismatch = `error INTERFACE_PROTOCOL_MISMATCH interface/http at ${TYPE}`;
    const wrong = await begins(s, 'caller', 'NonCompliant', mismatch);
    assert.deepEqual(wrong.windows, {});
    await serveInstead(s, 'caller', 'h2c');
    await s.verdicts.again('caller');
    const right = await follows(s, 'caller', 'Compliant');
    assert.deepEqual(right.unverified, []);
  });

  test('acceptance/stories a mail server where HTTP is declared is told at once, until it is HTTP', async (t) => {
    if (probeLack !== undefined) return skipLacking(t, probeLack);
    const s = await stage();
    await place(t, s, 'poster', { contract: HTTP }, { ready: READY_BY_CONTROL });
    await begins(s, 'poster', 'Compliant');
    await serveInstead(s, 'poster', 'banner');
    await s.verdicts.again('poster');
    const mismatch = `error INTERFACE_PROTOCOL_MISMATCH interface/http at ${TYPE}`;
    const wrong = await follows(s, 'poster', 'NonCompliant', mismatch);
    assert.deepEqual(wrong.windows, {});
    await serveInstead(s, 'poster', 'http');
    await s.verdicts.again('poster');
    await follows(s, 'poster', 'Compliant');
  });

  test('acceptance/stories a gRPC server where HTTP is declared may be HTTP/2, but its health cannot be told', async (t) => {
    if (probeLack !== undefined) return skipLacking(t, probeLack);
    const s = await stage();
    const running = { serves: serving('h2c'), ready: { grpc: { port: 8080 } } };
    await place(t, s, 'binary', { contract: HTTP + HEALTH }, running);
    const undecided = await begins(s, 'binary', 'Unknown', UNHEALTHY);
    assert.deepEqual(undecided.unverified, []);
    assert.deepEqual(undecided.windows, {});
  });

  test('acceptance/stories TLS, and a port that resets connections, leave the declared type unverified', async (t) => {
    if (probeLack !== undefined) return skipLacking(t, probeLack);
    const s = await stage();
    await place(t, s, 'sealed', { contract: HTTP }, { serves: serving('tls'), ready: READY_BY_CONTROL });
    await begins(s, 'sealed', 'Compliant');
    assert.deepEqual((await s.verdicts.again('sealed')).unverified, [TYPE]);
    await serveInstead(s, 'sealed', 'reset');
    const reset = await s.verdicts.again('sealed');
    says(reset, 'Compliant');
    assert.deepEqual(reset.unverified, [TYPE]);
    await serveInstead(s, 'sealed', 'http');
    assert.deepEqual((await s.verdicts.again('sealed')).unverified, []);
  });

  test('acceptance/stories a health endpoint that answers 500 is undecided, until it answers well', async (t) => {
    if (probeLack !== undefined) return skipLacking(t, probeLack);
    const s = await stage();
    await place(t, s, 'ailing', { contract: HTTP + HEALTH });
    await begins(s, 'ailing', 'Compliant');
    for (const status of [500, 401]) {
      await order(s, 'ailing', 'PUT', `/answer?path=/live&status=${status}`);
      const ill = await s.verdicts.again('ailing');
      says(ill, 'Unknown', UNHEALTHY);
      assert.deepEqual(ill.windows, {});
    }
    await order(s, 'ailing', 'PUT', '/answer?path=/live&status=302');
    says(await s.verdicts.again('ailing'), 'Compliant');
  });

  test('acceptance/stories metrics that are no exposition are undecided, until they are', async (t) => {
    if (probeLack !== undefined) return skipLacking(t, probeLack);
    const s = await stage();
    await place(t, s, 'counted', {
      contract: `${HTTP}capabilities: [{ type: metrics, binding: { type: http, interface: http, path: /metrics } }]\n`,
    });
    await begins(s, 'counted', 'Compliant');
    const undecided = 'unknown EVIDENCE_INSUFFICIENT capability/metrics at capabilities[type=metrics]';
    for (const answer of ['type=text/html', 'status=503&type=text/plain']) {
      await order(s, 'counted', 'PUT', `/answer?path=/metrics&${answer}`, '# HELP up\nup 1\n');
      says(await s.verdicts.again('counted'), 'Unknown', undecided);
    }
    await order(s, 'counted', 'DELETE', '/answer?path=/metrics');
    says(await s.verdicts.again('counted'), 'Compliant');
  });
});

/** A volume on the node, and a claim that has it. */
async function claim(t: TestContext, { cluster, namespace }: StoryStage, name: string): Promise<void> {
  const volume = `${namespace}-${name}`;
  const size = { storage: '1Mi' };
  const common = { accessModes: ['ReadWriteMany'], storageClassName: '' };
  await apply(
    cluster.admin,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: volume },
      spec: {
        ...common,
        capacity: size,
        claimRef: { namespace, name },
        // The node's own /var/lib, which goes with it.
        hostPath: { path: `/var/lib/${volume}`, type: 'DirectoryOrCreate' },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace },
      spec: { ...common, volumeName: volume, resources: { requests: size } },
    },
  );
  t.after(() => cluster.admin.delete(`/api/v1/persistentvolumes/${volume}`));
}
