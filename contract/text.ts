// Bytes to text, and offsets in the text to lines and columns.

export type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'undecodable'; readonly reason: string };

export type LinePosition = {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
};

// What YAML calls non-printable, with DEL and the C1 block except NEL. The byte order mark may only stand first.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFEFF\uFFFE\uFFFF]/;

/** UTF-8, or UTF-16 with a byte order mark; a leading mark is dropped. */
export function decodeText(bytes: Uint8Array): DecodedText {
  try {
    return { kind: 'text', text: new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'undecodable', reason: 'the bytes are not valid UTF-8' };
  }
}

/** Offset of the first character no YAML document may hold, or -1. */
export function controlCharacterAt(text: string): number {
  return text.search(CONTROL);
}

/** Turns offsets into positions; line starts are found once, at the first question. */
export class LineIndex {
  readonly #text: string;
  #starts: number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): LinePosition {
    const starts = (this.#starts ??= lineStarts(this.#text));
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
