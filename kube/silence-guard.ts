// Watches over the silence of a stream: asks the server whether there is nothing new before it believes the quiet.
import type { Clock, MonotonicTime } from '../runtime/clock.ts';

export type SilenceGuardOptions = {
  readonly clock: Clock;
  /** Silence after which {@link ask} is called, in milliseconds; read anew for each wait. */
  readonly silenceMs: () => number;
  /** Asks the server for its present version: `current` when it is the one we have. */
  readonly ask: () => Promise<'current' | 'unknown'>;
  /** The picture was found to be current. */
  readonly onCurrent: () => void;
  /** The silence could not be explained in time. */
  readonly onSuspect: () => void;
};

/** Wait for a word after an answer that proved nothing, in milliseconds; at most as long as the silence before. */
const PATIENCE_MS = 10_000;

export class SilenceGuard {
  readonly #options: SilenceGuardOptions;
  #heardAt: MonotonicTime;
  #cancel: () => void = () => undefined;
  #state: 'listening' | 'stopped' = 'listening';

  constructor(options: SilenceGuardOptions) {
    this.#options = options;
    this.#heardAt = options.clock.monotonic.now();
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
    const answer = await ask().catch(() => 'unknown' as const);
    if (this.#state === 'stopped') return;
    if (this.#heardAt !== asked) return this.#listen();
    if (answer === 'current') {
      this.heard();
      onCurrent();
      return this.#listen();
    }
    this.#cancel = clock.timers.after(Math.min(PATIENCE_MS, silenceMs()), () => {
      if (this.#heardAt === asked) onSuspect();
      else this.#listen();
    });
  }
}
