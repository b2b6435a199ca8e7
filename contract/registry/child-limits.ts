// Lets work through one at a time for each key, not more than so many at a time in all, and half of them for one group.

export type Place = {
  /** Work with the same key runs one after the other. */
  readonly key: string;
  /** Who must not take every place: a registry that hangs would hold up all others. */
  readonly group: string;
};

/** First come, first served, for each key and among keys. */
export class ChildLimits {
  readonly #all: Places;
  readonly #perGroup: number;
  readonly #groups = new Map<string, Places>();
  readonly #tails = new Map<string, Promise<void>>();

  constructor(max: number) {
    this.#all = new Places(max);
    this.#perGroup = Math.ceil(max / 2);
  }

  /** Runs `work` when it is its turn. Rejects with the signal's reason while it waits; work that runs is its own matter. */
  async run<T>({ key, group }: Place, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    let done: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => (done = resolve));
    const tail = before.then(() => mine);
    this.#tails.set(key, tail);
    try {
      await orAborted(before, signal);
      return await this.#inGroup(group, signal, () => this.#all.hold(signal, work));
    } finally {
      done();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }

  async #inGroup<T>(group: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const places = this.#groups.get(group) ?? new Places(this.#perGroup);
    this.#groups.set(group, places);
    try {
      return await places.hold(signal, work);
    } finally {
      if (places.isIdle) this.#groups.delete(group);
    }
  }
}

/** So many at a time; the others wait in line. */
class Places {
  readonly #max: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get isIdle(): boolean {
    return this.#taken === 0 && this.#waiting.length === 0;
  }

  async hold<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    if (this.#taken < this.#max) {
      this.#taken += 1;
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
    if (next === undefined) this.#taken -= 1;
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
