// Careful reading of JSON from outside: own properties only, wrong types read as absent.

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function valueAt(object: JsonRecord, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function stringAt(object: JsonRecord, key: string): string | undefined {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: JsonRecord, key: string): number | undefined {
  const value = valueAt(object, key);
  return typeof value === 'number' ? value : undefined;
}

export function recordAt(object: JsonRecord, key: string): JsonRecord | undefined {
  const value = valueAt(object, key);
  return isRecord(value) ? value : undefined;
}
