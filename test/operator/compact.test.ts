// What is held small is equal to what it was made from, and holds once what many objects have in common.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compact } from '../../operator/cache/compact.ts';

test('operator/compact what is kept equals what it was made from', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read: unknown = JSON.parse(JSON.stringify(value));
      assert.deepEqual(compact(value), read);
    }),
  );
});

test('operator/compact small parts are held once, by whichever object they come', () => {
  const ports = (): unknown => [{ name: 'http', port: 80 }, []];
  const [first, second] = [compact({ a: ports(), b: {} }), compact([{ ports: ports() }, {}])] as const;
  assert.equal(first.a, (second[0] as { ports: unknown }).ports);
  assert.equal(first.b, second[1]);
});

test('operator/compact a value with more texts than are remembered comes out whole', () => {
  const texts = Array.from({ length: 10_000 }, (_, i) => `text number ${i % 5_000}`);
  assert.deepEqual(compact(texts), texts);
});
