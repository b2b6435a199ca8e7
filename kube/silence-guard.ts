// Watches over the silence of a stream: asks the server whether there is nothing new before it believes the quiet.
import type { Clock, MonotonicTime } from '../runtime/clock.ts';

export type SilenceGuardOptions = {
  readonly clock: Clock;
  /** When there was a word last. Default: now. */
  readonly heardAt?: MonotonicTime;
  /** Silence after which {@link ask} is called, in milliseconds; read anew for each wait. */
  readonly silenceMs: () => number;
  /** Asks the server for its present version: `current` when it is the one we have. Called off by the signal. */
  readonly ask: (signal: AbortSignal) => Promise<'current' | 'unknown'>;
  /** The picture was found to be current. */
  readonly onCurrent: () => void;
  /** The silence could not be explained in time. */
  readonly onSuspect: () => void;
};

/** Wait for an answer that proves something, or a word, in milliseconds; at most half as long as the silence before. */
const PATIENCE_MS = 10_000;

export class SilenceGuard {
  readonly #options: SilenceGuardOptions;
  #heardAt: MonotonicTime;
  #cancel: () => void = () => undefined;
  #state: 'listening' | 'stopped' = 'listening';

  constructor(options: SilenceGuardOptions) {
    this.#options = options;
    this.#heardAt = options.heardAt ?? options.clock.monotonic.now();
    this.#listen();
  }

  /** Something came. Cheap: no timer is set anew. */
  heard(): void {
    this.#heardAt = this.#options.clock.monotonic.now();
  }

  stop(): void {
    this.#state = 'stopped';
    this.#cancel();
  }

  #listen(): void {
    if (this.#state === 'stopped') return;
    const { clock, silenceMs } = this.#options;
    const quietMs = clock.monotonic.now() - this.#heardAt;
    this.#cancel = clock.timers.after(silenceMs() - quietMs, () => {
      if (clock.monotonic.now() - this.#heardAt < silenceMs()) this.#listen();
      else void this.#ask();
    });
  }

  async #ask(): Promise<void> {
    const { clock, silenceMs, ask, onCurrent, onSuspect } = this.#options;
    const asked = this.#heardAt;
    const question = new AbortController();
    // One limit for the question and for what comes after it: a server that does not answer it is as silent as before.
    const cancel = clock.timers.after(Math.min(PATIENCE_MS, silenceMs() / 2), () => {
      question.abort(new Error('the question took too long'));
      if (this.#heardAt === asked) onSuspect();
      else this.#listen();
    });
    this.#cancel = () => {
      cancel();
      question.abort(new Error('nobody waits for the answer any more'));
    };
    const answer = await ask(question.signal).catch(() => 'unknown' as const);
    if (question.signal.aborted || answer === 'unknown') return;
    cancel();
    if (this.#heardAt === asked) {
      this.heard();
      onCurrent();
    }
    this.#listen();
  }
}
