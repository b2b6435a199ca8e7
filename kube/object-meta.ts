// The few metadata fields every object has, read from raw JSON, and the key objects are known by.
import { isRecord, recordAt, stringAt } from './json.ts';

export type ObjectMeta = {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  /** Opaque: compare for equality only. */
  readonly resourceVersion: string;
  readonly uid: string;
};

/**
 * `namespace/name`, or `name` alone for a cluster-scoped object. In one piece: a template is held as its parts, which takes twice
 * the memory, and keys are held for long.
 */
export function objectKey(namespace: string, name: string): string {
  return namespace === '' ? name : [namespace, name].join('/');
}

/** Takes a key apart again. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash === -1
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Metadata of a raw object, or undefined when it is not one (no name or no resourceVersion). */
export function readMeta(object: unknown): ObjectMeta | undefined {
  if (!isRecord(object)) return undefined;
  const metadata = recordAt(object, 'metadata');
  if (metadata === undefined) return undefined;
  const name = stringAt(metadata, 'name');
  const resourceVersion = stringAt(metadata, 'resourceVersion');
  if (name === undefined || name === '' || resourceVersion === undefined || resourceVersion === '')
    return undefined;
  return {
    namespace: stringAt(metadata, 'namespace') ?? '',
    name,
    resourceVersion,
    uid: stringAt(metadata, 'uid') ?? '',
  };
}

/** Takes the bookkeeping of field managers out of a raw object, often its larger part. */
export function dropManagedFields(object: unknown): void {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return;
  const { metadata } = object;
  if (isRecord(metadata) && Object.hasOwn(metadata, 'managedFields'))
    Reflect.deleteProperty(metadata, 'managedFields');
}
