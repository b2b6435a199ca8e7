// Policies a bundle brings along: resolution and enforcement.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StaticCode } from '../../api/finding-codes.ts';
import type { BundleFiles } from '../../contract/bundle-files.ts';
import { readGeneric } from '../../contract/generic-reading.ts';
import type { ContractPolicyEntry } from '../../contract/model.ts';
import { enforcePolicies } from '../../contract/l3/enforce.ts';
import { policyOrigin } from '../../contract/l3/contract-policy.ts';
import { resolveLocalPolicies } from '../../contract/l3/resolve-local.ts';
import { readYaml } from '../../contract/read-yaml.ts';
import { SchemaStore } from '../../contract/schema-store.ts';
import { allNamed, BASE, files, pipe } from './support.ts';

const policy = (name: string, file: string): string => `{ name: ${name}, schema: ${file} }`;
const withPolicies = (...entries: readonly string[]): string => `${BASE}policies: [${entries.join(', ')}]`;
const NEEDS_OWNER = '{"properties": {"service": {"required": ["owner"]}}}';
const NEEDS_NAME = '{"properties": {"service": {"required": ["name"]}}}';

function resolve(
  entries: readonly ContractPolicyEntry[],
  bundle: BundleFiles | undefined,
): { readonly origins: readonly string[]; readonly codes: readonly string[] } {
  const codes: string[] = [];
  const report = (code: StaticCode): void => void codes.push(code);
  const policies = resolveLocalPolicies(entries, bundle, new SchemaStore(bundle), report);
  return { origins: policies.map(({ origin }) => origin), codes };
}

function violations(text: string, contents: Readonly<Record<string, string>>): readonly string[] {
  return pipe(text, contents).errors.map(({ message }) => message);
}

test('contract/94 no policies', () => {
  assert.deepEqual(allNamed(pipe(BASE, {})), []);
});

test('contract/95 a policy that holds, and one that does not with its origin', () => {
  assert.deepEqual(allNamed(pipe(withPolicies(policy('a', 'p.json')), { 'p.json': NEEDS_NAME })), []);
  assert.deepEqual(violations(withPolicies(policy('owners', 'p.json')), { 'p.json': NEEDS_OWNER }), [
    `policy policies["owners"]: at '/service': missing property 'owner'`,
  ]);
});

test('contract/96 two policies that hold; a second that cannot', () => {
  const files = {
    'a.json': NEEDS_NAME,
    'b.json': '{"type": "object"}',
    'c.json': '{"properties": {"service": {"properties": {"name": {"type": "integer"}}}}}',
  };
  assert.deepEqual(allNamed(pipe(withPolicies(policy('a', 'a.json'), policy('b', 'b.json')), files)), []);
  assert.deepEqual(violations(withPolicies(policy('a', 'a.json'), policy('c', 'c.json')), files), [
    `policy policies["c"]: at '/service/name': must be integer`,
  ]);
});

test('contract/97 bytes that cannot be read for enforcement', () => {
  const codes: string[] = [];
  const [problem] = readYaml(': [[[').problems;
  assert.ok(problem !== undefined);
  enforcePolicies(
    { kind: 'unreadable', problem },
    [{ origin: 'p', check: () => [] }],
    (code) => void codes.push(code),
  );
  assert.deepEqual(codes, ['POLICY_ENFORCEMENT_ERROR']);
});

test('contract/98 two unmet requirements of one policy come sorted', () => {
  const both = '{"allOf": [{"required": ["zeta"]}, {"required": ["alpha"]}]}';
  const found = violations(withPolicies(policy('p', 'p.json')), { 'p.json': both });
  assert.equal(found.length, 2);
  assert.deepEqual(
    found,
    found.toSorted((a, b) => (a < b ? -1 : 1)),
  );
});

test('contract/99 two missing properties of one object are one violation', () => {
  const found = violations(withPolicies(policy('p', 'p.json')), { 'p.json': '{"required": ["zzz", "aaa"]}' });
  assert.equal(found.length, 1);
  assert.match(found[0] ?? '', /'zzz', 'aaa'/);
});

test('contract/100 a schema policy of the bundle', () => {
  assert.deepEqual(resolve([{ name: 'sec', schema: 'p.json' }], files({ 'p.json': '{}' })), {
    origins: ['policies["sec"]'],
    codes: [],
  });
});

