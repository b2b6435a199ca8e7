// The grammar of references between contracts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseOciLocation, parseReference, resolutionPolicy } from '../../contract/oci-reference.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

test('contract/117 the parts of a location', () => {
  const parts = (text: string): unknown => {
    const parsed = parseOciLocation(text);
    return parsed.kind === 'location' ? parsed.location : parsed.reason;
  };
  const base = { registry: 'h', repository: 'r/a' };
  assert.deepEqual(parts('h/r/a:1.0.0'), { ...base, tag: '1.0.0' });
  assert.deepEqual(parts(`h/r/a@${DIGEST}`), { ...base, digest: DIGEST });
  assert.deepEqual(parts(`h/r/a:1.0.0@${DIGEST}`), { ...base, tag: '1.0.0', digest: DIGEST });
  assert.deepEqual(parts('h/r/a'), base);
  assert.deepEqual(parts('h/r/a:'), base);
  assert.deepEqual(parts('h/r/a@'), base);
  assert.deepEqual(parts('registry:5000/r/a'), { registry: 'registry:5000', repository: 'r/a' });
});

test('contract/118 what is no location', () => {
  for (const text of [
    'registry.example.com/a@sha256:abc123',
    `registry.example.com/a@${DIGEST.toUpperCase()}`,
    'registry.example.com/a:bad tag',
    '',
    'registry.example.com',
    '/repo:1.0.0',
    'registry.example.com/:1.0.0',
  ]) {
    assert.equal(parseOciLocation(text).kind, 'invalid', text);
  }
});

test('contract/119 whether a tag or digest is written', () => {
  assert.deepEqual(
    ['h/a:v1', 'h/a', 'h/a@sha256:x', 'localhost:5000/r', 'localhost:5000/r:v1'].map(resolutionPolicy),
    ['PinnedTag', 'Latest', 'PinnedDigest', 'Latest', 'PinnedTag'],
  );
});

test('only oci:// exactly as written is an OCI reference', () => {
  assert.deepEqual(parseReference('oci://h/a:1'), { kind: 'oci', location: 'h/a:1' });
  assert.deepEqual(parseReference('file://../a'), { kind: 'local', location: '../a' });
  for (const text of ['OCI://h/a', 'https://h/a', 'h/a:1', '../a'])
    assert.equal(parseReference(text).kind, 'local', text);
});

test('the resolution policy follows the text alone', () => {
  assert.equal(resolutionPolicy('h/a@'), 'PinnedDigest');
  assert.equal(resolutionPolicy('h:5000/a:1'), 'PinnedTag');
  assert.equal(resolutionPolicy('h:5000/a'), 'Latest');
});
