// Total readers of untyped JSON: a field of the wrong type reads as absent, and only own properties are seen.
import { parseTime } from './time.ts';

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own property of an object; anything else has none. */
export function field(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function object(value: unknown, key: string): Json | undefined {
  const found = field(value, key);
  return isObject(found) ? found : undefined;
}

/** Non-empty text. The empty text is the zero value and reads as absent. */
export function string(value: unknown, key: string): string | undefined {
  const found = field(value, key);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

export function integer(value: unknown, key: string): number | undefined {
  const found = field(value, key);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : undefined;
}

/** True only for `true`. */
export function boolean(value: unknown, key: string): boolean {
  return field(value, key) === true;
}

export function list(value: unknown, key: string): readonly unknown[] {
  const found = field(value, key);
  return Array.isArray(found) ? found : [];
}

/** The non-empty texts of a list. */
export function strings(value: unknown, key: string): readonly string[] {
  return list(value, key).filter((item): item is string => typeof item === 'string' && item !== '');
}

/** Entries of an object whose values are texts. */
export function stringMap(value: unknown, key: string): Readonly<Record<string, string>> {
  const found = object(value, key);
  if (found === undefined) return {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Milliseconds since the epoch of an RFC 3339 text. */
export function time(value: unknown, key: string): number | undefined {
  const text = string(value, key);
  return text === undefined ? undefined : parseTime(text);
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without the keys whose value is undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter((entry) => entry[1] !== undefined)) as Defined<T>;
}
