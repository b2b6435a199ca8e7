// Which tag an unversioned reference stands for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectTag, versionTags } from '../../contract/registry/select-tag.ts';

const best = (tags: string, range?: string): string => {
  const selected = selectTag(tags === '' ? [] : tags.split(' '), range);
  return selected.kind === 'tag' ? selected.tag : selected.kind;
};

test('contract/120 the highest version, within a range if there is one', () => {
  assert.equal(best('1.0.0 2.0.0 3.0.0'), '3.0.0');
  assert.equal(best('1.0.0 2.0.0 3.0.0', '^2.0.0'), '2.0.0');
  assert.equal(best('1.0.0 1.1.0 1.2.0 2.0.0', '^1.0.0'), '1.2.0');
});

test('contract/121 a tag keeps its spelling; what is no version is left out', () => {
  assert.equal(best('v1.0.0 v2.0.0'), 'v2.0.0');
  assert.equal(best('latest main bad 1.0.0 2.0.0'), '2.0.0');
});

test('contract/122 no versions, no tags, no match, no range', () => {
  assert.equal(best('latest main'), 'none');
  assert.equal(best(''), 'none');
  assert.equal(best('1.0.0', '^2.0.0'), 'no-match');
  assert.equal(best('1.0.0', 'not-a-range'), 'no-match');
});

test('contract/123 without a range a prerelease takes part', () => {
  assert.equal(best('1.0.0 1.1.0-rc.1'), '1.1.0-rc.1');
  assert.equal(best('1.0.0 1.1.0-rc.1', '^1.0.0'), '1.0.0');
});

test('of versions equal in precedence the plain form wins, then the smallest text', () => {
  assert.equal(best('v1.0.0 1.0 1.0.0 1'), '1.0.0');
  assert.equal(best('v1.0.0 1.0 1'), '1');
  assert.equal(best('1.0.0+b 1.0.0+a'), '1.0.0+a');
});

test('versions are listed from the highest down', () => {
  assert.deepEqual(versionTags(['1.0.0', 'latest', 'v2', '1.10.0', '1.9.0', '2.0.0-rc.1']), [
    'v2',
    '2.0.0-rc.1',
    '1.10.0',
    '1.9.0',
    '1.0.0',
  ]);
});