test('contract/101 an unnamed policy is named by its index', () => {
  assert.equal(policyOrigin({ name: '' }, 3), 'policies[3]');
});

test('contract/102 a reference is not enforced and says so', () => {
  const found = resolve([{ name: 'far', ref: 'oci://r.example.com/a/rules:1.0.0' }], files({}));
  assert.deepEqual(found, { origins: [], codes: ['POLICY_REF_NOT_ENFORCED'] });
});

test('contract/103 without a bundle nothing is said', () => {
  const entries = [
    { name: 'a', schema: 'p.json' },
    { name: 'b', ref: '../b' },
  ];
  for (const list of [[], entries]) assert.deepEqual(resolve(list, undefined), { origins: [], codes: [] });
});

test('contract/104 what cannot be enforced fails closed', () => {
  const closed: BundleFiles = { read: () => ({ kind: 'unreadable', reason: 'permission denied' }) };
  assert.deepEqual(resolve([{ name: 'a' }], files({})).codes, ['POLICY_REF_UNRESOLVED']);
  assert.deepEqual(resolve([{ name: 'a', schema: 'p.json' }], closed).codes, ['POLICY_REF_UNRESOLVED']);
  assert.deepEqual(resolve([{ name: 'a', schema: 'p.json' }], files({ 'p.json': 'not json' })).codes, [
    'POLICY_REF_UNRESOLVED',
  ]);
});

test('contract/105 an inline contract with a policy', () => {
  assert.deepEqual(allNamed(pipe(withPolicies(policy('a', 'p.json')))), []);
});

test('contract/116 a reference to nothing does not compile', () => {
  const { errors } = pipe(withPolicies(policy('a', 'p.json')), { 'p.json': '{"$ref": "#/missing"}' });
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['INVALID_POLICY_SCHEMA'],
  );
});

test('nothing outside the bundle is ever read by a schema', () => {
  for (const ref of ['file:///etc/passwd', 'https://example.com/schema.json', 'other.json']) {
    const { errors } = pipe(withPolicies(policy('a', 'p.json')), {
      'p.json': JSON.stringify({ $ref: ref }),
      'other.json': '{}',
    });
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['INVALID_POLICY_SCHEMA'],
      ref,
    );
  }
});

test('a pattern that would hang a backtracking engine is run in linear time; look-around does not compile', () => {
  const pattern = (text: string): string =>
    JSON.stringify({ properties: { metadata: { properties: { x: { pattern: text } } } } });
  const hostile = `${withPolicies(policy('a', 'p.json'))}\nmetadata: { x: ${'a'.repeat(40)}! }`;
  assert.equal(violations(hostile, { 'p.json': pattern('^(a+)+$') }).length, 1);
  const { errors } = pipe(hostile, { 'p.json': pattern('(?=a)a') });
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['INVALID_POLICY_SCHEMA'],
  );
});

test('inherited members of objects satisfy no policy', () => {
  const found = violations(withPolicies(policy('p', 'p.json')), {
    'p.json': '{"required": ["constructor"]}',
  });
  assert.equal(found.length, 1);
  assert.deepEqual(readGeneric(undefined), { kind: 'value', value: null });
});

test('two patterns of one schema are two patterns', () => {
  const schema = {
    properties: { metadata: { properties: { x: { pattern: '^a$' }, y: { pattern: '^b$' } } } },
  };
  const check = (metadata: string): readonly string[] =>
    violations(`${withPolicies(policy('p', 'p.json'))}\nmetadata: ${metadata}`, {
      'p.json': JSON.stringify(schema),
    });
  assert.deepEqual(check('{ x: a, y: b }'), []);
  assert.equal(check('{ x: b, y: a }').length, 2);
});

test('a violation is shown where the document breaks the policy', () => {
  const { errors } = pipe(`${withPolicies(policy('p', 'p.json'))}\nmetadata: { list: [1, x] }`, {
    'p.json': '{"properties": {"metadata": {"properties": {"list": {"items": {"type": "integer"}}}}}}',
  });
  assert.deepEqual(
    errors.map(({ path, line, column }) => [path, line, column]),
    [['', 4, 23]],
  );
});
