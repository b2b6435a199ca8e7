// Leader election: one leader at most, out in time when the lease cannot be kept, and a successor in time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { KubeApiError } from '../../kube/api-error.ts';
import { KubeClient } from '../../kube/client.ts';
import { LeaderElector, LeaseLostError } from '../../kube/leader-election.ts';
import { checkTimings, DEFAULT_TIMINGS, LeaseState } from '../../kube/lease-state.ts';
import { aborted } from '../../runtime/aborted.ts';
import { monotonicTime } from '../../runtime/clock.ts';
import { Metrics } from '../../runtime/metrics.ts';
import { type Fate, MemoryTransport } from '../faults/memory-transport.ts';
import { ObjectStore } from '../faults/object-store.ts';
import { CapturedLog } from '../helpers/captured-log.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { PausableClock } from '../helpers/pausable-clock.ts';

const LEASES = { resource: 'leases', namespace: 'ns' };
const PROMPT: Fate = { kind: 'answer', requestMs: 1, answerMs: 1 };

type Candidate = {
  readonly elector: LeaderElector;
  readonly clock: PausableClock;
  readonly stop: AbortController;
  readonly metrics: Metrics;
  readonly transport: MemoryTransport;
  fate: () => Fate;
  /** What became of `run`. */
  ended: 'running' | 'stopped' | Error;
  /** Whether `lead` was called and its signal has not aborted. */
  acting: boolean;
  /** What `lead` waits for after its signal aborted. */
  drain: Promise<void>;
  done: Promise<void>;
};

function candidate(store: ObjectStore, base: FakeClock, identity: string): Candidate {
  const clock = new PausableClock(base);
  const metrics = new Metrics();
  const self: { current?: Candidate } = {};
  const transport = new MemoryTransport(store, clock.timers, () => self.current?.fate() ?? PROMPT);
  const elector = new LeaderElector({
    client: new KubeClient({ transport, clock }),
    namespace: 'ns',
    name: 'lease',
    identity,
    clock,
    log: new CapturedLog(),
    metrics,
    random: () => 0.5,
  });
  const stop = new AbortController();
  const made: Candidate = {
    elector,
    clock,
    stop,
    metrics,
    transport,
    fate: () => PROMPT,
    ended: 'running',
    acting: false,
    drain: Promise.resolve(),
    done: Promise.resolve(),
  };
  self.current = made;
  made.done = elector
    .run(stop.signal, async (signal) => {
      made.acting = true;
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) resolve();
      });
      made.acting = false;
      await made.drain;
    })
    .then(
      () => {
        made.ended = 'stopped';
      },
      (error: Error) => {
        made.ended = error;
      },
    );
  return made;
}

function spec(store: ObjectStore): Record<string, unknown> {
  return store.get(LEASES, 'lease')?.['spec'] as Record<string, unknown>;
}

test('leader-election/the first leads, the second waits and takes over at once after a clean stop', async () => {
  const [store, clock] = [new ObjectStore(), new FakeClock()];
  const one = candidate(store, clock, 'one');
  await clock.advance(10);
  assert.equal(one.acting, true);
  const two = candidate(store, clock, 'two');
  await clock.advance(30_000);
  assert.deepEqual([one.acting, two.acting, two.elector.holder], [true, false, 'one']);
  assert.match(await one.metrics.render(), /^leader_election_master_status\{name="lease"\} 1$/m);
  let finish = (): void => undefined;
  one.drain = new Promise((resolve) => {
    finish = resolve;
  });
  one.stop.abort();
  await clock.advance(40_000);
  assert.equal(spec(store)['holderIdentity'], 'one', 'held and renewed while the work drains');
  assert.deepEqual([one.acting, two.acting, one.ended], [false, false, 'running']);
  finish();
  await clock.advance(5_000);
  assert.deepEqual([one.ended, two.acting], ['stopped', true]);
  assert.match(await one.metrics.render(), /^leader_election_master_status\{name="lease"\} 0$/m);
  assert.equal(spec(store)['leaseTransitions'], 1);
  two.stop.abort();
  await clock.advance(1_000);
  assert.equal(spec(store)['holderIdentity'], '');
  assert.equal(clock.pending, 0);
});

