// Checks of the files a contract names in its bundle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASE, crossFields, named, pipe } from './support.ts';

const openapi = (ref: string): string => `${BASE}interfaces: [{ name: api, type: openapi, ref: ${ref} }]`;
const config = (fields: string): string =>
  `${BASE}configurations: [{ name: app, required: true, ${fields} }]`;
const policy = (fields: string): string => `${BASE}policies: [{ name: rules, ${fields} }]`;
const INTEGER = '{"properties": {"PORT": {"type": "integer"}}}';

type Row = readonly [
  row: string,
  text: string,
  files: Readonly<Record<string, string>>,
  issues: readonly string[],
];

const ROWS: readonly Row[] = [
  ['contract/58 a missing interface file', openapi('gone.yaml'), {}, ['FILE_NOT_FOUND interfaces[0].ref']],
  [
    'contract/59 two missing interface files',
    `${BASE}interfaces: [{ name: a, type: openapi, ref: a }, { name: b, type: openapi, ref: b }]`,
    {},
    ['FILE_NOT_FOUND interfaces[0].ref', 'FILE_NOT_FOUND interfaces[1].ref'],
  ],
  [
    'contract/60 references to a directory',
    `${BASE}interfaces: [{ name: a, type: openapi, ref: dir }]\nconfigurations: [{ name: a, required: true, schema: dir }]\npolicies: [{ name: a, schema: dir }]`,
    { 'dir/file.json': '{}' },
    [
      'FILE_NOT_FOUND interfaces[0].ref',
      'FILE_NOT_FOUND configurations[0].schema',
      'FILE_NOT_FOUND policies[0].schema',
    ],
  ],
  [
    'contract/62 a path that is not clean',
    openapi('./interfaces/a.yaml'),
    { 'interfaces/a.yaml': 'a: 1' },
    ['FILE_NOT_FOUND interfaces[0].ref'],
  ],
  [
    'contract/63 a broken YAML specification',
    openapi('a.yaml'),
    { 'a.yaml': 'paths: [ this is: broken' },
    ['INVALID_INTERFACE_SPEC interfaces[0].ref'],
  ],
  [
    'contract/64 a broken JSON specification',
    openapi('a.json'),
    { 'a.json': '{not valid' },
    ['INVALID_INTERFACE_SPEC interfaces[0].ref'],
  ],
  [
    'contract/64 an empty JSON specification',
    openapi('a.JSON'),
    { 'a.JSON': '' },
    ['INVALID_INTERFACE_SPEC interfaces[0].ref'],
  ],
  ['contract/65 a valid JSON specification', openapi('a.json'), { 'a.json': '{"openapi": "3.1.0"}' }, []],
  ['contract/65 a plain scalar as YAML', openapi('a.yml'), { 'a.yml': 'just text' }, []],
  ['contract/65 an empty YAML specification', openapi('a.yml'), { 'a.yml': '' }, []],
  ['contract/66 a proto file', openapi('a.proto'), { 'a.proto': 'syntax = "proto3"; {{{' }, []],
  [
    'contract/67 a missing configuration schema',
    config('schema: c.json'),
    {},
    ['FILE_NOT_FOUND configurations[0].schema'],
  ],
  [
    'contract/68 a configuration schema that is not JSON',
    config('schema: c.json'),
    { 'c.json': 'not json' },
    ['INVALID_CONFIG_JSON configurations[0].schema'],
  ],
  [
    'contract/68 a configuration schema in YAML',
    config('schema: c.yaml'),
    { 'c.yaml': 'type: object' },
    ['INVALID_CONFIG_JSON configurations[0].schema'],
  ],
  [
    'contract/69 a configuration schema that does not compile',
    config('schema: c.json'),
    { 'c.json': '{"type": 12345}' },
    ['INVALID_CONFIG_SCHEMA configurations[0].schema'],
  ],
  ['contract/72 a value that fits', config('schema: c.json, values: { PORT: 3 }'), { 'c.json': INTEGER }, []],
  [
    'contract/72 a value that does not fit',
    config('schema: c.json, values: { PORT: three }'),
    { 'c.json': INTEGER },
    ['CONFIG_VALUES_VALIDATION_FAILED configurations[0].values'],
  ],
  [
    'contract/74 values with a missing schema file',
    config('schema: c.json, values: { A: 1 }'),
    {},
    ['FILE_NOT_FOUND configurations[0].schema'],
  ],
  [
    'contract/74 values with a broken schema',
    config('schema: c.json, values: { A: 1 }'),
    { 'c.json': '{"type": 1}' },
    ['INVALID_CONFIG_SCHEMA configurations[0].schema'],
  ],
  ['contract/75 a schema without values', config('schema: c.json'), { 'c.json': INTEGER }, []],
  [
    'contract/76 required keys and empty values',
    config('schema: c.json, values: {}'),
    { 'c.json': '{"required": ["A"]}' },
    [],
  ],
  ['contract/77 a missing policy file', policy('schema: p.json'), {}, ['FILE_NOT_FOUND policies[0].schema']],
  [
    'contract/77 a policy that is not JSON',
    policy('schema: p.json'),
    { 'p.json': 'not json' },
    ['INVALID_POLICY_JSON policies[0].schema'],
  ],
  [
    'contract/77 a policy that does not compile',
    policy('schema: p.json'),
    { 'p.json': '{"type": 12345}' },
    ['INVALID_POLICY_SCHEMA policies[0].schema'],
  ],
];

for (const [row, text, files, issues] of ROWS) {
  test(row, () => {
    assert.deepEqual(named(crossFields(text, files)), issues);
  });
}

test('contract/75 values without a bundle are not checked', () => {
  assert.deepEqual(named(crossFields(config('schema: c.json, values: { A: 1 }'))), []);
});

test('a path into the file system is never followed', () => {
  for (const ref of ['/etc/passwd', '../secret', 'a/../a.yaml', 'a//b.yaml', 'a.yaml/']) {
    const { errors } = pipe(openapi(JSON.stringify(ref)), { 'a.yaml': 'a: 1' });
    assert.deepEqual(named(errors), ['FILE_NOT_FOUND interfaces[0].ref'], ref);
  }
});

test('all failures of one configuration make one finding', () => {
  const schema =
    '{"properties": {"A": {"type": "integer"}, "B": {"type": "integer"}}, "required": ["C", "D"]}';
  const issues = crossFields(config('schema: c.json, values: { A: x, B: y }'), { 'c.json': schema });
  assert.equal(issues.length, 1);
  assert.match(issues[0]?.message ?? '', /missing properties 'C', 'D'; .*\/A'.*\/B'/);
});
