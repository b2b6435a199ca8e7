// The room against a real API server: lists, watches, writes, leases, events, restarts, freezes and compactions.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { KubeApiError } from '../../kube/api-error.ts';
import { EventRecorder } from '../../kube/event-recorder.ts';
import { LEASE, LeaderElector } from '../../kube/leader-election.ts';
import { systemClock } from '../../runtime/clock.ts';
import { startCluster } from '../cluster/cluster.ts';
import { createNamespace } from '../cluster/namespace.ts';
import { sharedCluster } from '../cluster/shared-cluster.ts';
import { CuttingProxy } from '../faults/cutting-proxy.ts';
import { compactNow, realRig } from './real-rig.ts';
import { CONFIG_MAP, configMap, eventually, projectConfigMap, runInformer } from './rig.ts';

const EVENT = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

suite('kube against a real API server', { concurrency: 2 }, () => {
  test('kube/cluster an informer follows what is written, by a streaming list and over HTTP/2', async (t) => {
    const cluster = await sharedCluster();
    const namespace = await createNamespace(t, cluster, 'informer');
    await using r = await realRig(cluster.kubeconfig);
    const { client } = r;
    for (let i = 0; i < 150; i += 1) await client.create(CONFIG_MAP, configMap(`m-${i}`, 'x', namespace));
    await using running = runInformer(r, { namespace });
    const { informer } = running;
    await informer.whenSettled(t.signal);
    assert.ok(informer.size >= 150);
    assert.match(await r.metrics.render(), /kube_reflector_streaming_lists_total\{[^}]*\} 1/);
    assert.equal(client.liveness, 'pinged');
    const changes: string[] = [];
    informer.subscribe(({ kind, key }) => changes.push(`${kind} ${key}`));
    await client.create(CONFIG_MAP, configMap('new', '1', namespace));
    await client.mergePatch(CONFIG_MAP, { namespace, name: 'new' }, { data: { text: '2' } });
    await client.delete(CONFIG_MAP, { namespace, name: 'new' });
    await eventually(() => changes.length === 3, 'three changes');
    assert.deepEqual(
      changes,
      ['added', 'updated', 'deleted'].map((kind) => `${kind} ${namespace}/new`),
    );
  });

  test('kube/cluster pages, selectors and metadata are served as asked', async (t) => {
    const cluster = await sharedCluster();
    const namespace = await createNamespace(t, cluster, 'lists');
    await using r = await realRig(cluster.kubeconfig);
    const { client } = r;
    for (let i = 0; i < 25; i += 1) {
      const object = configMap(`m-${i}`, 'secret-text', namespace);
      object.metadata['labels'] = { half: i % 2 === 0 ? 'even' : 'odd' };
      await client.create(CONFIG_MAP, object);
    }
    const sizes: number[] = [];
    let token: string | undefined;
    do {
      const place = token === undefined ? {} : { continue: token };
      const page = await client.list(CONFIG_MAP, { namespace, limit: 10, labelSelector: 'half', ...place });
      sizes.push(page.items.length);
      token = page.continue;
    } while (token !== undefined);
    assert.deepEqual(sizes, [10, 10, 5]);
    const even = await client.listAll(CONFIG_MAP, { namespace, labelSelector: 'half=even' });
    assert.equal(even.items.length, 13);
    const one = await client.listAll(CONFIG_MAP, { namespace, fieldSelector: 'metadata.name=m-3' });
    assert.deepEqual(
      one.items.map((item) => projectConfigMap(item).name),
      ['m-3'],
    );
    const metadata = await client.listAll(CONFIG_MAP, { namespace, representation: 'metadata' });
    assert.doesNotMatch(JSON.stringify(metadata.items), /secret-text/);
    await using running = runInformer(r, {
      namespace,
      representation: 'metadata',
      labelSelector: 'half=odd',
    });
    await running.informer.whenSettled(t.signal);
    assert.equal(running.informer.size, 12);
  });

  test('kube/cluster apply owns its fields, patch and update find conflicts', async (t) => {
    const cluster = await sharedCluster();
    const namespace = await createNamespace(t, cluster, 'writes');
    await using r = await realRig(cluster.kubeconfig);
    const { client } = r;
    const ref = { namespace, name: 'a' };
    const object = (data: Record<string, string>) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace },
      data,
    });
    await client.apply(CONFIG_MAP, ref, object({ ours: '1' }), { fieldManager: 'one' });
    await client.apply(CONFIG_MAP, ref, object({ theirs: '1' }), { fieldManager: 'two' });
    await assert.rejects(
      client.apply(CONFIG_MAP, ref, object({ ours: '2' }), { fieldManager: 'two' }),
      (error: unknown) => error instanceof KubeApiError && error.isConflict && !error.isAlreadyExists,
    );
    await client.apply(CONFIG_MAP, ref, object({ ours: '2' }), { fieldManager: 'two', conflicts: 'take' });
    await client.apply(CONFIG_MAP, ref, object({}), { fieldManager: 'one' });
    const now = (await client.get(CONFIG_MAP, ref)) as {
      data: unknown;
      metadata: { resourceVersion: string };
    };
    assert.deepEqual(now.data, { ours: '2' });
    await client.mergePatch(CONFIG_MAP, ref, { data: { more: '1' } });
    const { resourceVersion } = now.metadata;
    await assert.rejects(
      client.mergePatch(CONFIG_MAP, ref, { metadata: { resourceVersion }, data: { more: '2' } }),
      (error: unknown) => error instanceof KubeApiError && error.isConflict,
    );
    await assert.rejects(
      client.create(CONFIG_MAP, object({})),
      (error: unknown) => error instanceof KubeApiError && error.isAlreadyExists,
    );
    await assert.rejects(
      client.create(CONFIG_MAP, { ...object({}), metadata: { name: 'Not A Name', namespace } }),
      (error: unknown) =>
        error instanceof KubeApiError && error.isInvalid && error.causes[0]?.field === 'metadata.name',
    );
    await client.create(
      CONFIG_MAP,
      { ...object({}), metadata: { name: 'dry', namespace } },
      { dryRun: 'all' },
    );
    assert.equal(await client.find(CONFIG_MAP, { namespace, name: 'dry' }), undefined);
    await client.delete(CONFIG_MAP, ref, { preconditions: { uid: 'other' } }).then(
      () => assert.fail('deleted another object'),
      (error: unknown) => assert.ok(error instanceof KubeApiError && error.isConflict),
    );
  });

  test('kube/cluster one of two leads, and the other at once after it stops', async (t) => {
    const cluster = await sharedCluster();
    const namespace = await createNamespace(t, cluster, 'lease');
    await using r = await realRig(cluster.kubeconfig);
    const { client, log, metrics } = r;
    const leading: string[] = [];
    const elect = (identity: string, stop: AbortController) =>
      new LeaderElector({
        client,
        namespace,
        name: 'lease',
        identity,
        fieldManager: 'test',
        clock: systemClock,
        log,
        metrics,
        timings: { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 100 },
      }).run(stop.signal, async (signal) => {
        leading.push(identity);
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      });
    const [first, second] = [new AbortController(), new AbortController()];
    const one = elect('one', first);
    await eventually(() => leading.length === 1, 'one leads');
    const two = elect('two', second);
    await eventually(() => log.named('another process leads').length === 1, 'two waits');
    first.abort();
    await one;
    await eventually(() => leading.length === 2, 'two leads');
    second.abort();
    await two;
    const lease = (await client.get(LEASE, { namespace, name: 'lease' })) as {
      spec: Record<string, unknown>;
    };
    assert.deepEqual([lease.spec['holderIdentity'], lease.spec['leaseTransitions']], ['', 1]);
  });

  for (const api of ['v1', 'events.k8s.io/v1'] as const) {
    test(`kube/cluster events are accepted and counted (${api})`, async (t) => {
      const cluster = await sharedCluster();
      const namespace = await createNamespace(t, cluster, 'events');
      await using r = await realRig(cluster.kubeconfig);
      const { client, log, metrics } = r;
      const recorder = new EventRecorder({
        client,
        source: { component: 'pacto-controller', instance: 'pod-1' },
        api,
        clock: systemClock,
        log,
        metrics,
      });
      const stop = new AbortController();
      const done = recorder.run(stop.signal);
      const subject = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'a' };
      for (let i = 0; i < 3; i += 1) {
        recorder.record({ subject, type: 'Warning', reason: 'Mismatch', message: 'not served' });
      }
      const seen = async () =>
        (await client.listAll(EVENT, { namespace, fieldSelector: 'reason=Mismatch' })).items as {
          count?: number;
          series?: { count: number };
        }[];
      await eventually(async () => {
        const [event, more] = await seen();
        return more === undefined && (api === 'v1' ? event?.count : event?.series?.count) === 3;
      }, 'one event, counted three times');
      stop.abort();
      await done;
      assert.deepEqual(log.lines, []);
    });
  }

  test('faults/1 after an API server was killed and restarted all caches are equal again, deletions included', async (t) => {
    await using cluster = await startCluster({ parts: ['etcd', 'apiserver'] });
    await using r = await realRig(cluster.kubeconfig);
    const { client } = r;
    await client.create(CONFIG_MAP, configMap('before'));
    const informers = Array.from({ length: 12 }, () => runInformer(r, { namespace: 'default' }));
    t.after(() => Promise.all(informers.map(({ stop }) => stop())));
    await Promise.all(informers.map(({ informer }) => informer.whenSettled(t.signal)));
    await client.create(CONFIG_MAP, configMap('goes'));
    await eventually(
      () => informers.every(({ informer }) => informer.lookup('default/goes').kind === 'found'),
      'all know it',
    );
    await cluster.killPart('apiserver');
    await eventually(() => r.log.named('a watch lost its connection').length >= 12, 'all lost it');
    await cluster.startPart('apiserver');
    const ready = performance.now();
    await client.delete(CONFIG_MAP, { namespace: 'default', name: 'goes' });
    await client.create(CONFIG_MAP, configMap('after'));
    await eventually(
      () =>
        informers.every(
          ({ informer }) =>
            informer.lookup('default/after').kind === 'found' &&
            informer.lookup('default/goes').kind === 'absent',
        ),
      'all are current',
    );
    const tookMs = performance.now() - ready;
    t.diagnostic(`12 caches equal ${Math.round(tookMs)} ms after readiness`);
    for (const { informer } of informers) assert.equal(informer.lookup('default/before').kind, 'found');
  });

  test('faults/2 a frozen API server is noticed, its watches are taken up when it thaws', async (t) => {
    await using cluster = await startCluster({ parts: ['etcd', 'apiserver'] });
    await using r = await realRig(cluster.kubeconfig, { pingMs: 1_000 });
    await using running = runInformer(r, { namespace: 'default' });
    await running.informer.whenSettled(t.signal);
    await cluster.pausePart('apiserver');
    const frozen = performance.now();
    await eventually(() => r.log.named('a watch lost its connection').length > 0, 'noticed', 60_000);
    t.diagnostic(`noticed after ${Math.round(performance.now() - frozen)} ms`);
    await cluster.resumePart('apiserver');
    await r.client.create(CONFIG_MAP, configMap('after'));
    await eventually(() => running.informer.lookup('default/after').kind === 'found', 'current');
  });

  test('faults/2 a picture of a quiet kind is confirmed within seconds of a cut, long before the next bookmark', async (t) => {
    // As kubeadm sets it up, only faster: the watch cache hears how far the store has come when its kind is quiet.
    await using cluster = await startCluster({
      parts: ['etcd', 'apiserver'],
      args: { etcd: ['--watch-progress-notify-interval=500ms'] },
    });
    const { hostname, port } = new URL(cluster.server);
    const proxy = await CuttingProxy.start(hostname, Number(port));
    t.after(() => proxy.close());
    await using r = await realRig(cluster.kubeconfig, { server: `https://127.0.0.1:${proxy.port}` });
    await using running = runInformer(r, { namespace: 'default', labelSelector: 'nothing=here' });
    const { informer } = running;
    await informer.whenSettled(t.signal);
    await eventually(() => informer.ageMs() > 100, 'the list has had its say');
    const cutAt = performance.now();
    proxy.cut();
    await using direct = await realRig(cluster.kubeconfig);
    await direct.client.create(LEASE, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'moves-the-version', namespace: 'default' },
    });
    await eventually(() => informer.ageMs() < performance.now() - cutAt, 'confirmed after the cut');
    t.diagnostic(`confirmed ${Math.round(performance.now() - cutAt)} ms after the cut`);
    assert.match(await r.metrics.render(), /^kube_reflector_events_total\{kind="ConfigMap"\} 0$/m);
  });

  test('faults/3 a compacted version is answered 410 by a server without watch cache, and one list mends it', async (t) => {
    await using uncached = await withoutWatchCache();
    const { cluster, proxy, direct, r } = uncached;
    const { client } = direct;
    await client.create(CONFIG_MAP, configMap('goes'));
    await using running = runInformer(r, { namespace: 'default' });
    const { informer } = running;
    await informer.whenSettled(t.signal);
    proxy.refuse();
    await client.delete(CONFIG_MAP, { namespace: 'default', name: 'goes' });
    await compactNow(cluster.etcd, client);
    proxy.pass();
    await eventually(() => informer.lookup('default/goes').kind === 'absent', 'the delete is known');
    const text = await r.metrics.render();
    assert.match(text, /^kube_reflector_failures_total\{kind="ConfigMap",cause="gone"\} 1$/m);
    assert.match(text, /^kube_reflector_streaming_lists_total\{kind="ConfigMap"\} 2$/m);
  });

  test('faults/3 a version right before a compacted one is given up, because no watch goes on from it', async (t) => {
    await using uncached = await withoutWatchCache();
    const { cluster, proxy, direct, r } = uncached;
    await using running = runInformer(r, { namespace: 'default' });
    await running.informer.whenSettled(t.signal);
    let heard = 0;
    running.informer.subscribe(({ key }) => {
      if (key === 'default/compaction-marker') heard += 1;
    });
    const givenUp = (): boolean => r.log.named('a watch is refused at its version, listing again').length > 0;
    // Unless the server itself writes something in between, the change that is compacted is the next one after what was heard.
    for (let round = 0; round < 5 && !givenUp(); round += 1) {
      const before = heard;
      await compactNow(cluster.etcd, direct.client);
      await eventually(() => heard === before + 1, 'the marker is known');
      proxy.refuse();
      await compactNow(cluster.etcd, direct.client);
      proxy.pass();
      await eventually(() => heard === before + 2, 'its next change is known');
    }
    assert.ok(givenUp(), 'the API server refused the version');
  });
});

/** A cluster that answers for old versions as its store does, with a client to it and one through a proxy. */
async function withoutWatchCache() {
  await using owned = new AsyncDisposableStack();
  const args = { apiserver: ['--watch-cache=false'] };
  const cluster = owned.use(await startCluster({ parts: ['etcd', 'apiserver'], args }));
  const { hostname, port } = new URL(cluster.server);
  const proxy = owned.adopt(await CuttingProxy.start(hostname, Number(port)), (each) => each.close());
  const direct = owned.use(await realRig(cluster.kubeconfig));
  const r = owned.use(await realRig(cluster.kubeconfig, { server: `https://127.0.0.1:${proxy.port}` }));
  const all = owned.move();
  return { cluster, proxy, direct, r, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