test('leader-election/writes microseconds and keeps fields it does not know', async () => {
  const [store, clock] = [new ObjectStore(), new FakeClock()];
  const one = candidate(store, clock, 'one');
  await clock.advance(10);
  assert.match(String(spec(store)['renewTime']), /^2026-01-01T00:00:00\.\d{6}Z$/);
  const lease = store.get(LEASES, 'lease');
  assert.ok(lease);
  store.write(LEASES, 'replace', {
    ...lease,
    metadata: { ...lease.metadata, labels: { kept: 'yes' } },
    spec: { ...spec(store), strategy: 'OldestEmulationVersion' },
  });
  await clock.advance(10_000);
  assert.equal(one.acting, true, 'a foreign change of the lease that leaves the holder is survived');
  assert.equal(spec(store)['strategy'], 'OldestEmulationVersion');
  assert.deepEqual(store.get(LEASES, 'lease')?.metadata['labels'], { kept: 'yes' });
  one.stop.abort();
  await clock.advance(1_000);
});

test('leader-election/renews by one write each, without reading first', async () => {
  const [store, clock] = [new ObjectStore(), new FakeClock()];
  const one = candidate(store, clock, 'one');
  await clock.advance(10);
  const before = one.transport.requests.length;
  await clock.advance(20_000);
  const renewals = one.transport.requests.slice(before);
  assert.deepEqual(new Set(renewals.map(({ method }) => method)), new Set(['PUT']));
  assert.ok(renewals.length >= 9 && renewals.length <= 10, String(renewals.length));
  one.stop.abort();
  await clock.advance(1_000);
});

for (const fate of [
  { kind: 'refused' },
  { kind: 'silence' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 403 },
] satisfies Fate[]) {
  test(`faults/15 a leader whose writes fail (${JSON.stringify(fate)}) is out within the renew deadline`, async () => {
    const [store, clock] = [new ObjectStore(), new FakeClock()];
    const one = candidate(store, clock, 'one');
    await clock.advance(10);
    const two = candidate(store, clock, 'two');
    await clock.advance(5_000);
    one.fate = () => fate;
    const lastRenewal = clock.monotonic.now();
    while (one.ended === 'running') {
      await clock.advance(50);
      assert.ok(clock.monotonic.now() - lastRenewal <= DEFAULT_TIMINGS.renewDeadlineMs + 50, 'out in time');
      assert.equal(two.acting, false, 'nobody else leads yet');
    }
    assert.ok(one.ended instanceof LeaseLostError, String(one.ended));
    assert.equal(one.acting, false, 'its work was told');
    const lost = clock.monotonic.now();
    while (!two.acting) {
      await clock.advance(50);
      assert.ok(clock.monotonic.now() - lost <= 15_000 + 4_400, 'a successor in time');
    }
    two.stop.abort();
    await clock.advance(1_000);
  });
}

test('faults/15 a leader that finds another holder stops at once', async () => {
  const [store, clock] = [new ObjectStore(), new FakeClock()];
  const one = candidate(store, clock, 'one');
  await clock.advance(10);
  const lease = store.get(LEASES, 'lease');
  assert.ok(lease);
  store.write(LEASES, 'replace', {
    ...lease,
    spec: { ...spec(store), holderIdentity: 'thief', renewTime: 'now' },
  });
  await clock.advance(2_100);
  assert.ok(one.ended instanceof LeaseLostError);
  assert.match(one.ended.message, /taken by thief/);
  assert.equal(spec(store)['holderIdentity'], 'thief', 'nothing is released that is not ours');
});

