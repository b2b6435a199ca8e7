// Keys with the time they are due: the earliest is found at once, and a key has one place only.
import type { MonotonicTime } from '../runtime/clock.ts';

type Item = { readonly key: string; due: MonotonicTime; order: number };

/** A binary heap that keeps, for a key added twice, the earlier of the two times. */
export class DelayHeap {
  readonly #items: Item[] = [];
  readonly #places = new Map<string, number>();
  #order = 0;

  get size(): number {
    return this.#items.length;
  }

  /** When the earliest key is due. */
  get next(): MonotonicTime | undefined {
    return this.#items[0]?.due;
  }

  add(key: string, due: MonotonicTime): void {
    const place = this.#places.get(key);
    if (place === undefined) {
      this.#items.push({ key, due, order: this.#order++ });
      this.#places.set(key, this.#items.length - 1);
      this.#up(this.#items.length - 1);
      return;
    }
    const item = this.#items[place];
    if (item === undefined || item.due <= due) return;
    item.due = due;
    this.#up(place);
  }

  /** Takes one key that is due at `now`, the earliest first; undefined when none is. */
  takeDue(now: MonotonicTime): string | undefined {
    const first = this.#items[0];
    if (first === undefined || first.due > now) return undefined;
    const last = this.#items.pop();
    this.#places.delete(first.key);
    if (last !== undefined && last !== first) {
      this.#items[0] = last;
      this.#places.set(last.key, 0);
      this.#down(0);
    }
    return first.key;
  }

  clear(): void {
    this.#items.length = 0;
    this.#places.clear();
  }

  #up(from: number): void {
    for (let place = from; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (!this.#swapIfEarlier(place, parent)) return;
      place = parent;
    }
  }

  #down(from: number): void {
    for (let place = from; ; ) {
      const left = 2 * place + 1;
      const child = this.#earlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfEarlier(child, place)) return;
      place = child;
    }
  }

  #earlier(one: number, other: number): boolean {
    const a = this.#items[one];
    const b = this.#items[other];
    if (a === undefined || b === undefined) return false;
    return a.due < b.due || (a.due === b.due && a.order < b.order);
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    const a = this.#items[child];
    const b = this.#items[parent];
    if (a === undefined || b === undefined || !this.#earlier(child, parent)) return false;
    this.#items[child] = b;
    this.#items[parent] = a;
    this.#places.set(b.key, child);
    this.#places.set(a.key, parent);
    return true;
  }
}
