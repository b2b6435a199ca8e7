// One whole picture of a kind: entries by key, and the indexes over them.
import { WideMap } from './wide-map.ts';

/** Names the index keys an object is found under. */
export type Indexes<T> = Readonly<Record<string, (value: T) => readonly string[]>>;

export type CacheEntry<T> = { readonly value: T; readonly resourceVersion: string };

/** An entry as it is kept. */
export type Held<T> = { readonly value: T; readonly version: HeldVersion };

/** Equal for equal versions and for no others. A text of its own for each object would take 24 bytes, a small number takes none. */
export type HeldVersion = string | number;

export function heldVersion(resourceVersion: string): HeldVersion {
  const number = Number(resourceVersion);
  return Number.isSafeInteger(number) && String(number) === resourceVersion ? number : resourceVersion;
}

/** Object keys under one index key: most have one; a list takes less memory than a map, but one of many is taken out of it slowly. */
type Members = string | string[] | WideMap<true>;

type Index<T> = {
  readonly keysOf: (value: T) => readonly string[];
  /** By index key. */
  readonly members: WideMap<Members>;
};

const LONGEST_LIST = 512;

/** Indexes are kept with each write, so that a picture of many objects is complete when its last one is in. */
export class Picture<T> {
  readonly entries = new WideMap<Held<T>>();
  readonly #indexes: ReadonlyMap<string, Index<T>>;

  constructor(indexes: Indexes<T>) {
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, keysOf]) => [name, { keysOf, members: new WideMap<Members>() }]),
    );
  }

  /** Stores an entry and returns the one it replaces. */
  set(key: string, { value, resourceVersion }: CacheEntry<T>): Held<T> | undefined {
    const stored = this.entries.get(key);
    this.entries.set(key, { value, version: heldVersion(resourceVersion) });
    for (const { keysOf, members } of this.#indexes.values()) {
      const before = stored === undefined ? [] : keysOf(stored.value);
      const after = keysOf(value);
      if (same(before, after)) continue;
      for (const indexKey of before) remove(members, indexKey, key);
      for (const indexKey of after) add(members, indexKey, key);
    }
    return stored;
  }

  /** Removes an entry and returns it. */
  delete(key: string): Held<T> | undefined {
    const stored = this.entries.get(key);
    if (stored === undefined) return undefined;
    this.entries.delete(key);
    for (const { keysOf, members } of this.#indexes.values()) {
      for (const indexKey of keysOf(stored.value)) remove(members, indexKey, key);
    }
    return stored;
  }

  /** Values under an index key, ordered by object key. Throws a TypeError for an index that was not declared. */
  byIndex(name: string, indexKey: string): readonly T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new TypeError(`there is no index "${name}"`);
    const found: T[] = [];
    const members = index.members.get(indexKey) ?? [];
    for (const key of keysIn(members)) {
      const entry = this.entries.get(key);
      if (entry !== undefined) found.push(entry.value);
    }
    return found;
  }
}

function keysIn(members: Members): readonly string[] {
  if (typeof members === 'string') return [members];
  return (members instanceof WideMap ? [...members.keys()] : [...members]).sort();
}

function add(members: WideMap<Members>, indexKey: string, key: string): void {
  const known = members.get(indexKey);
  if (known === undefined) members.set(indexKey, key);
  else if (known instanceof WideMap) known.set(key, true);
  else if (typeof known === 'string') {
    if (known !== key) members.set(indexKey, [known, key]);
  } else if (known.at(-1) !== key) {
    // An object that names an index key twice comes with both at once, so it could only be the last.
    known.push(key);
    if (known.length > LONGEST_LIST) members.set(indexKey, wide(known));
  }
}

function wide(keys: readonly string[]): WideMap<true> {
  const map = new WideMap<true>();
  for (const key of keys) map.set(key, true);
  return map;
}

function remove(members: WideMap<Members>, indexKey: string, key: string): void {
  const known = members.get(indexKey);
  if (known === key) members.delete(indexKey);
  if (known === undefined || typeof known === 'string') return;
  if (known instanceof WideMap) known.delete(key);
  else {
    const place = known.indexOf(key);
    if (place !== -1) known.splice(place, 1);
  }
  if ((known instanceof WideMap ? known.size : known.length) === 0) members.delete(indexKey);
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, place) => text === others[place]);
}
