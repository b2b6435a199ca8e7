// Objects of one kind in memory: by key and by indexes, with a diff whenever the whole picture is replaced.

export type CacheChange<T> =
  | { readonly kind: 'added'; readonly key: string; readonly value: T }
  | { readonly kind: 'updated'; readonly key: string; readonly value: T; readonly previous: T }
  | { readonly kind: 'deleted'; readonly key: string; readonly previous: T };

/** Names the index keys an object is found under. */
export type Indexes<T> = Readonly<Record<string, (value: T) => readonly string[]>>;

export type CacheEntry<T> = { readonly value: T; readonly resourceVersion: string };

type Index<T> = {
  readonly keysOf: (value: T) => readonly string[];
  readonly members: Map<string, Set<string>>;
};

export class Cache<T> {
  readonly #entries = new Map<string, CacheEntry<T>>();
  readonly #indexes: ReadonlyMap<string, Index<T>>;

  constructor(indexes: Indexes<T> = {}) {
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, keysOf]) => [
        name,
        { keysOf, members: new Map<string, Set<string>>() },
      ]),
    );
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): CacheEntry<T> | undefined {
    return this.#entries.get(key);
  }

  keys(): Iterable<string> {
    return this.#entries.keys();
  }

  values(): readonly T[] {
    return Array.from(this.#entries.values(), (entry) => entry.value);
  }

  /** Objects under an index key, ordered by object key. Throws a TypeError for an index that was not declared. */
  byIndex(name: string, indexKey: string): readonly T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new TypeError(`there is no index "${name}"`);
    const members = index.members.get(indexKey);
    if (members === undefined) return [];
    const found: T[] = [];
    for (const key of [...members].sort()) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) found.push(entry.value);
    }
    return found;
  }

  /** Stores one object. No change when the version is the stored one. */
  set(key: string, entry: CacheEntry<T>): CacheChange<T> | undefined {
    const stored = this.#entries.get(key);
    if (stored?.resourceVersion === entry.resourceVersion) return undefined;
    if (stored !== undefined) this.#unindex(key, stored.value);
    this.#entries.set(key, entry);
    this.#index(key, entry.value);
    return stored === undefined
      ? { kind: 'added', key, value: entry.value }
      : { kind: 'updated', key, value: entry.value, previous: stored.value };
  }

  delete(key: string): CacheChange<T> | undefined {
    const stored = this.#entries.get(key);
    if (stored === undefined) return undefined;
    this.#unindex(key, stored.value);
    this.#entries.delete(key);
    return { kind: 'deleted', key, previous: stored.value };
  }

  /** Makes the cache equal to `entries` and returns what changed, deletions first. */
  replace(entries: ReadonlyMap<string, CacheEntry<T>>): readonly CacheChange<T>[] {
    const changes: CacheChange<T>[] = [];
    const keep = (change: CacheChange<T> | undefined): void => {
      if (change !== undefined) changes.push(change);
    };
    for (const key of this.#entries.keys()) if (!entries.has(key)) keep(this.delete(key));
    for (const [key, entry] of entries) keep(this.set(key, entry));
    return changes;
  }

  #index(key: string, value: T): void {
    for (const { keysOf, members } of this.#indexes.values()) {
      for (const indexKey of keysOf(value)) {
        const set = members.get(indexKey);
        if (set === undefined) members.set(indexKey, new Set([key]));
        else set.add(key);
      }
    }
  }

  #unindex(key: string, value: T): void {
    for (const { keysOf, members } of this.#indexes.values()) {
      for (const indexKey of keysOf(value)) {
        const set = members.get(indexKey);
        set?.delete(key);
        if (set?.size === 0) members.delete(indexKey);
      }
    }
  }
}
