// Makes what is kept small: lists of exactly their length, objects with exactly their fields, texts of their own, and one copy of
// what many objects have in common.

/** Characters of JSON that are worth sharing, at most: longer parts are hardly ever the same. */
const SHARED_LENGTH = 128;
/** Parts remembered, at most. */
const REMEMBERED = 4_096;
/** Shared parts by their JSON. */
const parts = new Map<string, unknown>();

/**
 * An equal value that takes as little memory as the engine can do with, and is not to be changed; for values of JSON. Lists that
 * grew as they were made keep room for more, and a part of a text keeps the whole: the reader of JSON makes neither.
 */
export function compact<T>(value: T): T {
  return withShared(JSON.parse(JSON.stringify(value))).value as T;
}

/** The value with its small parts shared, and its JSON when it is small itself. */
function withShared(value: unknown): { readonly value: unknown; readonly json?: string } {
  if (typeof value === 'string') return value.length > SHARED_LENGTH ? { value } : shared(value);
  if (!isContainer(value)) return { value, json: String(value) };
  let length = 0;
  for (const key of Object.keys(value)) {
    const part = withShared(value[key]);
    value[key] = part.value;
    length += part.json?.length ?? Number.POSITIVE_INFINITY;
  }
  return length > SHARED_LENGTH ? { value } : shared(value);
}

/** The copy met first. What is met once is soon forgotten, and what is met often comes back. */
function shared(value: unknown): { readonly value: unknown; readonly json?: string } {
  const json = JSON.stringify(value);
  if (json.length > SHARED_LENGTH) return { value };
  const known = parts.get(json);
  if (known !== undefined) return { value: known, json };
  if (parts.size >= REMEMBERED) parts.clear();
  parts.set(json, value);
  return { value, json };
}

/** An object or a list; the names of what is in a list are its places. */
function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
