// Bridges the moment between our own write and its arrival through the watch, so that no pass starts from what it replaced.

type Versioned = { readonly resourceVersion: string };

export class ReadYourWrites<T extends Versioned> {
  readonly #written = new Map<string, { readonly replaced: string; readonly object: T }>();

  /** Remembers what a write made of the object that had version `replaced`. */
  wrote(key: string, replaced: string, object: T): void {
    this.#written.set(key, { replaced, object });
  }

  /** The object to go by: ours while the cache still shows what we replaced, else the cache's. */
  newest(key: string, cached: T): T {
    const written = this.#written.get(key);
    if (written === undefined) return cached;
    return cached.resourceVersion === written.replaced ? written.object : cached;
  }

  /** Takes note of what the watch brought: from another version on than the replaced one it is what counts. */
  saw(key: string, version: string): void {
    const written = this.#written.get(key);
    if (written !== undefined && written.replaced !== version) this.#written.delete(key);
  }

  forget(key: string): void {
    this.#written.delete(key);
  }
}
