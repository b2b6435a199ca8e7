// Objects of one kind in memory: a picture that is followed change by change, or exchanged for another as a whole.
import { type CacheEntry, type Held, heldVersion, type Indexes, Picture } from './picture.ts';

export type { CacheEntry, Indexes } from './picture.ts';

export type CacheChange<T> =
  | { readonly kind: 'added'; readonly key: string; readonly value: T }
  | { readonly kind: 'updated'; readonly key: string; readonly value: T; readonly previous: T }
  | { readonly kind: 'deleted'; readonly key: string; readonly previous: T };

/** A picture being made, not visible yet. */
export type Stage<T> = Pick<Picture<T>, 'set' | 'delete' | 'entries'>;

export class Cache<T> {
  readonly #declared: Indexes<T>;
  #picture: Picture<T>;

  constructor(indexes: Indexes<T> = {}) {
    this.#declared = indexes;
    this.#picture = new Picture(indexes);
  }

  get size(): number {
    return this.#picture.entries.size;
  }

  get(key: string): Held<T> | undefined {
    return this.#picture.entries.get(key);
  }

  keys(): Iterable<string> {
    return this.#picture.entries.keys();
  }

  values(): readonly T[] {
    return Array.from(this.#picture.entries.values(), (entry) => entry.value);
  }

  /** Objects under an index key, ordered by object key. Throws a TypeError for an index that was not declared. */
  byIndex(name: string, indexKey: string): readonly T[] {
    return this.#picture.byIndex(name, indexKey);
  }

  /** Stores one object. No change when the version is the stored one. */
  set(key: string, entry: CacheEntry<T>): CacheChange<T> | undefined {
    if (this.#picture.entries.get(key)?.version === heldVersion(entry.resourceVersion)) return undefined;
    return difference(key, this.#picture.set(key, entry), entry);
  }

  delete(key: string): CacheChange<T> | undefined {
    return difference(key, this.#picture.delete(key), undefined);
  }

  /** An empty picture to fill with a list. */
  stage(): Stage<T> {
    return new Picture(this.#declared);
  }

  /**
   * Makes a staged picture the present one, at once. The changes from the one before are worked out as they are read,
   * deletions first, so that a reader of very many can take breaks; read them before the cache changes again.
   */
  adopt(stage: Stage<T>): Iterable<CacheChange<T>> {
    if (!(stage instanceof Picture)) throw new TypeError('only what stage() returned can be adopted');
    const before = this.#picture.entries;
    this.#picture = stage;
    return changes(before, stage.entries);
  }
}

type Entries<T> = Picture<T>['entries'];

function* changes<T>(before: Entries<T>, after: Entries<T>): Generator<CacheChange<T>> {
  for (const [key, entry] of before) {
    const change = after.has(key) ? undefined : difference(key, entry, undefined);
    if (change !== undefined) yield change;
  }
  for (const [key, entry] of after) {
    const known = before.get(key);
    const change = known?.version === entry.version ? undefined : difference(key, known, entry);
    if (change !== undefined) yield change;
  }
}

function difference<T>(
  key: string,
  before: { readonly value: T } | undefined,
  after: { readonly value: T } | undefined,
): CacheChange<T> | undefined {
  if (after === undefined)
    return before === undefined ? undefined : { kind: 'deleted', key, previous: before.value };
  if (before === undefined) return { kind: 'added', key, value: after.value };
  return { kind: 'updated', key, value: after.value, previous: before.value };
}
