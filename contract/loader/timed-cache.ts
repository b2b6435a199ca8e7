// Answers kept for a while, errors included; whoever asks for one that is being made waits for the same.

export type CacheClock = {
  /** Milliseconds that only ever grow. */
  now(): number;
};

type Entry<T> = { readonly value: Promise<T>; readonly madeAt: number };

/** Above this many entries those that have expired are removed. */
const SWEEP_ABOVE = 100;

/** An entry's time counts from when it was asked for. Entries whose making rejects are forgotten. */
export class TimedCache<T> {
  readonly #lifetimeMs: number;
  readonly #clock: CacheClock;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(lifetimeMs: number, clock: CacheClock) {
    this.#lifetimeMs = lifetimeMs;
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The answer for `key`, made by `make` unless there is a young one. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const now = this.#clock.now();
    const known = this.#entries.get(key);
    if (known !== undefined && now - known.madeAt < this.#lifetimeMs) return known.value;
    const entry = { value: make(), madeAt: now };
    this.#entries.set(key, entry);
    if (this.#entries.size > SWEEP_ABOVE) this.#sweep(now);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }

  #sweep(now: number): void {
    for (const [key, { madeAt }] of this.#entries) {
      if (now - madeAt >= this.#lifetimeMs) this.#entries.delete(key);
    }
  }
}
