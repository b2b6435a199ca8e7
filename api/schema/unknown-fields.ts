// Fields of an object that its schema does not know: the API server drops them with a warning, a file's reader must not.
import * as read from '../read.ts';
import { customResource } from './custom-resources.ts';

/** Paths such as `spec.rules.onUnkown`, in document order; empty when every field is known. */
export function unknownFields(kind: string, value: unknown): readonly string[] {
  return unknownBelow(customResource(kind).spec, read.field(value, 'spec'), 'spec');
}

function unknownBelow(schema: unknown, value: unknown, path: string): string[] {
  if (Array.isArray(value)) {
    const items = read.object(schema, 'items');
    return value.flatMap((item, i) => unknownBelow(items, item, `${path}[${i}]`));
  }
  const properties = read.object(schema, 'properties');
  if (!read.isObject(value) || properties === undefined) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const known = read.field(properties, key);
    return known === undefined ? [`${path}.${key}`] : unknownBelow(known, child, `${path}.${key}`);
  });
}
