// Where contracts are checked: small ones at once, large texts and foreign schemas on a thread with limits.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import type { CheckedContract } from '../../contract/check/check-contract.ts';
import { CheckThread, type CheckThreadOptions } from '../../contract/check/check-thread.ts';
import { ContractChecker, LARGE_TEXT_BYTES } from '../../contract/check/contract-checker.ts';
import { systemClock, type Timers } from '../../runtime/clock.ts';
import { treeOf } from './bundle-support.ts';
import { BASE } from './support.ts';

const { timers } = systemClock;

function checker(t: TestContext, options: Partial<CheckThreadOptions> = {}): ContractChecker {
  const made = new ContractChecker({ timers, ...options });
  t.after(() => made.close());
  return made;
}

const LARGE = `${BASE}metadata: { a: "${'x'.repeat(LARGE_TEXT_BYTES)}" }\n`;
const POLICY = `${BASE}policies: [{ name: p, schema: p.json }]\n`;
/** A schema that takes for ever: forty references, each followed twice. */
const ENDLESS = JSON.stringify({
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, i) => {
      const next = { $ref: `#/$defs/d${i + 1}` };
      return [`d${i}`, i === 40 ? { type: 'object' } : { allOf: [next, next] }];
    }),
  ),
  $ref: '#/$defs/d0',
});

test('a small contract is checked without a thread', async (t) => {
  const check = checker(t);
  const checked = await check.check({ contract: BASE, tree: treeOf({ 'a.txt': 'x' }) });
  assert.ok(checked.kind === 'checked');
  assert.deepEqual(checked.validation, { errors: [], warnings: [] });
  assert.equal(check.threads, 0);
});

test('a large text is parsed and checked on the thread, with the same result', async (t) => {
  const check = checker(t);
  const parsed = await check.parse(LARGE);
  assert.ok(parsed.kind === 'parsed');
  assert.equal(parsed.contract.service.name, 'svc');
  const checked = await check.check({
    contract: Buffer.from(LARGE),
    overrides: [{ name: 'nope', values: {} }],
  });
  assert.ok(checked.kind === 'failed');
  assert.deepEqual([checked.fault, checked.error.path], ['override', 'spec.overrides']);
  assert.ok((await check.check({ contract: LARGE })).kind === 'checked');
  assert.equal(check.threads, 1);
});

test('schemas of a bundle are run on the thread; one that takes for ever is given up, and the next is served', async (t) => {
  const check = checker(t, { timeoutMs: 5_000 });
  const endless = await check.check({ contract: POLICY, tree: treeOf({ 'p.json': ENDLESS }) });
  assert.ok(endless.kind === 'failed');
  assert.equal(endless.fault, 'limit');
  assert.match(endless.error.message, /took longer than 5000 ms; simplify it or its schemas$/);
  const [first, second] = await Promise.all(
    ['{"required": ["nope"]}', '{}'].map((schema) =>
      check.check({ contract: POLICY, tree: treeOf({ 'p.json': schema }) }),
    ),
  );
  assert.ok(first?.kind === 'checked' && second?.kind === 'checked');
  assert.deepEqual(
    first.validation.errors.map(({ code }) => code),
    ['POLICY_VIOLATION'],
  );
  assert.deepEqual(second.validation.errors, []);
  assert.equal(check.threads, 2);
});

test('time that the machine spent on others is not counted against a contract', async (t) => {
  const hurried: Timers = { after: (ms, callback) => timers.after(ms / 1_000, callback) };
  const check = checker(t, { timers: hurried, timeoutMs: 5_000, patienceMs: 10 ** 9 });
  const checked = await check.check({ contract: POLICY, tree: treeOf({ 'p.json': '{}' }) });
  assert.equal(checked.kind, 'checked');
});

test('a contract that nobody had the time to look at is not at fault', async (t) => {
  const check = checker(t, { patienceMs: 0 });
  for (const request of [{ contract: LARGE }, { contract: POLICY, tree: treeOf({ 'p.json': '{}' }) }]) {
    const checked = await check.check(request);
    assert.ok(checked.kind === 'failed');
    assert.equal(checked.fault, 'starved');
    assert.match(checked.error.message, /too busy for 0 ms; try again later$/);
  }
});

test('where processor time cannot be asked, a check goes on until patience ends', async (t) => {
  t.mock.method(Worker.prototype, 'cpuUsage', () => {
    throw new TypeError('cpuUsage is not a function');
  });
  const check = checker(t, { timeoutMs: 100, patienceMs: 5_000 });
  const policy = (schema: string): Promise<CheckedContract> =>
    check.check({ contract: POLICY, tree: treeOf({ 'p.json': schema }) });
  // The thread is there before the second job, whose processor time is asked from its beginning.
  assert.equal((await policy('{}')).kind, 'checked');
  const endless = await policy(ENDLESS);
  assert.ok(endless.kind === 'failed');
  assert.equal(endless.fault, 'starved');
});

test('what depends on the contract is asked for once it is parsed', async (t) => {
  const asked: string[] = [];
  const checked = await checker(t).check({ contract: POLICY }, async ({ policies }) => {
    asked.push(...policies.map(({ schema = '' }) => schema));
    return { tree: treeOf({ 'p.json': '{"required": ["owner"]}' }) };
  });
  assert.deepEqual(asked, ['p.json']);
  assert.ok(checked.kind === 'checked');
  assert.deepEqual(
    checked.validation.errors.map(({ code }) => code),
    ['POLICY_VIOLATION'],
  );
});

test('closing an unused thread, and one twice', async () => {
  const thread = new CheckThread({ timers });
  await thread.close();
  await thread.run({ kind: 'parse', contract: BASE });
  await thread.close();
  await thread.close();
  assert.equal(thread.starts, 1);
});

test('a thread that is gone between two jobs is started anew, and its error ends nothing', async (t) => {
  const threads: Worker[] = [];
  const onWorker = (worker: Worker): void => void threads.push(worker);
  process.on('worker', onWorker);
  t.after(() => process.off('worker', onWorker));
  const thread = new CheckThread({ timers });
  t.after(() => thread.close());
  await thread.run({ kind: 'parse', contract: BASE });
  threads[0]?.emit('error', new Error('out of memory'));
  await threads[0]?.terminate();
  const next = await thread.run({ kind: 'parse', contract: BASE });
  assert.equal(next.kind, 'answer');
  assert.equal(thread.starts, 2);
});

test('parsing ends within its time on any bytes', async (t) => {
  const check = checker(t, { timeoutMs: 10_000 });
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .constantFrom('[', '{a: ', '- ', '&a [', '*a, ', '\n ', '? ', '!!x ', '"', "'", '|\n', '%', BASE)
      .map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 3_000 })), { maxLength: 6 }),
      async (parts) => {
        const bytes = Buffer.concat(
          parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => bytes)),
        );
        const parsed = await check.parse(bytes);
        assert.ok(parsed.kind === 'parsed' || !/longer than/.test(parsed.error.message));
      },
    ),
    { numRuns: 60 },
  );
});
