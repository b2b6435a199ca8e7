// What readers are shown of a JSON Schema or of literal values: title, and properties flattened to dotted keys.
import { byText } from '../api/by-text.ts';
import type { PropertyInfo } from '../api/pacto.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';

export type DescribedSchema = {
  readonly title?: string;
  readonly description?: string;
  readonly properties: readonly PropertyInfo[];
};

/** Descriptions by bundle path; undefined for a file that is missing or not to be understood. */
export type SchemaDescriptions = { get(path: string): DescribedSchema | undefined };

export const NO_DESCRIPTIONS: SchemaDescriptions = { get: () => undefined };

/** Levels of nested properties that are shown. */
const MAX_DEPTH = 8;
/** Most properties that are shown of one schema. */
const MAX_PROPERTIES = 500;

/** Title, description and properties of a schema; the value of a property is its default. */
export function describeSchema(schema: Json): DescribedSchema {
  if (!isJsonObject(schema)) return { properties: [] };
  const { title, description } = schema;
  const properties: PropertyInfo[] = [];
  collect(schema, '', 0, properties);
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    properties: byKey(properties),
  };
}

/** Literal values as properties. A secret reference is a name, not a secret; it is shown as written. */
export function describeValues(values: JsonObject): readonly PropertyInfo[] {
  const properties: PropertyInfo[] = [];
  flatten(values, '', 0, properties);
  return byKey(properties);
}

function collect(schema: JsonObject, prefix: string, depth: number, into: PropertyInfo[]): void {
  const declared = schema['properties'];
  if (!isJsonObject(declared) || depth >= MAX_DEPTH) return;
  for (const [name, property] of Object.entries(declared)) {
    if (into.length >= MAX_PROPERTIES) return;
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (!isJsonObject(property)) continue;
    if (isJsonObject(property['properties'])) collect(property, key, depth + 1, into);
    else into.push(propertyInfo(key, property));
  }
}

function propertyInfo(key: string, property: JsonObject): PropertyInfo {
  const { default: value, type } = property;
  return {
    key,
    ...(value !== undefined && { value: textOf(value) }),
    ...(typeof type === 'string' && { type }),
  };
}

function flatten(values: JsonObject, prefix: string, depth: number, into: PropertyInfo[]): void {
  for (const [name, value] of Object.entries(values)) {
    if (into.length >= MAX_PROPERTIES) return;
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (isJsonObject(value) && depth < MAX_DEPTH) flatten(value, key, depth + 1, into);
    else into.push({ key, value: textOf(value), type: typeOf(value) });
  }
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'object') return Array.isArray(value) ? 'array' : 'object';
  return typeof value;
}

/** Text as it is, everything else as JSON: 1 becomes `1`. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function byKey(properties: readonly PropertyInfo[]): readonly PropertyInfo[] {
  return properties.toSorted((a, b) => byText(a.key, b.key));
}
