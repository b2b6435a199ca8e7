// What pods that run stop doing, or never did: a violation when the window ends, not before, and gone when it heals.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { at, listAt, textAt } from '../cluster/kube-object.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { apply } from '../demo/shop.ts';
import { skipLacking } from '../helpers/machine-lacks.ts';
import { proxyLack } from '../tools/proxy-lack.ts';
import {
  begins,
  confirmed,
  follows,
  HTTP,
  order,
  place,
  podsOf,
  readyEndpoints,
  repositoryOf,
  run,
  says,
} from './story-services.ts';
import { storyStage } from './story-stage.ts';

const WINDOW_MS = 3_000;
const stage = storyStage('3s');
const probeLack = await proxyLack();

const MARKER = 'canary-1618033';

const UNDECIDED = 'unknown EVIDENCE_INSUFFICIENT interface/http at interfaces[name=http]';
const ABSENT = 'error INTERFACE_ABSENT interface/http at interfaces[name=http]';

suite('stories over time', { concurrency: 4 }, () => {
  test('acceptance/stories a port that was never opened is absent when the window ends, until it opens', async (t) => {
    const s = await stage();
    await place(t, s, 'shut', { contract: HTTP }, { serves: [], stub: 'unready' });
    const open = await begins(s, 'shut', 'Unknown', UNDECIDED);
    const closed = await follows(s, 'shut', 'NonCompliant', ABSENT);
    confirmed(open, closed, 'interface/http', WINDOW_MS);
    await s.pods.openPort(podsOf(s.namespace, 'shut'));
    const healed = await follows(s, 'shut', 'Compliant');
    assert.deepEqual(healed.windows, {});
  });

  test('acceptance/stories of two pods one closes its port and nothing is said; both do, and the port is absent', async (t) => {
    const s = await stage();
    const { admin } = s.cluster;
    await place(t, s, 'pair', { contract: HTTP }, { replicas: 2 });
    await begins(s, 'pair', 'Compliant');
    const { body } = await admin.list(`/api/v1/namespaces/${s.namespace}/pods`, {
      labelSelector: 'app.kubernetes.io/name=pair',
    });
    const [first = '', second = ''] = body.items.map(({ metadata }) => metadata?.name);
    await s.pods.closePort({ namespace: s.namespace, name: first });
    await readyEndpoints(s, 'pair', 1);
    says(await s.verdicts.again('pair'), 'Compliant');
    await s.pods.closePort({ namespace: s.namespace, name: second });
    const open = await follows(s, 'pair', 'Unknown', UNDECIDED);
    const closed = await follows(s, 'pair', 'NonCompliant', ABSENT);
    confirmed(open, closed, 'interface/http', WINDOW_MS);
    await s.pods.openPort({ namespace: s.namespace, name: first });
    await follows(s, 'pair', 'Compliant');
  });

  test('evaluation/DE9 DE18 a dependency that goes away is unreachable when the window ends, until it is back', async (t) => {
    const s = await stage();
    await place(t, s, 'ledger', { contract: HTTP, source: 'registry' });
    await begins(s, 'ledger', 'Compliant');
    const ref = `oci://${repositoryOf(s, 'ledger')}`;
    await place(t, s, 'buyer', {
      contract: `dependencies: [{ name: ledger, ref: '${ref}', required: true, compatibility: 1.x }]\n`,
    });
    await begins(s, 'buyer', 'Compliant');
    const path = `/apis/apps/v1/namespaces/${s.namespace}/deployments/ledger`;
    await s.cluster.admin.mergePatch(path, { spec: { replicas: 0 } });
    const of = 'dependency/ledger at dependencies[name=ledger]';
    const open = await follows(s, 'buyer', 'Unknown', `unknown EVIDENCE_INSUFFICIENT ${of}`);
    const closed = await follows(s, 'buyer', 'NonCompliant', `error DEPENDENCY_UNREACHABLE ${of}`);
    confirmed(open, closed, 'dependency/ledger', WINDOW_MS);
    await s.cluster.admin.mergePatch(path, { spec: { replicas: 1 } });
    await follows(s, 'buyer', 'Compliant');
  });

  test('acceptance/stories an optional dependency that goes away says nothing, then warns when the window ends', async (t) => {
    const s = await stage();
    await place(t, s, 'audit', { contract: HTTP, source: 'registry' });
    await begins(s, 'audit', 'Compliant');
    const ref = `oci://${repositoryOf(s, 'audit')}`;
    await place(t, s, 'seller', {
      contract: `dependencies: [{ name: audit, ref: '${ref}', required: false, compatibility: 1.x }]\n`,
    });
    await begins(s, 'seller', 'Compliant');
    await s.pods.closePort(podsOf(s.namespace, 'audit'));
    const open = await follows(s, 'seller', 'Compliant');
    const closed = await follows(
      s,
      'seller',
      'Warning',
      'warning DEPENDENCY_UNREACHABLE dependency/audit at dependencies[name=audit]',
    );
    confirmed(open, closed, 'dependency/audit', WINDOW_MS);
    await s.pods.openPort(podsOf(s.namespace, 'audit'));
    const healed = await follows(s, 'seller', 'Compliant');
    assert.deepEqual(healed.windows, {});
  });

  test('evaluation/CO5 CO7 CO9 a ConfigMap is absent when the window ends; one that breaks its schema is so at once', async (t) => {
    const s = await stage();
    const { admin } = s.cluster;
    await place(t, s, 'tuned', {
      contract: 'configurations: [{ name: app, required: true, schema: schema.json }]\n',
      source: 'registry',
      target: {
        configBindings: [
          { configuration: 'app', kind: 'ConfigMap', name: 'settings', key: 'app', format: 'yaml' },
        ],
      },
    });
    const configure = (app: string): Promise<void> =>
      apply(admin, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings', namespace: s.namespace },
        data: { app },
      });
    const of = 'configuration/app at configurations[name=app]';
    const open = await begins(s, 'tuned', 'Unknown', `unknown EVIDENCE_INSUFFICIENT ${of}`);
    const closed = await follows(s, 'tuned', 'NonCompliant', `error CONFIGURATION_ABSENT ${of}`);
    confirmed(open, closed, 'configuration/app', WINDOW_MS);
    await configure('port: 8080');
    const conforming = await follows(s, 'tuned', 'Compliant');
    assert.deepEqual(conforming.windows, {});
    await configure(`port: ${MARKER}`);
    const broken = await follows(s, 'tuned', 'NonCompliant', `error CONFIGURATION_MISMATCH ${of}`);
    assert.deepEqual(broken.windows, {});
    await configure('port: 1');
    await follows(s, 'tuned', 'Compliant');
    assert.doesNotMatch(JSON.stringify(broken.object) + s.operator.text, new RegExp(MARKER));
  });

  test('acceptance/stories a health endpoint that is not found is absent when the window ends, until it answers', async (t) => {
    if (probeLack !== undefined) return skipLacking(t, probeLack);
    const s = await stage();
    await place(t, s, 'mute', {
      contract: `${HTTP}capabilities: [{ type: health, binding: { type: http, interface: http, path: /live } }]\n`,
    });
    await begins(s, 'mute', 'Compliant');
    await order(s, 'mute', 'PUT', '/answer?path=/live&status=404');
    await s.verdicts.again('mute');
    const of = 'capability/health at capabilities[type=health]';
    const open = await follows(s, 'mute', 'Unknown', `unknown EVIDENCE_INSUFFICIENT ${of}`);
    const closed = await follows(s, 'mute', 'NonCompliant', `error CAPABILITY_ABSENT ${of}`);
    confirmed(open, closed, 'capability/health', WINDOW_MS);
    await order(s, 'mute', 'DELETE', '/answer?path=/live');
    await s.verdicts.again('mute');
    await follows(s, 'mute', 'Compliant');
  });

  test('acceptance/stories a rollout whose pods crash leaves the port absent when the window ends, until the next', async (t) => {
    const s = await stage();
    await place(t, s, 'frail', { contract: HTTP });
    await begins(s, 'frail', 'Compliant');
    await run(s, 'frail', { serves: ['-no-such-flag'], stub: 'crash-loop' });
    const open = await follows(s, 'frail', 'Unknown', UNDECIDED);
    const closed = await follows(s, 'frail', 'NonCompliant', ABSENT);
    confirmed(open, closed, 'interface/http', WINDOW_MS);
    await waitUntil('the pod to crash again and again', async () => {
      const { body } = await s.cluster.admin.list(`/api/v1/namespaces/${s.namespace}/pods`, {
        labelSelector: 'app.kubernetes.io/name=frail',
      });
      const states = body.items.map((pod) => at(listAt(pod, 'status', 'containerStatuses')[0], 'state'));
      return states.some((state) => textAt(state, 'waiting', 'reason') === 'CrashLoopBackOff');
    });
    await run(s, 'frail', {});
    await follows(s, 'frail', 'Compliant');
  });
});
