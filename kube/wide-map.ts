// A map for very many texts that never holds the program up: a plain one copies itself whole whenever it has doubled.

/** Entries of one plain map before there are more of them: sharing so many out takes half a millisecond. */
const LARGE = 512;
/** How many there are then. A million entries are 16,000 in each, which take 2 ms to copy. */
const PARTS = 64;

/** As Map, but for texts only, in no particular order, and not to be changed while it is iterated over. */
export class WideMap<V> {
  #parts: readonly Map<string, V>[] = [new Map()];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Entries of the part that holds the most: no more than so many are ever copied at once. */
  get largestPart(): number {
    return Math.max(...this.#parts.map((part) => part.size));
  }

  get(key: string): V | undefined {
    return this.#part(key).get(key);
  }

  has(key: string): boolean {
    return this.#part(key).has(key);
  }

  set(key: string, value: V): void {
    const part = this.#part(key);
    const before = part.size;
    part.set(key, value);
    this.#size += part.size - before;
    if (this.#size > LARGE && this.#parts.length === 1) this.#split();
  }

  /** Whether there was one. */
  delete(key: string): boolean {
    const deleted = this.#part(key).delete(key);
    if (deleted) this.#size -= 1;
    return deleted;
  }

  *entries(): IterableIterator<[string, V]> {
    for (const part of this.#parts) yield* part;
  }

  *keys(): IterableIterator<string> {
    for (const part of this.#parts) yield* part.keys();
  }

  *values(): IterableIterator<V> {
    for (const part of this.#parts) yield* part.values();
  }

  [Symbol.iterator](): IterableIterator<[string, V]> {
    return this.entries();
  }

  #part(key: string): Map<string, V> {
    const place = this.#parts.length === 1 ? 0 : placeOf(key);
    const part = this.#parts[place];
    if (part === undefined) throw new RangeError(`there is no part ${place}`);
    return part;
  }

  #split(): void {
    const whole = this.#parts;
    this.#parts = Array.from({ length: PARTS }, () => new Map<string, V>());
    for (const part of whole) for (const [key, value] of part) this.#part(key).set(key, value);
  }
}

/** Spreads texts evenly, also those that differ in a digit only (FNV-1a, of which the upper bits are the better ones). */
function placeOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return ((hash >>> 16) ^ hash) & (PARTS - 1);
}