test('faults/16 a blocked event loop cannot write after its lease ran out', async () => {
  const [store, clock] = [new ObjectStore(), new FakeClock()];
  const one = candidate(store, clock, 'one');
  await clock.advance(10);
  one.elector.assertLeading();
  // Nothing of the process runs for 20 s: the abort has not been delivered when its code goes on.
  one.clock.pause();
  await clock.advance(20_000);
  assert.equal(one.acting, true, 'the work was not told yet');
  assert.equal(one.elector.leading(), false);
  assert.throws(() => one.elector.assertLeading(), LeaseLostError);
  one.clock.resume();
  await clock.advance(5_000);
  assert.ok(one.ended instanceof LeaseLostError);
});

test('leader-election/a missing right is told once while waiting, and named when it costs the lease', async () => {
  const [store, clock, log] = [new ObjectStore(), new FakeClock(), new CapturedLog()];
  let fate: Fate = { kind: 'status', status: 403 };
  const elector = new LeaderElector({
    client: new KubeClient({ transport: new MemoryTransport(store, clock.timers, () => fate), clock }),
    namespace: 'ns',
    name: 'lease',
    identity: 'one',
    clock,
    log,
    metrics: new Metrics(),
  });
  const ended = elector
    .run(new AbortController().signal, async (signal) => aborted(signal))
    .catch((error: unknown) => error);
  await clock.advance(30_000);
  const told = log.named('the lease is forbidden; grant get, create and update on leases');
  assert.deepEqual(
    told.map(({ level, fields }) => [level, fields.error instanceof KubeApiError]),
    [['warn', true]],
  );
  fate = PROMPT;
  await clock.advance(5_000);
  assert.equal(elector.leading(), true);
  fate = { kind: 'status', status: 403 };
  await clock.advance(15_000);
  const lost = await ended;
  assert.ok(lost instanceof LeaseLostError && lost.cause instanceof KubeApiError);
});

test('leader-election/a failing lead releases the lease and passes its error on', async () => {
  const [store, clock] = [new ObjectStore(), new FakeClock()];
  const elector = new LeaderElector({
    client: new KubeClient({ transport: new MemoryTransport(store, clock.timers, () => PROMPT), clock }),
    namespace: 'ns',
    name: 'lease',
    identity: 'one',
    clock,
    log: new CapturedLog(),
    metrics: new Metrics(),
  });
  const failed = assert.rejects(
    elector.run(new AbortController().signal, () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  await clock.advance(1_000);
  await failed;
  assert.equal(spec(store)['holderIdentity'], '');
  assert.equal(clock.pending, 0);
});

test('leader-election/refuses timings under which two could lead', () => {
  assert.throws(
    () => checkTimings({ ...DEFAULT_TIMINGS, leaseDurationMs: 10_000 }),
    /lease duration \(10000 ms\)/,
  );
  assert.throws(() => checkTimings({ ...DEFAULT_TIMINGS, retryPeriodMs: 9_000 }), /1\.2 times/);
  assert.throws(() => new LeaseState('me', { ...DEFAULT_TIMINGS, retryPeriodMs: 0 }), RangeError);
});

test('leader-election/trusts only its own clock: what a record says about time is not read', () => {
  const state = new LeaseState('me', DEFAULT_TIMINGS);
  const record = {
    holder: 'other',
    durationMs: 15_000,
    transitions: 0,
    renewTime: '1999-01-01T00:00:00.000000Z',
  };
  state.see(record, monotonicTime(0));
  assert.equal(state.mayTake(monotonicTime(14_999)), false);
  state.see({ ...record }, monotonicTime(14_999));
  assert.equal(state.mayTake(monotonicTime(15_000)), true, 'an unchanged record is not a renewal');
  state.see({ ...record, renewTime: '1998-01-01T00:00:00.000000Z' }, monotonicTime(15_000));
  assert.equal(state.mayTake(monotonicTime(29_999)), false, 'any change is one');
});

type Disturbance =
  | { readonly kind: 'fate'; readonly who: number; readonly fate: Fate }
  | { readonly kind: 'pause' | 'resume' | 'stop' | 'kill'; readonly who: number }
  | { readonly kind: 'wait'; readonly ms: number };

const WHO = fc.nat(2);
const FATE: fc.Arbitrary<Fate> = fc.oneof(
  fc.record({
    kind: fc.constant('answer'),
    requestMs: fc.integer({ min: 0, max: 6_000 }),
    answerMs: fc.integer({ min: 0, max: 6_000 }),
  }),
  fc.record({ kind: fc.constant('answerLost'), requestMs: fc.integer({ min: 0, max: 4_000 }) }),
  fc.constant({ kind: 'silence' }),
  fc.constant({ kind: 'refused' }),
  fc.record({ kind: fc.constant('status'), status: fc.constantFrom(401, 403, 500, 503) }),
  fc.constant(PROMPT),
);
const DISTURBANCE: fc.Arbitrary<Disturbance> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('fate'), who: WHO, fate: FATE }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('pause', 'resume'), who: WHO }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('stop', 'kill'), who: WHO }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 100, max: 20_000 }) }),
  },
);

