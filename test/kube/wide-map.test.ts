// A map of many parts against a plain one, and how large its parts become.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { WideMap } from '../../kube/wide-map.ts';

const keys = Array.from({ length: 1_500 }, (_, i) => `team-${i % 7}/app-${i}`);

function same(wide: WideMap<number>, plain: ReadonlyMap<string, number>): void {
  assert.equal(wide.size, plain.size);
  assert.deepEqual(new Map(wide.entries()), plain);
  assert.deepEqual([...wide.keys()].sort(), [...plain.keys()].sort());
  assert.deepEqual(
    [...wide.values()].sort((a, b) => a - b),
    [...plain.values()].sort((a, b) => a - b),
  );
}

test('kube/a wide map is what a map is, before and after it has many parts', () => {
  const step = fc.record({
    kind: fc.constantFrom('set', 'delete', 'fill'),
    key: fc.constantFrom(...keys.slice(0, 20), '', 'ü', '__proto__'),
    value: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const [wide, plain] = [new WideMap<number>(), new Map<string, number>()];
      for (const { kind, key, value } of steps) {
        if (kind === 'delete') assert.equal(wide.delete(key), plain.delete(key));
        for (const each of kind === 'fill' ? keys : kind === 'set' ? [key] : []) {
          wide.set(each, value);
          plain.set(each, value);
        }
        assert.equal(wide.get(key), plain.get(key));
        assert.equal(wide.has(key), plain.has(key));
        assert.equal(wide.size, plain.size);
      }
      same(wide, plain);
    }),
    { numRuns: 50 },
  );
});

test('kube/names that differ in a number are spread over the parts of a wide map evenly', () => {
  const wide = new WideMap<number>();
  for (let i = 0; i < 64_000; i += 1) wide.set(`team-${i % 50}/workload-${i % 997}-${i}`, i);
  assert.ok(wide.largestPart < 1_200, `the largest of 64 parts holds ${wide.largestPart} of 64,000`);
});
