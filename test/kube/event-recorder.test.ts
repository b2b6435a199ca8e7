// EventRecorder: counts repetitions, limits what one object may say, never blocks, in both shapes of Event.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { EventCorrelator, type EventInput } from '../../kube/event-correlator.ts';
import type { EventApi } from '../../kube/event-forms.ts';
import { EventRecorder } from '../../kube/event-recorder.ts';
import type { UndiciTransportOptions } from '../../kube/undici-transport.ts';
import { ScriptedApiServer } from '../faults/scripted-api-server.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { configOf, eventually, type Rig, rig } from './rig.ts';

const EVENT: EventInput = {
  subject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'cart', uid: 'u-1' },
  type: 'Warning',
  reason: 'Mismatch',
  message: 'port 8080 is not served',
};

type Setup = {
  readonly server: ScriptedApiServer;
  readonly r: Rig;
  readonly recorder: EventRecorder;
  readonly clock: FakeClock;
};

async function setup(
  t: TestContext,
  api: EventApi,
  capacity?: number,
  options: (server: ScriptedApiServer) => Partial<UndiciTransportOptions> = () => ({}),
): Promise<Setup> {
  const server = await ScriptedApiServer.start();
  const r = rig(server, options(server));
  const clock = new FakeClock();
  const recorder = new EventRecorder({
    client: r.client,
    source: { component: 'pacto-controller', instance: 'pod-1' },
    api,
    clock,
    log: r.log,
    metrics: r.metrics,
    ...(capacity === undefined ? {} : { capacity }),
  });
  const stop = new AbortController();
  const done = recorder.run(stop.signal);
  t.after(async () => {
    stop.abort();
    await done;
    await r.transport.close();
    await server.close();
  });
  return { server, r, recorder, clock };
}

async function outcome({ r }: Setup, name: string): Promise<number> {
  const match = new RegExp(`^kube_events_total\\{outcome="${name}"\\} (\\d+)$`, 'm').exec(
    await r.metrics.render(),
  );
  return Number(match?.[1]);
}

const SCOPES = {
  v1: { resource: 'events', namespace: 'shop' },
  'events.k8s.io/v1': { resource: 'events.events.k8s.io', namespace: 'shop' },
} as const;

test('events/the legacy form is created once and then counted on', async (t) => {
  const s = await setup(t, 'v1');
  for (let i = 0; i < 3; i += 1) s.recorder.record(EVENT);
  await eventually(() => s.server.seen.length === 3, 'written');
  await s.clock.advance(5_000);
  s.recorder.record(EVENT);
  await eventually(() => s.server.seen.length === 4, 'written');
  const stored = s.server.store.list(SCOPES.v1);
  assert.equal(stored.length, 1);
  const { metadata, ...event } = stored[0] ?? { metadata: { name: '' } };
  assert.match(metadata.name, /^cart\.[0-9a-f]+$/);
  assert.deepEqual(event, {
    apiVersion: 'v1',
    kind: 'Event',
    involvedObject: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'shop',
      name: 'cart',
      uid: 'u-1',
    },
    type: 'Warning',
    reason: 'Mismatch',
    message: 'port 8080 is not served',
    source: { component: 'pacto-controller' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:05Z',
    count: 4,
    reportingComponent: 'pacto-controller',
    reportingInstance: 'pod-1',
  });
});