/** Histories that once broke something. */
const FOUND: Disturbance[][] = [
  // The answer to the release was lost: the next leader was there before the last one knew.
  [
    { kind: 'wait', ms: 100 },
    { kind: 'stop', who: 0 },
    { kind: 'fate', who: 0, fate: { kind: 'answerLost', requestMs: 0 } },
    { kind: 'wait', ms: 100 },
    { kind: 'fate', who: 0, fate: { kind: 'refused' } },
    { kind: 'fate', who: 0, fate: { kind: 'answer', requestMs: 0, answerMs: 0 } },
  ],
];

test('faults/15 random histories: never two leaders, and one again in time after the faults end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(DISTURBANCE, { minLength: 3, maxLength: 25 }), async (history) => {
      const [store, clock] = [new ObjectStore(), new FakeClock()];
      const all = ['one', 'two', 'three'].map((identity) => candidate(store, clock, identity));
      const leaders = (): readonly Candidate[] => all.filter(({ elector }) => elector.leading());
      const pass = async (ms: number): Promise<void> => {
        for (let left = ms; left > 0; left -= 500) {
          await clock.advance(Math.min(500, left));
          assert.ok(leaders().length <= 1, 'two lead at once');
          // One that stands still cannot be told, but it does nothing either, and is told before it goes on.
          assert.ok(
            all.filter(({ acting, clock }) => acting && !clock.paused).length <= 1,
            'two act at once',
          );
        }
      };
      for (const step of history) {
        const who = all['who' in step ? step.who : 0];
        assert.ok(who);
        if (step.kind === 'wait') await pass(step.ms);
        if (step.kind === 'fate') who.fate = () => step.fate;
        if (step.kind === 'pause') who.clock.pause();
        if (step.kind === 'resume') who.clock.resume();
        if (step.kind === 'stop') who.stop.abort();
        if (step.kind === 'kill') {
          who.clock.pause();
          who.fate = () => ({ kind: 'silence' });
        }
      }
      for (const one of all) {
        one.fate = () => PROMPT;
        one.clock.resume();
      }
      // What was in flight with a slow fate ends first; then a lease may have to run out.
      await pass(6_000 + 15_000 + 2 * 4_400 + 2_000);
      const alive = all.filter(({ ended, stop }) => ended === 'running' && !stop.signal.aborted);
      assert.equal(leaders().length, alive.length === 0 ? 0 : 1, 'one leads again');
      for (const one of all) one.stop.abort();
      await pass(20_000);
      await Promise.all(all.map(({ done }) => done));
      assert.equal(clock.pending, 0, 'no timer is left');
    }),
    { numRuns: 60, examples: FOUND.map((history) => [history]) },
  );
});
