// Reads one 512-byte header of a tar archive: the old format, ustar and GNU, with numbers in octal or base 256.

export const BLOCK = 512;

export type TarEntryType = 'file' | 'folder' | 'pax' | 'long-name' | 'long-link' | 'other';

export type TarHeader = {
  readonly name: string;
  readonly size: number;
  readonly type: TarEntryType;
};

export type ReadHeader =
  | { readonly kind: 'header'; readonly header: TarHeader }
  /** A block of zeros: two of them end an archive. */
  | { readonly kind: 'zeros' }
  | { readonly kind: 'corrupt'; readonly reason: string };

const NUL = 0;
const CHECKSUM_AT = 148;
const TYPES: Readonly<Record<string, TarEntryType>> = {
  '0': 'file',
  '5': 'folder',
  x: 'pax',
  L: 'long-name',
  K: 'long-link',
};

/** Reads a header from exactly one block. */
export function readTarHeader(block: Uint8Array): ReadHeader {
  if (block[0] === NUL && block.every((byte) => byte === NUL)) return { kind: 'zeros' };
  const stored = numberAt(block, CHECKSUM_AT, 8);
  if (stored === undefined || !checksums(block).includes(stored)) {
    return { kind: 'corrupt', reason: 'a header has a wrong checksum' };
  }
  const size = numberAt(block, 124, 12);
  if (size === undefined) return { kind: 'corrupt', reason: 'a header has no readable size' };
  const name = nameOf(block);
  return { kind: 'header', header: { name, size, type: typeOf(block[156] ?? NUL, name) } };
}

function typeOf(flag: number, name: string): TarEntryType {
  // Before there were types, a folder was told by its slash.
  if (flag === NUL) return name.endsWith('/') ? 'folder' : 'file';
  return TYPES[String.fromCharCode(flag)] ?? 'other';
}

function nameOf(block: Uint8Array): string {
  const name = textAt(block, 0, 100);
  // GNU keeps other things where ustar has the prefix; the two differ in the byte after "ustar".
  const isUstar = textAt(block, 257, 6) === 'ustar' && block[262] === NUL;
  const prefix = isUstar ? textAt(block, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textAt(block: Uint8Array, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(NUL);
  return Buffer.from(end === -1 ? field : field.subarray(0, end)).toString('utf8');
}

/** Octal text, or base 256 when the first bit is set. Undefined for anything else, negative numbers included. */
function numberAt(block: Uint8Array, start: number, length: number): number | undefined {
  const field = block.subarray(start, start + length);
  const [first = NUL] = field;
  if ((first & 0x80) !== 0) {
    let value = first & 0x7f;
    for (const byte of field.subarray(1)) value = value * 256 + byte;
    return (first & 0x40) === 0 && Number.isSafeInteger(value) ? value : undefined;
  }
  const text = textAt(block, start, length).trim();
  return /^[0-7]*$/.test(text) ? Number.parseInt(text === '' ? '0' : text, 8) : undefined;
}

/** Sums of all bytes with the checksum itself as spaces; some old programs added them up as signed numbers. */
function checksums(block: Uint8Array): readonly [unsigned: number, signed: number] {
  let unsigned = 0;
  let signed = 0;
  for (let index = 0; index < BLOCK; index++) {
    const value = index >= CHECKSUM_AT && index < CHECKSUM_AT + 8 ? 0x20 : (block[index] ?? NUL);
    unsigned += value;
    signed += value > 127 ? value - 256 : value;
  }
  return [unsigned, signed];
}
