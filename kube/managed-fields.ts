// Takes the bookkeeping of field managers out of JSON that was not parsed yet: it is often the larger part of an object, and
// parsing it takes most of the time and leaves most of the garbage of a list.

const NAME = Buffer.from('"managedFields":[');
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The keys that lead to the metadata of an object that stands alone, and of one in an event of a watch. */
const PATHS = { object: ['"metadata":'], event: ['"object":', '"metadata":'] } as const;

/**
 * The JSON without `metadata.managedFields`, where that stands as API servers write it: as a list, without spaces. Everything else
 * comes back as it is, a field of this name in another place included. What is behind moves up in the memory of `json`, which is not
 * to be read any more. What is left out is not looked at further: it need not be JSON nor UTF-8.
 */
export function withoutManagedFields(json: Buffer, of: keyof typeof PATHS): Buffer {
  const at = json.indexOf(NAME);
  if (at === -1 || !isReached(json, at, PATHS[of])) return json;
  const end = endOfList(json, at + NAME.length);
  if (end === undefined || !isBeside(json[at - 1], OPEN_BRACE) || !isBeside(json[end], CLOSE_BRACE))
    return json;
  // The last of several has its comma in front of it.
  const from = json[at - 1] === COMMA ? at - 1 : at;
  const to = from === at && json[end] === COMMA ? end + 1 : end;
  json.copyWithin(from, to);
  return json.subarray(0, json.length - (to - from));
}

/** Whether there is a comma or the edge of the object, and no space. */
function isBeside(byte: number | undefined, edge: number): boolean {
  return byte === COMMA || byte === edge;
}

/** Whether the key at `at` is one of the object that the path leads to. */
function isReached(json: Buffer, at: number, path: readonly string[]): boolean {
  /** Where each of what is open at a place began. */
  const open: number[] = [];
  let place = 0;
  while (place < at) {
    const byte = json[place];
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) open.push(place);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) open.pop();
    place = byte === QUOTE ? endOfText(json, place + 1) : place + 1;
  }
  // Else it is within a text.
  if (place !== at || open.length !== path.length + 1) return false;
  return path.every((key, depth) => {
    const start = open[depth + 1] ?? 0;
    const from = start - key.length;
    return (
      json[start] === OPEN_BRACE &&
      json[from - 1] !== BACKSLASH &&
      json.toString('latin1', from, start) === key
    );
  });
}

/** Behind the bracket that closes the list whose first element begins at `from`. */
function endOfList(json: Buffer, from: number): number | undefined {
  let depth = 1;
  let place = from;
  while (place < json.length) {
    const byte = json[place];
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return byte === CLOSE_BRACKET ? place + 1 : undefined;
    }
    place = byte === QUOTE ? endOfText(json, place + 1) : place + 1;
  }
  return undefined;
}

/** Behind the quote that closes the text whose first character is at `from`, or behind all. */
function endOfText(json: Buffer, from: number): number {
  let place = from;
  // A loop of its own for the inside of texts, of which most bytes are: one loop for all takes three times as long.
  for (;;) {
    const byte = json[place];
    place += 1;
    if (byte === QUOTE || byte === undefined) return place;
    if (byte === BACKSLASH) place += 1;
  }
}
