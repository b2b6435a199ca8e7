// Tells once that something cannot be read any more, while what was read before goes on being used, and once that it can.
import type { Logger } from '../runtime/logger.ts';

export class Trouble {
  readonly #what: string;
  readonly #log: Logger | undefined;
  #state: 'none' | 'told' = 'none';

  /** @param what as in `the token file /a/b` */
  constructor(what: string, log: Logger | undefined) {
    this.#what = what;
    this.#log = log;
  }

  /** It happened. Only the first time in a row is told. */
  met(error: unknown): void {
    if (this.#state === 'told') return;
    this.#state = 'told';
    this.#log?.warn(`${this.#what} cannot be read any more; what was read last is used`, { error });
  }

  over(): void {
    if (this.#state === 'told') this.#log?.info(`${this.#what} can be read again`);
    this.#state = 'none';
  }
}
