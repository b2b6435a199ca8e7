// One whole picture of a kind: entries by key, and the indexes over them.

/** Names the index keys an object is found under. */
export type Indexes<T> = Readonly<Record<string, (value: T) => readonly string[]>>;

export type CacheEntry<T> = { readonly value: T; readonly resourceVersion: string };

type Index<T> = {
  readonly keysOf: (value: T) => readonly string[];
  /** Object keys by index key. Most index keys have one member, and a set takes ten times a text. */
  readonly members: Map<string, string | Set<string>>;
};

/** Indexes are kept with each write, so that a picture of many objects is complete when its last one is in. */
export class Picture<T> {
  readonly entries = new Map<string, CacheEntry<T>>();
  readonly #indexes: ReadonlyMap<string, Index<T>>;

  constructor(indexes: Indexes<T>) {
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, keysOf]) => [
        name,
        { keysOf, members: new Map<string, string | Set<string>>() },
      ]),
    );
  }

  /** Stores an entry and returns the one it replaces. */
  set(key: string, entry: CacheEntry<T>): CacheEntry<T> | undefined {
    const stored = this.entries.get(key);
    if (stored !== undefined) this.#unindex(key, stored.value);
    this.entries.set(key, entry);
    for (const { keysOf, members } of this.#indexes.values()) {
      for (const indexKey of keysOf(entry.value)) {
        const known = members.get(indexKey);
        if (known === undefined) members.set(indexKey, key);
        else if (typeof known !== 'string') known.add(key);
        else if (known !== key) members.set(indexKey, new Set([known, key]));
      }
    }
    return stored;
  }

  /** Removes an entry and returns it. */
  delete(key: string): CacheEntry<T> | undefined {
    const stored = this.entries.get(key);
    if (stored === undefined) return undefined;
    this.#unindex(key, stored.value);
    this.entries.delete(key);
    return stored;
  }

  /** Values under an index key, ordered by object key. Throws a TypeError for an index that was not declared. */
  byIndex(name: string, indexKey: string): readonly T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new TypeError(`there is no index "${name}"`);
    const found: T[] = [];
    const members = index.members.get(indexKey) ?? [];
    for (const key of typeof members === 'string' ? [members] : [...members].sort()) {
      const entry = this.entries.get(key);
      if (entry !== undefined) found.push(entry.value);
    }
    return found;
  }

  #unindex(key: string, value: T): void {
    for (const { keysOf, members } of this.#indexes.values()) {
      for (const indexKey of keysOf(value)) {
        const known = members.get(indexKey);
        if (known === key) members.delete(indexKey);
        if (known === undefined || typeof known === 'string') continue;
        known.delete(key);
        if (known.size === 0) members.delete(indexKey);
      }
    }
  }
}
