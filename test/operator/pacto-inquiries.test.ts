// Answers fetched beside the passes: who waits, who is woken, what is dropped.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import type { ContractOutcome } from '../../contract/loader/contract-loader.ts';
import { AnswerBook, type Inquirer, type Inquiry } from '../../evaluation/observe/inquiry.ts';
import { type Asked, type Interrupted, PactoInquiries } from '../../operator/pacto-inquiries.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { pactoOf } from './views.ts';

const CONTRACT: ContractOutcome = { kind: 'failed', failure: { kind: 'unreachable', message: 'no matter' } };
const question = (name: string): Inquiry => ({ kind: 'secret', namespace: 'default', name });
const PACTO = pactoOf();

type Sent = {
  readonly inquiry: Inquiry;
  readonly signal: AbortSignal;
  answer(): void;
  reject(error: Error): void;
};

/** The other side in the hands of the test: it answers when the test does. */
function desk() {
  const clock = new FakeClock();
  const sent: Sent[] = [];
  const inquire = ((inquiry: Inquiry, signal: AbortSignal) =>
    new Promise<unknown>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      sent.push({ inquiry, signal, answer: () => resolve({ kind: 'absent' }), reject });
    })) as Inquirer;
  const inquiries = new PactoInquiries({ inquire, timers: clock.timers });
  const stop = new AbortController();
  let woken = 0;
  const outside = { signal: stop.signal, wake: () => (woken += 1) };
  const pass = (): Interrupted => ({ contract: CONTRACT, answers: new AnswerBook() });
  const ask = async (from: Interrupted, ...names: readonly string[]): Promise<Asked> => {
    const asked = inquiries.ask(PACTO, from, names.map(question), outside);
    asked.catch(() => undefined);
    await clock.advance(0);
    return asked;
  };
  return { inquiries, clock, sent, stop, pass, ask, woken: () => woken };
}

test('operator/inquiries a pass without questions has nothing to resume', async () => {
  const { inquiries } = desk();
  assert.equal(await inquiries.resume(PACTO), undefined);
});

test('operator/inquiries what is known at once is answered in the same pass, and wakes nobody', async () => {
  const clock = new FakeClock();
  const inquire = (() => Promise.resolve({ kind: 'absent' })) as Inquirer;
  const inquiries = new PactoInquiries({ inquire, timers: clock.timers });
  const pass = { contract: CONTRACT, answers: new AnswerBook() };
  const outside = { signal: new AbortController().signal, wake: () => assert.fail('it wakes') };
  assert.equal(await inquiries.ask(PACTO, pass, [question('a'), question('b')], outside), 'answered');
  assert.deepEqual(pass.answers.find(question('b')), { answer: { kind: 'absent' } });
  assert.equal(clock.pending, 0);
});

test('operator/inquiries a pass goes without answers that take long, and is woken once when all are in', async () => {
  const { inquiries, sent, pass, ask, woken } = desk();
  const first = pass();
  assert.equal(await ask(first, 'a', 'b'), 'later');
  assert.equal(await inquiries.resume(PACTO), 'waiting');
  sent[0]?.answer();
  await nextTurn();
  assert.deepEqual([await inquiries.resume(PACTO), woken()], ['waiting', 0]);
  sent[1]?.answer();
  await nextTurn();
  assert.equal(woken(), 1);
  const resumed = await inquiries.resume(PACTO);
  assert.ok(resumed !== undefined && resumed !== 'waiting');
  assert.equal(resumed.contract, CONTRACT);
  assert.deepEqual(resumed.answers.find(question('a')), { answer: { kind: 'absent' } });
});

test('operator/inquiries after three rounds what is still open stays so', async () => {
  const { inquiries, sent, pass, ask, woken } = desk();
  let from = pass();
  for (const [round, name] of ['a', 'b', 'c'].entries()) {
    assert.equal(await ask(from, name), 'later');
    sent[round]?.answer();
    await nextTurn();
    assert.equal(woken(), round + 1);
    const resumed = await inquiries.resume(PACTO);
    assert.ok(resumed !== undefined && resumed !== 'waiting');
    from = resumed;
  }
  assert.equal(await ask(from, 'd'), 'enough');
  assert.equal(sent.length, 3);
  inquiries.forget('default/orders');
  assert.equal(inquiries.pending, 0);
});

test('operator/inquiries a spec that changes ends what was asked for the old one, which wakes nobody', async () => {
  const { inquiries, sent, pass, ask, woken } = desk();
  assert.equal(await ask(pass(), 'a'), 'later');
  assert.equal(await inquiries.resume({ ...PACTO, fingerprint: 'another' }), undefined);
  await nextTurn();
  assert.deepEqual([sent[0]?.signal.aborted, inquiries.pending, woken()], [true, 0, 0]);
});

test('operator/inquiries a Pacto that goes ends what was asked for it', async () => {
  const { inquiries, sent, pass, ask, woken } = desk();
  assert.equal(await ask(pass(), 'a'), 'later');
  inquiries.forget('default/orders');
  await nextTurn();
  assert.deepEqual([sent[0]?.signal.aborted, inquiries.pending, woken()], [true, 0, 0]);
});

test('operator/inquiries asking that breaks fails the pass that goes on with it, and the next begins anew', async () => {
  const { inquiries, sent, pass, ask, woken } = desk();
  assert.equal(await ask(pass(), 'a'), 'later');
  sent[0]?.reject(new Error('a mistake in the program'));
  await nextTurn();
  assert.equal(woken(), 1);
  await assert.rejects(inquiries.resume(PACTO), /a mistake in the program/);
  assert.equal(await inquiries.resume(PACTO), undefined);
});

test('operator/inquiries the end of the controller ends them all', async () => {
  const { inquiries, sent, stop, pass, ask } = desk();
  assert.equal(await ask(pass(), 'a'), 'later');
  stop.abort(new Error('leadership is lost'));
  await nextTurn();
  assert.equal(sent[0]?.signal.aborted, true);
  await assert.rejects(inquiries.resume(PACTO), /leadership is lost/);
});
