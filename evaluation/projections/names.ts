// Namespace and name of a raw object.
import * as read from '../../api/read.ts';

export function namesOf(object: unknown): { readonly namespace: string; readonly name: string } {
  const metadata = read.object(object, 'metadata');
  return { namespace: read.string(metadata, 'namespace') ?? '', name: read.string(metadata, 'name') ?? '' };
}

/** A port given by number or by name. */
export function portReference(value: unknown, key: string): number | string | undefined {
  return read.integer(value, key) ?? read.string(value, key);
}
