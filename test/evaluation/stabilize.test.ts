// Stabilization: every row of the table that does not need other dimensions, on interfaces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earliestWindowEnd } from '../../api/windows.ts';
import { evaluate } from '../../evaluation/evaluate/index.ts';
import { ObservationFactory } from '../../evaluation/observe/raw-observation.ts';
import { stabilize } from '../../evaluation/stabilize.ts';
import { declaredStreaks } from '../../evaluation/declared-streaks.ts';
import {
  API_INTERFACE,
  contractOf,
  MINUTE,
  NOW,
  pass,
  service,
  slice,
  streak,
  WINDOW_MS,
  workload,
} from './support.ts';

const contract = contractOf(API_INTERFACE);
const GONE = { services: [service()] };
const READY = { services: [service()], slices: [slice([true])] };
const outcome = (result: ReturnType<typeof pass>): string | undefined =>
  result.evidence.observations[0]?.outcome;

test('evaluation/ST1 a positive ends an old streak', () => {
  const result = pass({ contract, cluster: READY, windows: [streak(10 * MINUTE)] });
  assert.deepEqual([outcome(result), result.windows], ['Observed', []]);
});

test('evaluation/ST2 the first negative is insufficient and starts a streak now', () => {
  const result = pass({ contract, cluster: GONE });
  assert.deepEqual([outcome(result), result.windows], ['Insufficient', [streak(0)]]);
});

test('evaluation/ST3 inside the window the same instant is kept', () => {
  const result = pass({ contract, cluster: GONE, windows: [streak(MINUTE)] });
  assert.deepEqual([outcome(result), result.windows], ['Insufficient', [streak(MINUTE)]]);
});

test('evaluation/ST4 at exactly the window the absence counts', () => {
  assert.equal(outcome(pass({ contract, cluster: GONE, windows: [streak(WINDOW_MS)] })), 'Observed');
});

test('evaluation/ST5 after the window it goes on counting and the streak stays', () => {
  const result = pass({ contract, cluster: GONE, windows: [streak(10 * MINUTE)] });
  assert.deepEqual([outcome(result), result.windows], ['Observed', [streak(10 * MINUTE)]]);
});

test('evaluation/ST6 a window of zero does not make the first negative count', () => {
  const first = pass({ contract, cluster: GONE, windowMs: 0 });
  assert.equal(outcome(first), 'Insufficient');
  assert.equal(outcome(pass({ contract, cluster: GONE, windowMs: 0, windows: first.windows })), 'Observed');
});

test('evaluation/ST7 a clock that went back keeps it insufficient', () => {
  assert.equal(outcome(pass({ contract, cluster: GONE, windows: [streak(-MINUTE)] })), 'Insufficient');
});

test('evaluation/ST8 a restart between two negatives changes nothing', () => {
  const stored = JSON.parse(JSON.stringify(pass({ contract, cluster: GONE }).windows)) as ReturnType<
    typeof pass
  >['windows'];
  assert.equal(outcome(pass({ contract, cluster: GONE, windows: stored, now: NOW + WINDOW_MS })), 'Observed');
});

test('evaluation/ST9 the streak of an assertion that is gone is pruned, others stay', () => {
  const result = pass({
    contract,
    cluster: { unreadable: ['Service'] },
    windows: [streak(MINUTE, 'old'), streak(MINUTE)],
  });
  assert.deepEqual(result.windows, [streak(MINUTE)]);
});

test('evaluation/ST10 a declared streak without an update is kept', () => {
  const result = pass({ contract, cluster: { unreadable: ['Service'] }, windows: [streak(MINUTE)] });
  assert.deepEqual(result.windows, [streak(MINUTE)]);
});

test('evaluation/ST11 a streak that survived unavailable passes confirms at once', () => {
  assert.equal(
    outcome(pass({ contract, cluster: GONE, windows: [streak(MINUTE)], now: NOW + 30 * MINUTE })),
    'Observed',
  );
});

test('evaluation/ST12 a start within a second is rounded up, so no window ends early', () => {
  const first = pass({ contract, cluster: GONE, now: NOW + 400 });
  assert.equal(first.windows[0]?.firstObservedNegativeAt, '2026-11-30T10:00:01Z');
  const at = (now: number): string | undefined =>
    outcome(pass({ contract, cluster: GONE, windows: first.windows, now }));
  assert.equal(at(NOW + WINDOW_MS + 999), 'Insufficient');
  assert.equal(at(NOW + WINDOW_MS + 1_000), 'Observed');
});

