// Reads a tar archive as its bytes arrive and keeps nothing of it but the entry in hand.
import { BLOCK, readTarHeader, type TarHeader } from './tar-header.ts';

/** An entry with its final name; `bytes` only for files. */
export type TarEntry = {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'other';
  readonly bytes: Uint8Array;
};

export type TarSink = {
  /** Asked before the content of a file arrives; a reason refuses it and ends the reading. */
  accept(entry: Pick<TarEntry, 'name' | 'type'> & { readonly size: number }): string | undefined;
  /** Called when an entry is complete. */
  entry(entry: TarEntry): void;
};

/** Names beyond any file system; pax headers hold little else. */
const MAX_NAME_BYTES = 4_096;
const MAX_EXTRA_BYTES = 1024 * 1024;
const NOTHING = new Uint8Array();

type Body = {
  readonly header: TarHeader;
  readonly bytes: Uint8Array;
  at: number;
};

/** Feed it with `push`, then `end`. The first problem is the answer to every later call. */
export class TarReader {
  readonly #sink: TarSink;
  readonly #block = new Uint8Array(BLOCK);
  #filled = 0;
  #body: Body | undefined;
  /** Bytes up to the next block, or of content nobody wants. */
  #skip = 0;
  #zeros = 0;
  #problem: string | undefined;
  /** What pax and GNU headers said about the entry that follows them. */
  #next: { readonly name?: string; readonly size?: number; readonly sparse?: boolean } = {};

  constructor(sink: TarSink) {
    this.#sink = sink;
  }

  /** Whether the archive's own end was read; what follows has no meaning. */
  get isComplete(): boolean {
    return this.#zeros >= 2;
  }

  /** Takes the next bytes. Returns what is wrong with the archive, if anything. */
  push(chunk: Uint8Array): string | undefined {
    let at = 0;
    while (at < chunk.length && this.#problem === undefined && !this.isComplete) {
      at += this.#take(chunk.subarray(at));
    }
    return this.#problem;
  }

  /** Says that there are no more bytes. */
  end(): string | undefined {
    if (this.#problem !== undefined || this.isComplete) return this.#problem;
    if (this.#filled > 0 || this.#body !== undefined) return 'the archive is cut off';
    return this.#problem;
  }

  #take(bytes: Uint8Array): number {
    if (this.#body !== undefined) return this.#takeBody(this.#body, bytes);
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, bytes.length);
      this.#skip -= skipped;
      return skipped;
    }
    const part = bytes.subarray(0, BLOCK - this.#filled);
    this.#block.set(part, this.#filled);
    this.#filled += part.length;
    if (this.#filled === BLOCK) {
      this.#filled = 0;
      this.#takeHeader();
    }
    return part.length;
  }

  #takeHeader(): void {
    const read = readTarHeader(this.#block);
    if (read.kind === 'zeros') {
      this.#zeros += 1;
      return;
    }
    if (read.kind === 'corrupt' || this.#zeros > 0) {
      this.#problem = read.kind === 'corrupt' ? read.reason : 'a header follows the end of the archive';
      return;
    }
    const { header } = read;
    switch (header.type) {
      case 'pax':
      case 'long-name':
      case 'long-link':
        if (header.size > MAX_EXTRA_BYTES) this.#problem = 'an extended header is too large';
        else this.#begin(header);
        return;
      default:
        this.#takeEntry(header);
    }
  }

  #takeEntry(header: TarHeader): void {
    const { name = header.name, size = header.size, sparse = false } = this.#next;
    this.#next = {};
    const type = sparse || header.type === 'other' ? 'other' : header.type === 'folder' ? 'folder' : 'file';
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
      this.#problem = `a name is longer than ${MAX_NAME_BYTES} bytes`;
      return;
    }
    this.#problem = this.#sink.accept({ name, type, size });
    if (this.#problem !== undefined) return;
    if (type === 'file') this.#begin({ name, size, type });
    else {
      this.#skip = padded(size);
      this.#sink.entry({ name, type, bytes: NOTHING });
    }
  }

  #begin(header: TarHeader): void {
    this.#body = { header, bytes: new Uint8Array(header.size), at: 0 };
    if (header.size === 0) this.#finish(this.#body);
  }

  #takeBody(body: Body, bytes: Uint8Array): number {
    const part = bytes.subarray(0, body.bytes.length - body.at);
    body.bytes.set(part, body.at);
    body.at += part.length;
    if (body.at === body.bytes.length) this.#finish(body);
    return part.length;
  }

  #finish({ header, bytes }: Body): void {
    this.#body = undefined;
    this.#skip = padded(header.size) - header.size;
    if (header.type === 'file') this.#sink.entry({ name: header.name, type: 'file', bytes });
    else if (header.type === 'long-name') this.#next = { ...this.#next, name: withoutNul(bytes) };
    else if (header.type === 'pax') this.#takePax(bytes);
  }

  /** Records `<length> <key>=<value>\n`. */
  #takePax(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const space = bytes.indexOf(0x20, at);
      const length = space === -1 ? Number.NaN : Number(textOf(bytes.subarray(at, space)));
      const record = bytes.subarray(space + 1, at + length - 1);
      const equals = record.indexOf(0x3d);
      if (!(length > 0) || at + length > bytes.length || bytes[at + length - 1] !== 0x0a || equals < 1) {
        this.#problem = 'an extended header is malformed';
        return;
      }
      this.#setPax(textOf(record.subarray(0, equals)), textOf(record.subarray(equals + 1)));
      at += length;
    }
  }

  #setPax(key: string, value: string): void {
    if (key === 'path') this.#next = { ...this.#next, name: value };
    else if (key === 'size' && /^[0-9]{1,15}$/.test(value))
      this.#next = { ...this.#next, size: Number(value) };
    else if (key === 'size') this.#problem = 'an extended header is malformed';
    else if (key.startsWith('GNU.sparse.')) this.#next = { ...this.#next, sparse: true };
  }
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

function withoutNul(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return textOf(end === -1 ? bytes : bytes.subarray(0, end));
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
