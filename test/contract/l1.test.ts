// The structural check, called on raw text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkStructure, PACTO_SCHEMA } from '../../contract/l1.ts';
import { readYaml } from '../../contract/read-yaml.ts';
import { BASE, CLAIM, named, structure } from './support.ts';

const READY = 'readiness: { expires: "2030-01-01", claims:';

/** Fragments after BASE (or whole documents) and the issues they give. */
const ROWS: readonly (readonly [row: string, text: string, issues: readonly string[]])[] = [
  ['contract/1 minimal contract with an owner team', BASE.replace('1.0.0', '1.0.0, owner: { team: a }'), []],
  ['contract/2 tab indentation', 'a:\n\tb: 1\n\t c: [', ['YAML_PARSE_ERROR']],
  ['contract/3 version 1.0', BASE.replace('"2.0"', '"1.0"'), ['UNSUPPORTED_PACTO_VERSION pactoVersion']],
  ['contract/4 version 1.2', BASE.replace('"2.0"', '"1.2"'), ['UNSUPPORTED_PACTO_VERSION pactoVersion']],
  [
    'contract/5 no version',
    'service: { name: svc, version: 1.0.0 }',
    ['UNSUPPORTED_PACTO_VERSION pactoVersion'],
  ],
  ['contract/6 root is a list', '[1, 2]', ['UNSUPPORTED_PACTO_VERSION pactoVersion']],
  [
    'contract/8 interface type http',
    `${BASE}interfaces: [{ name: a, type: http, ref: a }]`,
    ['SCHEMA_VIOLATION interfaces.0.type'],
  ],
  [
    'contract/8 interface type event',
    `${BASE}interfaces: [{ name: a, type: event, ref: a }]`,
    ['SCHEMA_VIOLATION interfaces.0.type'],
  ],
  [
    'contract/9 the three interface types',
    `${BASE}interfaces: [{ name: a, type: openapi, ref: a }, { name: b, type: asyncapi, ref: a }, { name: c, type: grpc, ref: a }]`,
    [],
  ],
  [
    'contract/10 capability monitoring',
    `${BASE}capabilities: [{ type: monitoring }]`,
    [
      'SCHEMA_VIOLATION capabilities.0',
      'SCHEMA_VIOLATION capabilities.0.type',
      'SCHEMA_VIOLATION capabilities.0.type',
      'SCHEMA_VIOLATION capabilities.0.type',
    ],
  ],
  [
    'contract/11 the three capabilities',
    `${BASE}capabilities: [{ type: health }, { type: metrics }, { type: extension, ref: example.com/x }]`,
    [],
  ],
  [
    'contract/12 state type invalid',
    `${BASE}state: { type: invalid, persistence: { scope: local, durability: ephemeral }, dataCriticality: low }`,
    ['SCHEMA_VIOLATION state.type'],
  ],
  [
    'contract/13 stateless and persistent',
    `${BASE}state: { type: stateless, persistence: { scope: local, durability: persistent }, dataCriticality: low }`,
    ['SCHEMA_VIOLATION state.persistence.durability'],
  ],
  [
    'contract/14 weight 200',
    `${BASE}${READY} [${CLAIM.replace('weight: 1', 'weight: 200')}] }`,
    ['SCHEMA_VIOLATION readiness.claims.0.weight'],
  ],
  [
    'contract/14 weight 101',
    `${BASE}${READY} [${CLAIM.replace('weight: 1', 'weight: 101')}] }`,
    ['SCHEMA_VIOLATION readiness.claims.0.weight'],
  ],
  ['contract/15 empty readiness', `${BASE}readiness: {}`, ['SCHEMA_VIOLATION readiness']],
  ['contract/16 no claims', `${BASE}${READY} [] }`, ['SCHEMA_VIOLATION readiness.claims']],
  [
    'contract/17 claim without id',
    `${BASE}${READY} [${CLAIM.replace('id: a, ', '')}] }`,
    ['SCHEMA_VIOLATION readiness.claims.0'],
  ],
  [
    'contract/18 claim type dashboard',
    `${BASE}${READY} [${CLAIM.replace('url', 'dashboard')}] }`,
    ['SCHEMA_VIOLATION readiness.claims.0.type'],
  ],
  ['contract/19 claim type other', `${BASE}${READY} [${CLAIM.replace('url', 'other')}] }`, []],
  [
    'contract/20 unknown key in a claim',
    `${BASE}${READY} [${CLAIM.replace('id: a', 'id: a, x: 1')}] }`,
    ['SCHEMA_VIOLATION readiness.claims.0'],
  ],
  ['contract/21 minScore 80', `${BASE}${READY} [${CLAIM}], minScore: 80 }`, []],
  [
    'contract/21 minScore 150',
    `${BASE}${READY} [${CLAIM}], minScore: 150 }`,
    ['SCHEMA_VIOLATION readiness.minScore'],
  ],
  [
    'contract/22 claim status wip',
    `${BASE}${READY} [${CLAIM.replace('done', 'wip')}] }`,
    ['SCHEMA_VIOLATION readiness.claims.0.status'],
  ],
  [
    'contract/22 claim category bogus',
    `${BASE}${READY} [${CLAIM.replace('id: a', 'id: a, category: bogus')}] }`,
    ['SCHEMA_VIOLATION readiness.claims.0.category'],
  ],
  [
    'contract/23 full readiness',
    `${BASE}${READY} [${CLAIM.replace('id: a', 'id: a, category: testing')}], partialCredit: 0.5, history: [{ date: "2029-01-01", version: "1", author: me, description: d }] }`,
    [],
  ],
  ['contract/24 a number as a key of a free-form map', `${BASE}metadata: { 42: x }`, []],
  [
    'contract/148 health bound to grpc',
    `${BASE}capabilities: [{ type: health, binding: { type: grpc, interface: api } }]`,
    ['SCHEMA_VIOLATION capabilities.0.binding.type'],
  ],
];

