// The JSON merge patch that turns one value into another: only what differs, and null for what goes.
import { isObject, type Json } from '../../../api/read.ts';

/**
 * Merge patch from `before` to `after`; undefined when they are equal. Lists are replaced whole, as merge patches do.
 * Keys with the value undefined count as absent.
 */
export function mergePatchOf(before: Json, after: Json): Json | undefined {
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const difference = differenceOf(own(before, key), own(after, key));
    if (difference.kind === 'changed') patch[key] = difference.value;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

type Difference = { readonly kind: 'equal' } | { readonly kind: 'changed'; readonly value: unknown };

function differenceOf(before: unknown, after: unknown): Difference {
  if (after === undefined) return before === undefined ? { kind: 'equal' } : { kind: 'changed', value: null };
  if (!isObject(after) || !isObject(before)) {
    return deepEqual(before, after) ? { kind: 'equal' } : { kind: 'changed', value: after };
  }
  const nested = mergePatchOf(before, after);
  return nested === undefined ? { kind: 'equal' } : { kind: 'changed', value: nested };
}

function own(object: Json, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Equality of JSON values, whatever the order of keys. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
  }
  return isObject(a) && isObject(b) && mergePatchOf(a, b) === undefined;
}