test('evaluation/ST13 an interface and a dependency of one name have separate streaks', () => {
  const both = contractOf(
    `${API_INTERFACE}dependencies: [{ name: api, ref: ../api, required: true, compatibility: "^1" }]`,
  );
  const other = {
    kind: 'dependency',
    subject: 'api',
    firstObservedNegativeAt: '2026-11-30T09:00:00Z',
  } as const;
  const result = pass({ contract: both, cluster: READY, windows: [other, streak(MINUTE)] });
  assert.deepEqual(result.windows, [other]);
});

test('evaluation/ST14 a workload mismatch does not wait', () => {
  const job = contractOf('workload: job');
  const target = { workloadRef: { name: 'app', kind: 'Deployment' } } as const;
  const result = pass({
    contract: job,
    target,
    cluster: { workloads: [workload('Deployment')] },
    windowMs: 3_600_000,
  });
  assert.equal(result.text, 'NonCompliant/WORKLOAD_MISMATCH 1/1');
  assert.deepEqual(result.windows, []);
});

test('evaluation/ST15 mismatches told by facts do not wait and write no streak', () => {
  const make = new ObservationFactory('2026-11-30T10:00:00Z');
  const present = { type: 'openapi', present: true } as const;
  const state =
    'state: { type: stateful, persistence: { scope: local, durability: persistent }, dataCriticality: low }';
  const rows = [
    [
      'PERSISTENCE_MISMATCH',
      state,
      make.value('PersistenceObserved', 'app', { durable: false, scope: 'local' }),
    ],
    [
      'PERSISTENCE_MISMATCH',
      state,
      make.value('PersistenceObserved', 'app', { durable: true, scope: 'shared' }),
    ],
    [
      'INTERFACE_PROTOCOL_MISMATCH',
      API_INTERFACE,
      make.positive('InterfaceObserved', 'api', { ...present, protocol: 'other' }),
    ],
    [
      'INTERFACE_VISIBILITY_MISMATCH',
      API_INTERFACE,
      make.positive('InterfaceObserved', 'api', { ...present, exposure: 'external' }),
    ],
    [
      'DEPENDENCY_VERSION_MISMATCH',
      'dependencies: [{ name: db, ref: ../db, required: true, compatibility: "^2" }]',
      make.positive('DependencyReachable', 'db', { reachable: true, version: '1.0.0' }),
    ],
  ] as const;
  for (const [code, fragment, observation] of rows) {
    const raw = { observations: [observation] };
    const input = {
      raw,
      windows: [],
      now: NOW,
      windowMs: 3_600_000,
      identity: 'default/app',
      contractRef: '',
    };
    const { evidence, updates } = stabilize(input);
    const { findings } = evaluate(contractOf(fragment), evidence);
    assert.deepEqual(
      findings.map((finding) => [finding.code, finding.severity]),
      [[code, 'error']],
    );
    assert.ok(updates.every(({ firstObservedNegativeAt }) => firstObservedNegativeAt === null));
  }
});

test('evaluation/ST16 the pass at the end of the window confirms the absence', () => {
  const first = pass({ contract, cluster: GONE });
  const end = earliestWindowEnd(first.windows, WINDOW_MS, NOW);
  assert.equal(end, NOW + WINDOW_MS);
  assert.equal(
    pass({ contract, cluster: GONE, windows: first.windows, now: NOW + WINDOW_MS }).text,
    'NonCompliant/INTERFACE_ABSENT 1/1',
  );
});

test('controller/51 the keys a contract declares', () => {
  const full = contractOf(
    `${API_INTERFACE}dependencies: [{ name: payments, ref: ../p, required: true, compatibility: "^1" }]\ncapabilities: [{ type: health }]\nconfigurations: [{ name: appcfg, required: true, ref: ../c }]`,
  );
  assert.deepEqual(
    [...declaredStreaks(full)],
    ['interface/api', 'dependency/payments', 'capability/health', 'configuration/appcfg'],
  );
});

test('controller/52 an absence is Unknown first and NonCompliant at the end of the window', () => {
  const first = pass({ contract, cluster: GONE });
  assert.equal(first.verdict.contractStatus, 'Unknown');
  assert.equal(
    pass({ contract, cluster: GONE, windows: first.windows, now: NOW + WINDOW_MS }).verdict.contractStatus,
    'NonCompliant',
  );
});