for (const [row, text, issues] of ROWS) {
  test(row, () => {
    assert.deepEqual(named(structure(text)), issues);
  });
}

const LEAVES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'configuration with neither form',
    'configurations: [{ name: a, required: true }]',
    ['configurations.0', 'configurations.0'],
  ],
  [
    'configuration with both forms',
    'configurations: [{ name: a, required: true, schema: s, ref: r }]',
    ['configurations.0', 'configurations.0'],
  ],
  [
    'configuration with ref and values',
    'configurations: [{ name: a, required: true, ref: r, values: {} }]',
    ['configurations.0', 'configurations.0', 'configurations.0'],
  ],
  ['policy with neither form', 'policies: [{ name: a }]', ['policies.0', 'policies.0']],
  ['policy with both forms', 'policies: [{ name: a, schema: s, ref: r }]', ['policies.0', 'policies.0']],
  ['extension without ref', 'capabilities: [{ type: extension }]', ['capabilities.0', 'capabilities.0.type']],
  [
    'health with ref',
    'capabilities: [{ type: health, ref: a.b/c }]',
    ['capabilities.0', 'capabilities.0.type'],
  ],
  [
    'extension with ref and binding',
    'capabilities: [{ type: extension, ref: a.b/c, binding: { type: http, interface: a } }]',
    ['capabilities.0', 'capabilities.0', 'capabilities.0.type'],
  ],
  ['unknown properties of one object', 'workloads: 1\nruntime: 2', ['']],
];

for (const [what, fragment, paths] of LEAVES) {
  test(`leaves of a ${what}`, () => {
    const found = structure(BASE + fragment);
    assert.ok(found.every(({ code }) => code === 'SCHEMA_VIOLATION'));
    assert.deepEqual(
      found.map(({ path }) => path),
      paths,
    );
  });
}

test('contract/7 a schema engine that fails refuses the document', () => {
  const failing = (): never => {
    throw new RangeError('out of stack');
  };
  const issues = checkStructure(readYaml(BASE), undefined, failing);
  assert.deepEqual(issues, [
    { code: 'SCHEMA_ERROR', path: '', message: 'schema validation failed: out of stack' },
  ]);
});

test('the published schema compiles under strict rules', () => {
  const strict = new Ajv2020({
    strict: true,
    strictRequired: false,
    strictTypes: false,
    formats: { date: true },
  });
  assert.equal(typeof strict.compile(PACTO_SCHEMA), 'function');
});

test('a form that rules a property out is named', () => {
  const [issue] = structure(`${BASE}policies: [{ name: a, schema: s, ref: r }]`);
  assert.match(issue?.message ?? '', /must not have '(ref|schema)' in this form/);
});

test('a document with a hundred thousand faults gets all of them; work that grew with their square would never end', () => {
  const count = 100_000;
  const value = { pactoVersion: '2.0', service: 1, interfaces: Array.from({ length: count }, () => 1) };
  assert.equal(checkStructure(readYaml(BASE), { kind: 'value', value }).length, count + 1);
});

test('an issue carries pointer, reason, line and column', () => {
  const [issue] = structure(`${BASE}interfaces:\n  - name: api\n    type: http\n    ref: a.yaml\n`);
  assert.deepEqual(issue, {
    code: 'SCHEMA_VIOLATION',
    path: 'interfaces.0.type',
    message: `at '/interfaces/0/type': must be one of "openapi", "asyncapi", "grpc"`,
    line: 5,
    column: 11,
  });
});

test('an unknown property is shown where it is written', () => {
  const [issue] = structure(`${BASE}workload: service\nruntime: { a: 1 }\n`);
  assert.deepEqual([issue?.path, issue?.line, issue?.column], ['', 4, 1]);
});

test('only the service version may not be a path', () => {
  const version = (text: string): readonly string[] =>
    named(structure(BASE.replace('1.0.0', JSON.stringify(text))));
  for (const text of ['a/b', 'a\\b', '..', '.'])
    assert.deepEqual(version(text), ['SCHEMA_VIOLATION service.version'], text);
  for (const text of ['latest', ' 1.0.0', 'V1.0.0', '1.0.0-rc.1+build.5', '...'])
    assert.deepEqual(version(text), [], text);
});
