// KubeClient: verbs as the API wants them, refusals as typed errors, throttling honoured in one place.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { KubeApiError } from '../../kube/api-error.ts';
import { KubeClient } from '../../kube/client.ts';
import { RestMetrics } from '../../kube/rest-metrics.ts';
import { KubeConnectionError, type Transport } from '../../kube/transport.ts';
import { Metrics } from '../../runtime/metrics.ts';
import { ScriptedApiServer } from '../faults/scripted-api-server.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { CONFIG_MAP, configMap, eventually, rig, SCOPE } from './rig.ts';

const REF = { namespace: 'default', name: 'a' };

async function setup(t: TestContext) {
  const server = await ScriptedApiServer.start();
  const r = rig(server);
  t.after(async () => {
    await r.transport.close();
    await server.close();
  });
  return { server, r, client: r.client };
}

test('client/every verb sends what the API wants', async (t) => {
  const { server, client } = await setup(t);
  const last = () => {
    const seen = server.seen.at(-1);
    assert.ok(seen);
    return [seen.method, seen.path, seen.query.toString(), seen.headers['content-type']];
  };
  const path = '/api/v1/namespaces/default/configmaps';
  const created = await client.create(CONFIG_MAP, configMap('a'), { fieldManager: 'me' });
  assert.deepEqual(last(), ['POST', path, 'fieldManager=me', 'application/json']);
  await client.update(CONFIG_MAP, REF, created, { dryRun: 'all' });
  assert.deepEqual(last(), ['PUT', `${path}/a`, 'dryRun=All', 'application/json']);
  await client.mergePatch(CONFIG_MAP, REF, { status: { x: null } }, { subresource: 'status' });
  assert.deepEqual(last(), ['PATCH', `${path}/a/status`, '', 'application/merge-patch+json']);
  await client.apply(CONFIG_MAP, REF, configMap('a', 'x'), { fieldManager: 'me', conflicts: 'take' });
  assert.deepEqual(last(), [
    'PATCH',
    `${path}/a`,
    'fieldManager=me&force=true',
    'application/apply-patch+yaml',
  ]);
  await client.apply(CONFIG_MAP, REF, configMap('a', 'x'), { fieldManager: 'me' });
  assert.deepEqual(last().slice(2, 3), ['fieldManager=me']);
  assert.equal(((await client.get(CONFIG_MAP, REF)) as { data: { text: string } }).data.text, 'x');
  await client.delete(CONFIG_MAP, REF, {
    preconditions: { uid: 'u' },
    propagationPolicy: 'Foreground',
    gracePeriodSeconds: 0,
  });
  assert.deepEqual(JSON.parse(server.seen.at(-1)?.body ?? ''), {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Foreground',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u' },
  });
  assert.equal(await client.find(CONFIG_MAP, REF), undefined);
  await assert.rejects(client.get(CONFIG_MAP, REF), (error: unknown) => {
    assert.ok(error instanceof KubeApiError);
    assert.equal(error.isNotFound, true);
    return true;
  });
  assert.throws(() => client.create(CONFIG_MAP, { metadata: { name: 'x' } }), /needs a namespace/);
  assert.equal(await client.probe('/readyz'), 200);
});

test('faults/12 a write against a changed object is a conflict, for the writer to read again', async (t) => {
  const { server, client } = await setup(t);
  const created = (await client.create(CONFIG_MAP, configMap('a'))) as {
    metadata: { resourceVersion: string };
  };
  server.store.write(SCOPE, 'replace', configMap('a', 'theirs'));
  const patch = { metadata: { resourceVersion: created.metadata.resourceVersion }, data: { text: 'ours' } };
  for (const write of [
    () => client.mergePatch(CONFIG_MAP, REF, patch),
    () => client.update(CONFIG_MAP, REF, { ...configMap('a'), ...created }),
  ]) {
    await assert.rejects(write, (error: unknown) => error instanceof KubeApiError && error.isConflict);
  }
  assert.deepEqual(server.store.get(SCOPE, 'a')?.['data'], { text: 'theirs' });
});

