// What was written and has not come back through the watch yet, so that no pass starts from what it replaced. The watch may
// be several of our own writes behind.

type Versioned = { readonly resourceVersion: string };

type Written<T> = {
  /** Versions that this write, and ours before it, replaced: whoever still shows one of them is behind. */
  readonly superseded: readonly string[];
  readonly object: T;
};

export class ReadYourWrites<T extends Versioned> {
  readonly #written = new Map<string, Written<T>>();

  /** Remembers what a write made of the object that had version `replaced`. */
  wrote(key: string, replaced: string, object: T): void {
    const before = this.#written.get(key);
    const follows = before !== undefined && before.object.resourceVersion === replaced;
    this.#written.set(key, { superseded: [...(follows ? before.superseded : []), replaced], object });
  }

  /** The object to go by: ours while the cache still shows what we replaced, else the cache's. */
  newest(key: string, cached: T): T {
    const written = this.#written.get(key);
    return written?.superseded.includes(cached.resourceVersion) === true ? written.object : cached;
  }

  /** Takes note of what the watch brought: from a version on that we have not replaced it is what counts. */
  saw(key: string, version: string): void {
    if (this.#written.get(key)?.superseded.includes(version) === false) this.#written.delete(key);
  }

  forget(key: string): void {
    this.#written.delete(key);
  }
}
