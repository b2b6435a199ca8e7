// Answers that Pactos' passes ask for, fetched beside the passes: a pass goes on with what is known at once, or gives its
// worker back and is woken when the answers are in, so that targets that hang hold up nobody but themselves.
import type { ContractOutcome } from '../contract/loader/contract-loader.ts';
import type { AnswerBook, Inquirer, Inquiry } from '../evaluation/observe/inquiry.ts';
import type { Timers } from '../runtime/clock.ts';
import { type PactoRecord, pactoKey } from './cache/pacto-record.ts';
import { oneTurnFor } from './one-turn.ts';

export type PactoInquiriesOptions = { readonly inquire: Inquirer; readonly timers: Timers };

/** What a pass that was broken off goes on with. */
export type Interrupted = { readonly contract: ContractOutcome; readonly answers: AnswerBook };

/** What became of questions: `later` ends the pass, `enough` leaves them open in it. */
export type Asked = 'answered' | 'later' | 'enough';

/**
 * Answers change what is looked at next, and so may the cluster meanwhile. Nothing needs more than two rounds; what is
 * still open after these stays undecided in this pass.
 */
const MAX_ROUNDS = 3;

type Conversation = Interrupted & {
  /** Which spec the questions are about: a Pacto that changes meanwhile is judged anew. */
  readonly fingerprint: string;
  readonly stop: AbortController;
  rounds: number;
  /** The answers to the last questions. */
  round: Promise<unknown>;
  isDone: boolean;
  /** A pass went without the answers and is to be woken. */
  isAwaited: boolean;
};

/** One per controller. */
export class PactoInquiries {
  readonly #options: PactoInquiriesOptions;
  readonly #conversations = new Map<string, Conversation>();

  constructor(options: PactoInquiriesOptions) {
    this.#options = options;
  }

  /** Pactos whose answers are being fetched, or wait for the next pass. */
  get pending(): number {
    return this.#conversations.size;
  }

  /**
   * What a pass of this Pacto goes on with: `waiting` while answers are to come, nothing when none were asked for. Rejects
   * when asking broke, which only an abort or a mistake in the program does; the next pass begins anew.
   */
  async resume(pacto: PactoRecord): Promise<Interrupted | 'waiting' | undefined> {
    const key = pactoKey(pacto);
    const known = this.#conversations.get(key);
    if (known === undefined) return undefined;
    if (known.fingerprint !== pacto.fingerprint) {
      this.forget(key);
      return undefined;
    }
    if (!known.isDone) return 'waiting';
    await this.#answersOf(key, known);
    return known;
  }

  /**
   * Asks all of `open` at once and enters the answers into those of the pass. When they are not there at once it says
   * `later`: then `wake` is called once they are, and {@link resume} gives the pass back. Rejects as {@link resume} does.
   */
  async ask(
    pacto: PactoRecord,
    pass: Interrupted,
    open: readonly Inquiry[],
    { signal, wake }: { readonly signal: AbortSignal; readonly wake: () => void },
  ): Promise<Asked> {
    const key = pactoKey(pacto);
    const talk = this.#conversations.get(key) ?? this.#begin(pacto, pass);
    if (talk.rounds >= MAX_ROUNDS) return 'enough';
    this.#send(talk, open, signal, () => {
      if (talk.isAwaited && this.#conversations.get(key) === talk) wake();
    });
    await oneTurnFor(talk.round, this.#options.timers);
    // Asked and noted in one go: whatever comes later finds the note and wakes.
    if (!talk.isDone) {
      talk.isAwaited = true;
      return 'later';
    }
    await this.#answersOf(key, talk);
    return 'answered';
  }

  /** Ends what is asked for a Pacto: its pass is over, or it is gone. */
  forget(key: string): void {
    const talk = this.#conversations.get(key);
    this.#conversations.delete(key);
    talk?.stop.abort(new Error('the answers are no longer asked for'));
  }

  #send(talk: Conversation, open: readonly Inquiry[], signal: AbortSignal, onDone: () => void): void {
    const calledOff = AbortSignal.any([signal, talk.stop.signal]);
    const { inquire } = this.#options;
    talk.rounds += 1;
    talk.isDone = false;
    talk.isAwaited = false;
    talk.round = Promise.all(
      open.map(async (inquiry) => talk.answers.enter(inquiry, await inquire(inquiry, calledOff))),
    );
    const settle = (): void => {
      talk.isDone = true;
      onDone();
    };
    talk.round.then(settle, settle);
  }

  async #answersOf(key: string, talk: Conversation): Promise<void> {
    try {
      await talk.round;
    } catch (error) {
      if (this.#conversations.get(key) === talk) this.forget(key);
      throw error;
    }
  }

  #begin(pacto: PactoRecord, pass: Interrupted): Conversation {
    const talk: Conversation = {
      ...pass,
      fingerprint: pacto.fingerprint,
      stop: new AbortController(),
      rounds: 0,
      round: Promise.resolve(),
      isDone: true,
      isAwaited: false,
    };
    this.#conversations.set(pactoKey(pacto), talk);
    return talk;
  }
}
