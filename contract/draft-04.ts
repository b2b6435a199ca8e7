// JSON Schema draft-04 in terms of draft-07, which says all of it in other words.
import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** Keywords by what they hold. Those of later drafts are not in here: draft-04 does not know them. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions']);
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const LATER: ReadonlySet<string> = new Set([
  'const',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
  '$id',
]);

/** Why a document is no draft-04 schema where draft-07 would take it, or undefined. */
export function draft4Problem(document: Json): string | undefined {
  if (!isJsonObject(document)) return 'a draft-04 schema is an object';
  for (const [limit, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = document[limit];
    if (value === undefined) continue;
    if (typeof value !== 'boolean') return `${limit} must be boolean`;
    if (document[bound] === undefined) return `${limit} needs ${bound}`;
  }
  const { required } = document;
  if (Array.isArray(required) && required.length === 0) return 'required must have items';
  return subschemas(document)
    .map(draft4Problem)
    .find((problem) => problem !== undefined);
}

/** The same schema for draft-07. */
export function fromDraft4(document: Json): Json {
  if (!isJsonObject(document)) return document;
  const entries = Object.entries(document).flatMap(([key, value]): [string, Json][] => {
    if (key === '$schema' || LATER.has(key)) return [];
    if (key === 'id') return [['$id', value]];
    if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') return [];
    if (key === 'minimum' && document['exclusiveMinimum'] === true) return [['exclusiveMinimum', value]];
    if (key === 'maximum' && document['exclusiveMaximum'] === true) return [['exclusiveMaximum', value]];
    return [[key, convertKeyword(key, value)]];
  });
  return Object.fromEntries(entries);
}

function convertKeyword(key: string, value: Json): Json {
  if (SCHEMA_MAPS.has(key) && isJsonObject(value)) return mapValues(value, fromDraft4);
  if (SCHEMA_LISTS.has(key) && Array.isArray(value)) return value.map(fromDraft4);
  if (key === 'items') return Array.isArray(value) ? value.map(fromDraft4) : fromDraft4(value);
  if (key === 'dependencies' && isJsonObject(value)) {
    return mapValues(value, (dependency) =>
      Array.isArray(dependency) ? dependency : fromDraft4(dependency),
    );
  }
  return key === 'not' || key === 'additionalProperties' || key === 'additionalItems'
    ? fromDraft4(value)
    : value;
}

/** Schemas right below one; `additionalProperties` and `additionalItems` may also be boolean. */
function subschemas(document: JsonObject): readonly Json[] {
  return Object.entries(document).flatMap(([key, value]): readonly Json[] => {
    if (SCHEMA_MAPS.has(key) && isJsonObject(value)) return Object.values(value);
    if (SCHEMA_LISTS.has(key) && Array.isArray(value)) return value;
    if (key === 'items') return Array.isArray(value) ? value : [value];
    if (key === 'dependencies' && isJsonObject(value))
      return Object.values(value).filter((item) => !Array.isArray(item));
    if (key === 'not') return [value];
    return (key === 'additionalProperties' || key === 'additionalItems') && isJsonObject(value)
      ? [value]
      : [];
  });
}

function mapValues(value: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
}
