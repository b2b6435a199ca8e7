// Contracts fetched beside the passes: who waits, who is woken, what is dropped, and what every class of failure says.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import { findCondition } from '../../api/conditions.ts';
import type { ContractOutcome, ContractSource } from '../../contract/loader/contract-loader.ts';
import type { LoadFailureKind } from '../../contract/registry/load-failure.ts';
import { PactoContracts } from '../../operator/pacto-contracts.ts';
import { pullSecretReader, type PullSecretReader } from '../../operator/pull-secret-reader.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { GOOD, judge, loader, pactoOf, SPEC } from './views.ts';

type Asked = {
  readonly source: ContractSource;
  readonly signal: AbortSignal;
  answer(outcome: ContractOutcome): void;
  reject(error: Error): void;
};

/** A registry's side in the hands of the test: it answers when the test does. */
function desk(pullSecrets: PullSecretReader = () => Promise.reject(new Error('no secret is asked for'))): {
  readonly contracts: PactoContracts;
  readonly clock: FakeClock;
  readonly asked: readonly Asked[];
} {
  const clock = new FakeClock();
  const asked: Asked[] = [];
  const load = (source: ContractSource, signal: AbortSignal): Promise<ContractOutcome> =>
    new Promise((answer, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      asked.push({ source, signal, answer, reject });
    });
  const contracts = new PactoContracts({ loader: { load }, pullSecrets, timers: clock.timers });
  return { contracts, clock, asked };
}

const oci = (reference: string, more: object = {}) =>
  pactoOf({ spec: { contractRef: { oci: reference, ...more } } });

function failure(kind: LoadFailureKind, message: string = kind): ContractOutcome {
  return { kind: 'failed', failure: { kind, message } };
}

test('operator/contracts what is there at once is taken in the same pass', async () => {
  const clock = new FakeClock();
  const contracts = new PactoContracts({
    loader: loader(),
    pullSecrets: () => Promise.reject(new Error('no secret is asked for')),
    timers: clock.timers,
  });
  let woken = 0;
  const load = { signal: new AbortController().signal, wake: () => (woken += 1) };
  const outcome = await contracts.obtain(pactoOf(), load);
  assert.equal(outcome?.kind, 'loaded');
  assert.deepEqual([contracts.pending, woken, clock.pending], [0, 0, 0]);
});

test('operator/contracts a pass goes without a contract that takes long, and is woken once by it', async () => {
  const { contracts, clock, asked } = desk();
  let woken = 0;
  const load = { signal: new AbortController().signal, wake: () => (woken += 1) };
  const obtain = async (): Promise<ContractOutcome | undefined> => {
    const obtained = contracts.obtain(oci('registry.test/a/b:1'), load);
    await clock.advance(0);
    return obtained;
  };
  assert.equal(await obtain(), undefined);
  assert.equal(await obtain(), undefined, 'the same load is waited for');
  assert.deepEqual([asked.length, woken], [1, 0]);
  asked[0]?.answer(failure('unreachable'));
  await nextTurn();
  assert.equal(woken, 1);
  assert.deepEqual(await obtain(), failure('unreachable'));
  assert.equal(contracts.pending, 0);
  assert.equal(await obtain(), undefined, 'the next pass asks anew');
  assert.equal(asked.length, 2);
});

test('operator/contracts a reference that changes ends the load of the old one, which wakes nobody', async () => {
  const { contracts, clock, asked } = desk();
  let woken = 0;
  const load = { signal: new AbortController().signal, wake: () => (woken += 1) };
  for (const reference of ['registry.test/a/b:1', 'registry.test/a/b:2']) {
    const obtained = contracts.obtain(oci(reference), load);
    await clock.advance(0);
    assert.equal(await obtained, undefined);
  }
  assert.deepEqual(
    asked.map(({ source, signal }) => [source.oci, signal.aborted]),
    [
      ['registry.test/a/b:1', true],
      ['registry.test/a/b:2', false],
    ],
  );
  assert.equal(woken, 0);
  contracts.forget('default/orders');
  await nextTurn();
  assert.deepEqual([asked[1]?.signal.aborted, contracts.pending, woken], [true, 0, 0]);
});

