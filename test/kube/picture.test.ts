// Indexes of a picture against looking through all its entries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { heldVersion, Picture } from '../../kube/picture.ts';

type Value = { readonly key: string; readonly groups: readonly string[] };

const pictureOfGroups = (): Picture<Value> => new Picture<Value>({ group: ({ groups }) => groups });

function check(picture: Picture<Value>, groups: readonly string[]): void {
  const all = [...picture.entries.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const group of groups) {
    const expected = all.filter(([, { value }]) => value.groups.includes(group)).map(([key]) => key);
    assert.deepEqual(
      picture.byIndex('group', group).map(({ key }) => key),
      expected,
    );
  }
}

test('kube/picture an index finds what a look at every entry finds, whatever came and went', () => {
  const groups = ['x', 'y', 'z'];
  const change = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    groups: fc.option(fc.array(fc.constantFrom(...groups), { maxLength: 4 })),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const picture = pictureOfGroups();
      for (const { key, groups: next } of changes) {
        if (next === null) picture.delete(key);
        else picture.set(key, { value: { key, groups: next }, resourceVersion: '1' });
        check(picture, groups);
      }
    }),
  );
});

test('kube/picture an index key of very many objects loses each of them again', () => {
  const picture = pictureOfGroups();
  const keys = Array.from({ length: 1_500 }, (_, i) => `k${i}`);
  for (const key of keys) picture.set(key, { value: { key, groups: ['all', 'all'] }, resourceVersion: '1' });
  check(picture, ['all']);
  for (const key of keys.filter((_, i) => i % 3 === 0)) picture.delete(key);
  check(picture, ['all']);
  for (const key of keys) picture.delete(key);
  check(picture, ['all']);
});

test('kube/picture versions are equal as they are kept when they are equal as texts, and else are not', () => {
  const version = fc.oneof(
    fc.constantFrom(
      '0',
      '00',
      '-0',
      '1',
      '01',
      '1.0',
      '1e3',
      '1000',
      '0x10',
      '16',
      ' 1',
      '9007199254740993',
      '9007199254740992',
    ),
    fc.constantFrom('NaN', 'Infinity', '', 'abc', '18446744073709551615'),
    fc.nat().map(String),
    fc.string(),
  );
  fc.assert(
    fc.property(version, version, (one, other) => {
      assert.equal(heldVersion(one) === heldVersion(other), one === other);
    }),
  );
  assert.equal(heldVersion('1234567'), 1_234_567);
});
