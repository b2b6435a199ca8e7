// The merge patch of a status: applied to the stored one it gives the new one, and it is as small as it can be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isObject, type Json } from '../../api/read.ts';
import { deepEqual, mergePatchOf } from '../../operator/controllers/pacto/status-patch.ts';

/** RFC 7386, as an API server applies it. */
function applied(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applied(result[key], value);
  }
  return result;
}

/** JSON without nulls: a stored status never holds one. */
const json: fc.Arbitrary<Json> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'constructor'), tie('value'), { maxKeys: 4 }),
}))['object'];

test('operator/status-patch applied to the stored status it gives the new one', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const patch = mergePatchOf(before, after);
      const result = patch === undefined ? before : applied(before, JSON.parse(JSON.stringify(patch)));
      assert.ok(deepEqual(result, after), JSON.stringify({ before, after, patch, result }));
    }),
    { numRuns: 2000 },
  );
});

test('operator/status-patch equal statuses need no patch, whatever the order of keys', () => {
  assert.equal(
    mergePatchOf({ a: 1, b: { c: [1, { d: 2, e: 3 }] } }, { b: { c: [1, { e: 3, d: 2 }] }, a: 1 }),
    undefined,
  );
});

test('operator/status-patch only what differs is in it, with null for what goes', () => {
  assert.deepEqual(mergePatchOf({ a: 1, b: { c: 1, d: 2 }, e: [1] }, { a: 1, b: { c: 2 }, e: [2] }), {
    b: { c: 2, d: null },
    e: [2],
  });
});