test('operator/contracts the end of the controller ends its loads, and a load that breaks fails the pass that takes it', async () => {
  const { contracts, clock, asked } = desk();
  const stop = new AbortController();
  const load = { signal: stop.signal, wake: () => undefined };
  const first = contracts.obtain(oci('registry.test/a/b:1'), load);
  await clock.advance(0);
  assert.equal(await first, undefined);
  stop.abort(new Error('leadership is lost'));
  await nextTurn();
  await assert.rejects(contracts.obtain(oci('registry.test/a/b:1'), load), /leadership is lost/);
  assert.equal(asked.length, 1);
});

test('operator/contracts credentials come from the Secret of the namespace, for each load anew', async () => {
  const read: object[] = [];
  const password = Buffer.from('word').toString('base64');
  const { contracts, clock, asked } = desk((ref) => {
    read.push(ref);
    const data = { username: Buffer.from('ada').toString('base64'), password };
    return Promise.resolve({ kind: 'found', secret: { name: ref.name, data } });
  });
  const load = { signal: new AbortController().signal, wake: () => undefined };
  for (const turn of [0, 1]) {
    const obtained = contracts.obtain(oci('registry.test/a/b:1', { pullSecretRef: 'pull' }), load);
    await clock.advance(0);
    assert.equal(await obtained, undefined);
    assert.deepEqual(asked[turn]?.source.credentials, { kind: 'basic', username: 'ada', password: 'word' });
    asked[turn]?.answer(failure('not-found'));
    await nextTurn();
    const taken = contracts.obtain(oci('registry.test/a/b:1', { pullSecretRef: 'pull' }), load);
    assert.deepEqual(await taken, failure('not-found'));
  }
  assert.deepEqual(read, [
    { namespace: 'default', name: 'pull' },
    { namespace: 'default', name: 'pull' },
  ]);
});

test('operator/contracts a name that no Secret can have is never asked for', async () => {
  const reader = pullSecretReader({ get: () => Promise.reject(new Error('it was asked for')) });
  for (const name of ['..', '../configmaps/x', 'a/b', 'A', '.', 'a..', ' ']) {
    const found = await reader({ namespace: 'default', name }, new AbortController().signal);
    assert.match(found.kind === 'unusable' ? found.message : '', /^secret ".*" not found: no Secret can/);
  }
});

/** controller.md 6.7 with 3.1: class, verdict, condition, whether the shape of the reference is stated. */
const CLASSES: readonly (readonly [
  kind: LoadFailureKind,
  status: string,
  condition: string,
  policy: boolean,
])[] = [
  ['unreachable', 'Unknown', 'Unknown/Unavailable', true],
  ['authentication', 'Unknown', 'Unknown/Unavailable', true],
  ['not-found', 'Unknown', 'Unknown/Unavailable', true],
  ['pull-secret', 'Unknown', 'Unknown/Unavailable', false],
  ['invalid-reference', 'Invalid', 'False/Invalid', true],
  ['invalid-bundle', 'Invalid', 'False/Invalid', true],
  ['no-match', 'Invalid', 'False/Invalid', true],
  ['invalid-inline', 'Invalid', 'False/Invalid', true],
  ['no-source', 'Invalid', 'False/Invalid', true],
  ['override', 'Invalid', 'False/Invalid', true],
  ['unclassified', 'Invalid', 'False/Invalid', true],
];

for (const [kind, expected, condition, policy] of CLASSES) {
  test(`operator/contracts a contract that fails with ${kind} is ${expected}`, () => {
    const contractRef = { oci: 'oci://registry.test/a/b' };
    const { status, end } = judge(failure(kind, 'what, where'), GOOD, { spec: { ...SPEC, contractRef } });
    const invalid = expected === 'Invalid';
    const message = kind === 'override' ? 'override error: what, where' : 'what, where';
    assert.equal(status.contractStatus, expected);
    const valid = findCondition(status.conditions, 'ContractValid');
    assert.deepEqual([`${valid?.status}/${valid?.reason}`, valid?.message], [condition, message]);
    assert.deepEqual(status.validation, invalid ? { valid: false, errors: [{ message }] } : undefined);
    assert.equal(status.resolutionPolicy, policy ? 'Latest' : undefined);
    assert.equal(status.summary?.[invalid ? 'errorCount' : 'unknownCount'], 1);
    assert.deepEqual(end, { kind: 'failed', status: expected, message });
    assert.deepEqual(
      [status.contract, status.interfaces, status.findings],
      [undefined, undefined, undefined],
    );
  });
}
