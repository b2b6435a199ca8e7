// The body of a list, read item by item as it comes: a page of objects is never in memory as a whole.
import type { ListPage } from './client-options.ts';
import { joined } from './joined.ts';
import { isRecord, recordAt, stringAt, valueAt } from './json.ts';
import { withoutManagedFields } from './managed-fields.ts';
import { dropManagedFields } from './object-meta.ts';
import type { Pace } from './pace.ts';
import { KubeConnectionError } from './transport.ts';
import { MAX_LINE_BYTES } from './watch-stream.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Bytes looked at before it is asked whether a break is due: code that runs for the first time takes 100 ns for each. */
const PIECE_BYTES = 8_192;

/**
 * Reads a list and calls `onItem` with each object, in order, with or without its managedFields, taking breaks by `pace`.
 * Rejects with KubeConnectionError when the body is not a whole list; what was read before it turned out so has been
 * handed out by then.
 */
export async function readList(
  what: string,
  body: AsyncIterable<Uint8Array>,
  pace: Pace,
  onItem: (item: unknown) => void,
  managedFields: 'keep' | 'drop' = 'keep',
): Promise<Omit<ListPage, 'items'>> {
  const splitter = new ListSplitter(what, managedFields);
  for await (const chunk of body) {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      for (const item of splitter.push(chunk.subarray(from, from + PIECE_BYTES))) {
        onItem(item);
        if (pace.due()) await pace.rest();
      }
      if (pace.spent()) await pace.rest();
    }
  }
  return splitter.end();
}

/** Takes a list apart: items, each parsed alone, and the envelope, in which `0` stands for an item. */
class ListSplitter {
  readonly #what: string;
  readonly #managedFields: 'keep' | 'drop';
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** Of the item, or of the envelope outside of items. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #envelope = '';
  /** Where in the present chunk what is not kept yet begins. */
  #start = 0;
  #depth = 0;
  #inText = false;
  /** Bytes at the start of the next chunk that an escape covers. */
  #escaped = 0;
  #place: 'envelope' | 'items' | 'item' | 'itemEnd' = 'envelope';
  #items = 0;

  constructor(what: string, managedFields: 'keep' | 'drop') {
    this.#what = what;
    this.#managedFields = managedFields;
  }

  /** Takes more of the body and hands out the items that are whole with it. */
  *push(chunk: Uint8Array): Generator<unknown, void> {
    this.#start = 0;
    let at = this.#escaped;
    while (at < chunk.length) {
      at = this.#scan(chunk, at);
      if (this.#place !== 'itemEnd') break;
      this.#keep(chunk, at);
      this.#place = 'items';
      this.#items += 1;
      const bytes = this.#take();
      const isDropped = this.#managedFields === 'drop';
      const item = this.#parse(isDropped ? withoutManagedFields(bytes, 'object') : bytes);
      if (isDropped) dropManagedFields(item);
      this.#envelope += '0';
      yield item;
    }
    this.#escaped = Math.max(0, at - chunk.length);
    this.#keep(chunk, chunk.length);
  }

  /**
   * Follows the structure from `from` to the end of an item or of the chunk, and returns where that is. Each byte of every
   * list passes here: what is looked at for each is a local, and texts have a loop of their own.
   */
  #scan(chunk: Uint8Array, from: number): number {
    const { length } = chunk;
    let at = from;
    let depth = this.#depth;
    let inText = this.#inText;
    while (at < length) {
      while (inText && at < length) {
        const byte = chunk[at];
        at += byte === BACKSLASH ? 2 : 1;
        if (byte === QUOTE) inText = false;
      }
      if (at >= length) break;
      const byte = chunk[at];
      if (byte === QUOTE) inText = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (depth === 1 || depth === 2) this.#open(chunk, at, depth);
        depth += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth -= 1;
        if (depth === 2 && this.#place === 'item') {
          this.#place = 'itemEnd';
          at += 1;
          break;
        }
        if (depth === 1) this.#place = 'envelope';
      }
      at += 1;
    }
    this.#depth = depth;
    this.#inText = inText;
    return at;
  }

  /** An array of the list, or what may be an item in it, begins at `at`. */
  #open(chunk: Uint8Array, at: number, depth: 1 | 2): void {
    const item = depth === 2 && this.#place === 'items' && chunk[at] === OPEN_BRACE;
    if (!item && (depth === 2 || chunk[at] !== OPEN_BRACKET)) return;
    this.#keep(chunk, at);
    this.#envelope += this.#text(this.#take());
    if (item) this.#place = 'item';
    else if (/"items"\s*:\s*$/.test(this.#envelope)) this.#place = 'items';
  }

  end(): Omit<ListPage, 'items'> {
    const list = this.#parseText(this.#envelope + this.#text(this.#take()));
    const metadata = isRecord(list) ? recordAt(list, 'metadata') : undefined;
    const resourceVersion = metadata === undefined ? undefined : stringAt(metadata, 'resourceVersion');
    // An empty typed list may come as null.
    const items = isRecord(list) ? (valueAt(list, 'items') ?? []) : undefined;
    const whole = Array.isArray(items) && items.length === this.#items && items.every((item) => item === 0);
    if (!whole || !isRecord(list) || !Object.hasOwn(list, 'items')) throw this.#broken('is not a list');
    if (metadata === undefined || resourceVersion === undefined) throw this.#broken('is not a list');
    const token = stringAt(metadata, 'continue');
    return { resourceVersion, ...(token === undefined || token === '' ? {} : { continue: token }) };
  }

  /** Keeps what comes before `end` and was not kept before. */
  #keep(chunk: Uint8Array, end: number): void {
    const bytes = chunk.subarray(this.#start, end);
    this.#start = end;
    if (bytes.length === 0) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes > MAX_LINE_BYTES) throw this.#broken(`has a part of over ${MAX_LINE_BYTES} bytes`);
  }

  #take(): Buffer {
    const bytes = joined(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return bytes;
  }

  #parse(bytes: Buffer): unknown {
    return this.#parseText(this.#text(bytes));
  }

  #text(bytes: Buffer): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw this.#broken('is not valid UTF-8');
    }
  }

  #parseText(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      // The cause would quote the body.
      throw this.#broken('is not JSON or was cut off');
    }
  }

  #broken(flaw: string): KubeConnectionError {
    return new KubeConnectionError(`${this.#what}: the answer ${flaw}`);
  }
}
