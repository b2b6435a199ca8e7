// Reduces the errors of a JSON Schema evaluation to its leaves, the failures a person can act on (contract.md 4.4).
import type { ErrorObject } from 'ajv';

export type SchemaLeaf = {
  /** Decoded steps of the instance location. */
  readonly path: readonly string[];
  /** JSON pointer of the instance location. */
  readonly pointer: string;
  readonly reason: string;
  /** Unknown properties, for leaves that are about them. */
  readonly unknown: readonly string[];
};

/** Keywords whose failure only says that something below failed. */
const COMBINATORS: ReadonlySet<string> = new Set([
  'oneOf',
  'anyOf',
  'allOf',
  'if',
  '$ref',
  '$dynamicRef',
  'contains',
]);
/** Keywords that end the check of a value: nothing else is reported for it from the same schema. */
const FINAL: readonly string[] = ['type', 'const', 'enum'];
const UNKNOWN_PROPERTY: readonly string[] = ['additionalProperties', 'unevaluatedProperties'];

/**
 * Leaves in evaluation order: combinators dropped where a nested failure says more, missing and unknown properties of
 * one object joined into one leaf each, and one leaf for a value of the wrong type.
 */
export function schemaLeaves(errors: readonly ErrorObject[]): readonly SchemaLeaf[] {
  const groups = new Map<string, ErrorObject[]>();
  const final = finalKeywords(errors);
  for (const [index, error] of errors.entries()) {
    if (isCovered(error, errors[index - 1], final)) continue;
    const key = groupKey(error);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [error]);
    else group.push(error);
  }
  return [...groups.values()].map(leafOf);
}

/** The final keywords that failed at each value, by schema. */
function finalKeywords(errors: readonly ErrorObject[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const error of errors) {
    const rank = FINAL.indexOf(error.keyword);
    if (rank === -1) continue;
    const key = siteOf(error);
    found.set(key, Math.min(rank, found.get(key) ?? rank));
  }
  return found;
}

/** Whether another error says more. The engine reports what is nested in a combinator right before the combinator. */
function isCovered(
  error: ErrorObject,
  previous: ErrorObject | undefined,
  final: ReadonlyMap<string, number>,
): boolean {
  if (COMBINATORS.has(error.keyword)) return previous !== undefined && isNested(previous, error);
  const first = final.get(siteOf(error));
  const own = FINAL.indexOf(error.keyword);
  return first !== undefined && (own === -1 || first < own);
}

function isNested(inner: ErrorObject, outer: ErrorObject): boolean {
  if (outer.keyword === 'oneOf' && Array.isArray(outer.params['passingSchemas'])) return false;
  const branches = outer.keyword === 'if' ? parentOf(outer.schemaPath) : outer.schemaPath;
  return inner.schemaPath.startsWith(`${branches}/`) && inner.instancePath.startsWith(outer.instancePath);
}

/** One value under one schema. */
function siteOf(error: ErrorObject): string {
  return `${error.instancePath} ${parentOf(error.schemaPath)}`;
}

function groupKey(error: ErrorObject): string {
  const joined = error.keyword === 'required' || UNKNOWN_PROPERTY.includes(error.keyword);
  return joined
    ? `${error.instancePath} ${error.schemaPath}`
    : `${error.instancePath} ${error.schemaPath} ${JSON.stringify(error.params)}`;
}

function leafOf(group: readonly ErrorObject[]): SchemaLeaf {
  const [first] = group;
  if (first === undefined) throw new TypeError('a group has at least one error');
  const unknown = UNKNOWN_PROPERTY.includes(first.keyword) ? group.map(unknownProperty) : [];
  const pointer = first.instancePath;
  const path = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { path, pointer, reason: reasonOf(first, group, unknown), unknown };
}

function reasonOf(first: ErrorObject, group: readonly ErrorObject[], unknown: readonly string[]): string {
  const { keyword, params, message } = first;
  if (keyword === 'required') {
    const names = group.map((error) => `'${String(error.params['missingProperty'])}'`);
    return names.length === 1 ? `missing property ${names[0]}` : `missing properties ${names.join(', ')}`;
  }
  if (unknown.length > 0) {
    const names = unknown.map((name) => `'${name}'`).join(', ');
    return unknown.length === 1 ? `unknown property ${names}` : `unknown properties ${names}`;
  }
  if (keyword === 'enum') return `must be one of ${listed(params['allowedValues'])}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params['allowedValue'])}`;
  if (keyword === 'type') return `must be ${String(params['type']).replaceAll(',', ' or ')}`;
  if (keyword === 'not') return excluded(first.schema);
  if (keyword === 'oneOf') return 'matches more than one of the allowed forms';
  if (keyword === 'false schema') return 'is not allowed';
  return message ?? `fails ${keyword}`;
}

/** What a `not` rules out, in words where it is about properties. */
function excluded(schema: unknown): string {
  const names = excludedNames(schema);
  if (names.length === 0) return 'must not match what the schema rules out here';
  return `must not have ${names.map((name) => `'${name}'`).join(' or ')} in this form`;
}

function excludedNames(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { required, anyOf } = schema as { readonly required?: unknown; readonly anyOf?: unknown };
  if (Array.isArray(required)) return required.map(String);
  return Array.isArray(anyOf) ? anyOf.flatMap(excludedNames) : [];
}

function listed(values: unknown): string {
  return Array.isArray(values)
    ? values.map((value) => JSON.stringify(value)).join(', ')
    : JSON.stringify(values);
}

function unknownProperty({ params }: ErrorObject): string {
  return String(params['additionalProperty'] ?? params['unevaluatedProperty']);
}

function parentOf(schemaPath: string): string {
  return schemaPath.slice(0, schemaPath.lastIndexOf('/'));
}