test('events/the new form carries a series', async (t) => {
  const s = await setup(t, 'events.k8s.io/v1');
  s.recorder.record(EVENT);
  s.recorder.record({ ...EVENT, action: 'Compare' });
  await eventually(() => s.server.seen.length === 2, 'written');
  const [stored] = s.server.store.list(SCOPES['events.k8s.io/v1']);
  assert.deepEqual(
    [stored?.['note'], stored?.['action'], stored?.['eventTime'], stored?.['series']],
    [
      'port 8080 is not served',
      'Mismatch',
      '2026-01-01T00:00:00.000000Z',
      { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' },
    ],
  );
});

test('events/of a cluster-scoped object live in default', async (t) => {
  const s = await setup(t, 'v1');
  s.recorder.record({ ...EVENT, subject: { apiVersion: 'v1', kind: 'Node', namespace: '', name: 'n1' } });
  await eventually(() => s.server.seen.length === 1, 'written');
  const [stored] = s.server.store.list({ resource: 'events', namespace: 'default' });
  assert.deepEqual(stored?.['involvedObject'], { apiVersion: 'v1', kind: 'Node', name: 'n1' });
});

test('events/one that expired on the server is made anew', async (t) => {
  const s = await setup(t, 'v1');
  s.recorder.record(EVENT);
  await eventually(() => s.server.seen.length === 1, 'written');
  const [first] = s.server.store.list(SCOPES.v1);
  s.server.store.delete(SCOPES.v1, first?.metadata.name ?? '');
  s.recorder.record(EVENT);
  await eventually(() => s.server.store.list(SCOPES.v1).length === 1, 'made anew');
  assert.equal(s.server.store.list(SCOPES.v1)[0]?.['count'], 2);
});

test('faults/21 1,000 identical failures are few writes, and others are not held up', async (t) => {
  const s = await setup(t, 'v1', 2_000);
  for (let i = 0; i < 1_000; i += 1) s.recorder.record(EVENT);
  s.recorder.record({ ...EVENT, subject: { ...EVENT.subject, name: 'other' } });
  await eventually(() => s.server.store.list(SCOPES.v1).length === 2, 'both objects have theirs');
  assert.equal(s.server.seen.length, 26, '25 at once for one object, and the other');
  await eventually(async () => (await outcome(s, 'limited')) === 975, 'the rest is not');
  await s.clock.advance(300_000);
  s.recorder.record(EVENT);
  s.recorder.record(EVENT);
  await eventually(() => s.server.seen.length === 27, 'one more after five minutes');
  await eventually(async () => (await outcome(s, 'limited')) === 976, 'the second is not');
  assert.equal(s.r.log.lines.length, 0);
});

test('faults/21 recording never blocks: a full queue drops, counted', async (t) => {
  const s = await setup(t, 'v1', 10);
  s.server.intercept(() => ({ kind: 'hang' }));
  for (let i = 0; i < 100; i += 1) s.recorder.record({ ...EVENT, message: `m-${i}` });
  assert.equal(await outcome(s, 'overflow'), 90);
});

test('events/a refused event is logged without its text, and the next is written', async (t) => {
  const s = await setup(t, 'v1');
  s.server.interceptNext(1, () => ({ kind: 'status', status: 403, reason: 'Forbidden' }));
  s.recorder.record(EVENT);
  s.recorder.record({ ...EVENT, reason: 'Other' });
  await eventually(() => s.server.store.list(SCOPES.v1).length === 1, 'the next is written');
  assert.deepEqual(
    s.r.log.named('an event was refused').map(({ fields }) => fields),
    [{ reason: 'Mismatch', code: 'Forbidden' }],
  );
  await eventually(async () => (await outcome(s, 'written')) === 1, 'counted');
  assert.equal(await outcome(s, 'refused'), 1);
});

test('events/an event outlives a lost connection', async (t) => {
  const s = await setup(t, 'v1');
  s.server.interceptNext(2, ({ method }) => (method === 'POST' ? { kind: 'reset' } : undefined));
  s.recorder.record(EVENT);
  await eventually(() => s.server.store.list(SCOPES.v1).length === 1, 'written in the end');
});

test('events/an event outlives credentials that cannot be had for a moment', async (t) => {
  const runs = path.join(await temporaryFolder(t), 'runs');
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    args: [
      '-c',
      `echo run >> "$RUNS"; [ "$(wc -l < "$RUNS" | tr -d ' ')" = 1 ] && exit 1
       echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}'`,
    ],
    env: [{ name: 'RUNS', value: runs }],
    provideClusterInfo: false,
  } as const;
  const env = { PATH: process.env['PATH'] };
  const s = await setup(t, 'v1', undefined, (server) => ({
    config: { ...configOf(server), auth: { kind: 'exec', exec } },
    env,
  }));
  s.recorder.record(EVENT);
  await eventually(() => s.server.store.list(SCOPES.v1).length === 1, 'written in the end');
});

test('events/one that cannot be sent at all is logged with what is wrong, and the next is written', async (t) => {
  const s = await setup(t, 'v1');
  s.recorder.record({ ...EVENT, subject: { ...EVENT.subject, namespace: '..' } });
  s.recorder.record(EVENT);
  await eventually(() => s.server.store.list(SCOPES.v1).length === 1, 'the next is written');
  const [line] = s.r.log.named('an event could not be sent');
  assert.equal(line?.fields.reason, 'Mismatch');
  assert.ok(line.fields.error instanceof TypeError);
});

test('events/many different messages with one reason become one', () => {
  const correlator = new EventCorrelator(new FakeClock(), () => 'x');
  const messages = Array.from({ length: 15 }, (_, i) =>
    correlator.correlate({ ...EVENT, message: `m-${i}` }),
  );
  assert.deepEqual(
    messages.map(({ kind }) => kind),
    [...Array<string>(11).fill('create'), ...Array<string>(4).fill('repeat')],
  );
  const last = messages.at(-1);
  assert.ok(last?.kind === 'repeat');
  assert.match(last.event.message, /too often to be listed one by one/);
});

test('events/memory is bounded however many objects speak', () => {
  const correlator = new EventCorrelator(new FakeClock(), () => 'x');
  const say = (name: string) => correlator.correlate({ ...EVENT, subject: { ...EVENT.subject, name } }).kind;
  assert.equal(say('first'), 'create');
  for (let i = 0; i < 5_000; i += 1) say(`object-${i}`);
  assert.equal(say('first'), 'create', 'the least recent is forgotten');
  assert.equal(say('object-4999'), 'repeat');
});