test('client/a 429 is waited out as the server asks, and given up on in the end', async (t) => {
  const { server, r } = await setup(t);
  const clock = new FakeClock();
  const client = new KubeClient({ transport: r.transport, clock });
  server.store.write(SCOPE, 'create', configMap('a'));
  server.interceptNext(2, () => ({ kind: 'status', status: 429, retryAfter: '7' }));
  const got = client.mergePatch(CONFIG_MAP, REF, { data: { text: 'x' } });
  for (let tries = 1; tries <= 2; tries += 1) {
    await eventually(() => server.seen.length === tries && clock.pending === 1, `try ${tries}`);
    assert.ok((clock.nextInMs ?? 0) >= 7_000 && (clock.nextInMs ?? 0) <= 10_500, String(clock.nextInMs));
    await clock.advance(10_500);
  }
  await got;
  assert.deepEqual(server.store.get(SCOPE, 'a')?.['data'], { text: 'x' });
  server.intercept(() => ({ kind: 'status', status: 429, retryAfter: '1' }));
  const refused = assert.rejects(
    client.get(CONFIG_MAP, REF),
    (error: unknown) =>
      error instanceof KubeApiError && error.isTooManyRequests && error.retryAfterSeconds === 1,
  );
  for (let tries = 1; tries <= 5; tries += 1) {
    await eventually(() => clock.pending === 1, 'waiting');
    await clock.advance(1_500);
  }
  await refused;
  const stop = new AbortController();
  const aborted = assert.rejects(client.get(CONFIG_MAP, REF, { signal: stop.signal }), /enough/);
  await eventually(() => clock.pending === 1, 'waiting');
  stop.abort(new Error('enough'));
  await aborted;
  assert.equal(clock.pending, 0);
});

test('client/an answer that was cut or is not JSON is a lost connection, and never quoted', async (t) => {
  const { server, client } = await setup(t);
  for (const [bytes, end] of [
    ['{"kind":"ConfigMap","data":{"text":"hunter2"', 'cut'],
    ['{"kind":"ConfigMap","data":{"text":"hunter2"', 'whole'],
    ['<html>hunter2</html>', 'whole'],
  ] as const) {
    const remove = server.intercept(() => ({ kind: 'bytes', bytes, end }));
    await assert.rejects(client.get(CONFIG_MAP, REF), (error: unknown) => {
      assert.ok(error instanceof KubeConnectionError, String(error));
      assert.doesNotMatch(`${error.message} ${String(error.cause)} ${error.stack}`, /hunter2/);
      return true;
    });
    remove();
  }
  server.intercept(() => ({ kind: 'bytes', bytes: '{"kind":"ConfigMapList","items":{}}', end: 'whole' }));
  await assert.rejects(client.list(CONFIG_MAP), /the answer is not a list/);
});

test('client/a refusal that is called off halfway ends with the reason of the call, not as a refusal', async () => {
  const stop = new AbortController();
  async function* brokenOff(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"kind":"Sta');
    stop.abort(new Error('enough'));
    stop.signal.throwIfAborted();
  }
  const transport: Transport = {
    liveness: 'pinged',
    close: async () => undefined,
    request: async () => ({ status: 404, headers: {}, body: brokenOff() }),
  };
  const client = new KubeClient({ transport, clock: new FakeClock() });
  await assert.rejects(client.get(CONFIG_MAP, REF, { signal: stop.signal }), { message: 'enough' });
});

test('client/a list that keeps expiring is given up on after three new starts', async (t) => {
  const { server, client } = await setup(t);
  for (let i = 0; i < 550; i += 1) server.store.write(SCOPE, 'create', configMap(`m-${i}`));
  server.intercept(({ query }) =>
    query.get('continue') === null ? undefined : { kind: 'status', status: 410, reason: 'Expired' },
  );
  await assert.rejects(
    client.listAll(CONFIG_MAP),
    (error: unknown) => error instanceof KubeApiError && error.isGone,
  );
  assert.equal(server.seen.length, 8);
});

test('client/requests are counted under the names dashboards chart', async (t) => {
  const { server, r } = await setup(t);
  const metrics = new Metrics();
  const client = new KubeClient({
    transport: r.transport,
    clock: new FakeClock(),
    metrics: new RestMetrics(metrics, 'api:6443'),
  });
  await client.find(CONFIG_MAP, REF);
  server.interceptNext(2, () => ({ kind: 'reset' }));
  await assert.rejects(client.get(CONFIG_MAP, REF));
  const text = await metrics.render();
  assert.match(text, /^rest_client_requests_total\{code="404",method="GET",host="api:6443"\} 1$/m);
  assert.match(text, /^rest_client_requests_total\{code="<error>",method="GET",host="api:6443"\} 1$/m);
  assert.match(text, /^rest_client_request_duration_seconds_count\{verb="GET",host="api:6443"\} 2$/m);
});

test('faults/16 a forbidden write is not sent', async (t) => {
  const { server, r } = await setup(t);
  const client = new KubeClient({
    transport: r.transport,
    clock: new FakeClock(),
    beforeWrite: () => {
      throw new Error('not the leader');
    },
  });
  for (const write of [
    () => client.create(CONFIG_MAP, configMap('a')),
    () => client.mergePatch(CONFIG_MAP, REF, {}),
    () => client.delete(CONFIG_MAP, REF),
  ]) {
    await assert.rejects(write, /not the leader/);
  }
  assert.equal(server.seen.length, 0);
  assert.equal(await client.find(CONFIG_MAP, REF), undefined, 'reading is allowed');
});
