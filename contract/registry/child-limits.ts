// Lets work through one at a time for each key, and not more than so many at a time in all.

/** First come, first served, for each key and among keys. */
export class ChildLimits {
  readonly #max: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #tails = new Map<string, Promise<void>>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Runs `work` when it is its turn. Rejects with the signal's reason while it waits; work that runs is its own matter. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    let done: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (done = resolve));
    const tail = before.then(() => mine);
    this.#tails.set(key, tail);
    try {
      await orAborted(before, signal);
      await this.#enter(signal);
      try {
        return await work();
      } finally {
        this.#leave();
      }
    } finally {
      done();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    if (this.#running < this.#max) {
      this.#running += 1;
      return;
    }
    let enter: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (enter = resolve));
    this.#waiting.push(enter);
    try {
      await orAborted(turn, signal);
    } catch (error) {
      const at = this.#waiting.indexOf(enter);
      // Its turn may have come in the same moment; then the place goes to the next.
      if (at === -1) this.#leave();
      else this.#waiting.splice(at, 1);
      throw error;
    }
  }

  /** A place that becomes free goes to who waits longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

async function orAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => (abort = resolve));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([turn, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
  signal.throwIfAborted();
}
