// Versions from which no watch goes on: when they are given up, and what that may cost the server.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { movableTime } from '../kube/connect.ts';
import {
  configMap,
  converged,
  eventually,
  type Projection,
  type Rig,
  rig,
  runInformer,
  type Running,
  SCOPE,
  startServer,
} from '../kube/rig.ts';
import type { Fault, ScriptedApiServer } from './scripted-api-server.ts';
import type { Seen } from './scripted-words.ts';
import { proveAlive, setup } from './watch-rig.ts';

type Status = { readonly code: number; readonly reason: string };

const errorEvent = ({ code, reason }: Status): Fault => ({
  kind: 'bytes',
  bytes: `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', status: 'Failure', code, reason, message: 'no' } })}\n`,
  end: 'never',
});
const INTERNAL = errorEvent({ code: 500, reason: 'InternalError' });
const THROTTLED = errorEvent({ code: 429, reason: 'TooManyRequests' });
const GONE: Fault = { kind: 'status', status: 410, reason: 'Expired' };
const BAD: Fault = { kind: 'status', status: 400, reason: 'BadRequest' };

const isWatch = ({ query }: Seen): boolean =>
  query.get('watch') === 'true' && query.get('sendInitialEvents') === null;

type Setup = {
  readonly server: ScriptedApiServer;
  readonly r: Rig;
  readonly running: Running<Projection>;
  /** Waits of the informer before it tried again, in milliseconds. */
  readonly waits: readonly number[];
};

/** Longer than any wait before another try, shorter than any silence that is questioned. */
const LONGEST_WAIT_MS = 61_000;

/** An informer that watches, in a time that goes on by each of its waits at once. */
async function watching(t: TestContext, lists: 'streamed' | 'paged' = 'streamed'): Promise<Setup> {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  const { fake, clock } = movableTime();
  const waits: number[] = [];
  const after = (ms: number, then: () => void): (() => void) => {
    if (ms > LONGEST_WAIT_MS) return () => undefined;
    waits.push(ms);
    const passed = setImmediate(() => {
      fake.advanceSync(ms);
      then();
    });
    return () => clearImmediate(passed);
  };
  const r = rig(server);
  // Silence and age have no part in this: their time would never come.
  const never = { silenceMs: 1_000_000_000, maxAgeMs: Number.POSITIVE_INFINITY };
  const running = runInformer(r, { clock: { ...clock, timers: { after } }, lists, ...never });
  t.after(async () => {
    await running.stop();
    await r.transport.close();
  });
  await running.informer.whenSettled(t.signal);
  await eventually(() => server.watching() === 1, 'watching');
  return { server, r, running, waits };
}

const FAILURES = [
  'a watch was refused',
  'a watch is refused at its version, listing again',
  'the version of a watch is no longer served, listing again',
];
const failures = ({ r }: Setup): number => FAILURES.flatMap((what) => r.log.named(what)).length;
const waited = ({ waits }: Setup): number => waits.reduce((sum, ms) => sum + ms, 0);

/** Lets the watch begin again and fail so many times. */
async function fail(s: Setup, times: number, fault: Fault): Promise<void> {
  const before = failures(s);
  s.server.interceptNext(times, (seen) => (isWatch(seen) ? fault : undefined));
  s.server.endWatches();
  await eventually(() => failures(s) === before + times, 'failed so often');
}

async function follows({ server, running }: Setup): Promise<void> {
  server.store.write(SCOPE, 'create', configMap(`after-${server.store.revision}`));
  await converged(running.informer, server);
}

test('faults/3 ERROR events for less than 15 seconds cost no list: the server may be without a leader', async (t) => {
  const s = await watching(t);
  await fail(s, 3, INTERNAL);
  await follows(s);
  assert.ok(waited(s) < 15_000, `${waited(s)} ms`);
  assert.equal(s.server.lists('configmaps'), 1);
});

test('faults/3 ERROR events for 15 seconds cost one list: no watch may ever go on from that version', async (t) => {
  const s = await watching(t);
  const stuck = String(s.server.store.revision);
  s.server.intercept((seen) =>
    isWatch(seen) && seen.query.get('resourceVersion') === stuck ? INTERNAL : undefined,
  );
  s.server.endWatches();
  await follows(s);
  assert.ok(waited(s) >= 15_000 && waited(s) < 60_000, `${waited(s)} ms`);
  assert.equal(s.server.lists('configmaps'), 2);
});

test('faults/3 ERROR events that ask for patience cost no list, however long', async (t) => {
  const s = await watching(t);
  await fail(s, 12, THROTTLED);
  assert.ok(waited(s) >= 30_000, `${waited(s)} ms`);
  await eventually(() => s.server.watching() === 1, 'watching again');
  await fail(s, 1, { kind: 'status', status: 503 });
  await follows(s);
  assert.equal(s.server.lists('configmaps'), 1);
});

test('faults/3 ERROR events in lists say nothing of the version that a list brings in the end', async (t) => {
  const s = await watching(t);
  s.server.intercept(({ query }) => (query.get('sendInitialEvents') === 'true' ? INTERNAL : undefined));
  await fail(s, 1, GONE);
  // A streamed list that says no more counts as a watch, too: the one in pages has to have been asked for.
  const isPaged = (): boolean => s.server.seen.some(({ query }) => query.get('limit') !== null);
  await eventually(() => isPaged() && s.server.watching() === 1, 'watching again, after a list in pages');
  const lists = s.server.lists('configmaps');
  await fail(s, 1, { kind: 'status', status: 503 });
  await follows(s);
  assert.equal(s.server.lists('configmaps'), lists);
});

for (const [what, fault, leastMs] of [
  ['is answered 410', GONE, 5_000],
  ['is not understood', BAD, 120_000],
] as const) {
  // A list that is streamed goes on as the watch.
  test(`faults/3 a server whose every version ${what} is not stormed with lists`, async (t) => {
    const s = await watching(t, 'paged');
    await fail(s, 7, fault);
    assert.ok(waited(s) >= leastMs, `${waited(s)} ms for six lists`);
    await follows(s);
  });
}

test('faults/3 a version that the server does not understand, in a list neither, is forgotten', async (t) => {
  const s = await setup(t);
  const version = String(s.server.store.revision);
  const remove = s.server.intercept(({ query }) =>
    query.get('resourceVersion') === version ? BAD : undefined,
  );
  s.server.store.vanish(SCOPE, 'a');
  s.server.endWatches();
  await proveAlive(s);
  remove();
  const before = s.server.seen.length;
  s.server.errorToWatches('configmaps', { status: 410, reason: 'Expired', message: 'too old' });
  await proveAlive(s);
  const list = s.server.seen.slice(before).find(({ query }) => query.get('resourceVersionMatch') !== null);
  assert.equal(list?.query.get('sendInitialEvents'), 'true', 'lists are still streamed');
});
