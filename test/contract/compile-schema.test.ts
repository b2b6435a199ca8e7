// Schemas from outside: drafts, formats, and what does not compile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSchema } from '../../contract/compile-schema.ts';
import type { Json } from '../../contract/json.ts';

const draft = (name: string): string => `http://json-schema.org/${name}/schema#`;
const NEWEST = 'https://json-schema.org/draft/2020-12/schema';

function valid(schema: Json, value: Json): boolean {
  const compiled = compileSchema(schema);
  assert.ok(compiled.kind === 'schema', compiled.kind === 'not-schema' ? compiled.reason : '');
  return compiled.check(value).length === 0;
}

const refused = (schema: Json): boolean => compileSchema(schema).kind === 'not-schema';

test('the draft is told by $schema; without one it is 2020-12, and a foreign one does not compile', () => {
  for (const name of ['draft-04', 'draft-06', 'draft-07']) {
    assert.ok(valid({ $schema: draft(name), type: 'string' }, 'x'), name);
    assert.ok(refused({ $schema: draft(name), type: 12 }), name);
  }
  for (const $schema of [
    NEWEST,
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/schema',
  ]) {
    assert.ok(!valid({ $schema, type: 'string' }, 1), $schema);
  }
  assert.ok(!valid({ prefixItems: [{ type: 'string' }] }, [1]));
  assert.ok(refused({ $schema: 'https://example.com/schema' }));
});

test('draft-04 keeps its own meanings', () => {
  const $schema = draft('draft-04');
  assert.ok(!valid({ $schema, minimum: 5, exclusiveMinimum: true }, 5));
  assert.ok(valid({ $schema, minimum: 5, exclusiveMinimum: false }, 5));
  assert.ok(
    !valid({ $schema, properties: { a: { items: [{ maximum: 1, exclusiveMaximum: true }] } } }, { a: [1] }),
  );
  assert.ok(valid({ $schema, const: 1 }, 2), 'const is no keyword yet');
  assert.ok(
    !valid(
      { $schema, definitions: { x: { type: 'string' } }, properties: { a: { $ref: '#/definitions/x' } } },
      { a: 1 },
    ),
  );
  assert.ok(!valid({ $schema, dependencies: { a: ['b'], c: { required: ['d'] } } }, { c: 1 }));
  assert.ok(
    !valid({ $schema, properties: { const: { type: 'string' } } }, { const: 1 }),
    'a property may be called so',
  );
  for (const schema of [
    { $schema, exclusiveMinimum: 5 },
    { $schema, exclusiveMinimum: true },
    { $schema, required: [] },
    { $schema, not: true },
    { $schema, allOf: [{ properties: { a: false } }] },
  ]) {
    assert.ok(refused(schema), JSON.stringify(schema));
  }
});

test('formats assert up to draft-07 and never after', () => {
  for (const name of ['draft-04', 'draft-06', 'draft-07']) {
    assert.ok(!valid({ $schema: draft(name), format: 'ipv4' }, '1.2.3'), name);
    assert.ok(valid({ $schema: draft(name), format: 'nobody-knows' }, 'x'), name);
  }
  for (const $schema of [NEWEST, 'https://json-schema.org/draft/2019-09/schema']) {
    assert.ok(valid({ $schema, format: 'ipv4' }, '1.2.3'), $schema);
  }
});

test('each format', () => {
  const rows: readonly (readonly [format: string, good: readonly string[], bad: readonly string[]])[] = [
    ['date', ['2024-02-29'], ['2023-02-29', '2024-2-9', '2024-02-29T']],
    ['time', ['10:00:00Z', '23:59:60.5+01:30'], ['10:00:00', '24:00:00Z']],
    [
      'date-time',
      ['2024-02-29T10:00:00Z', '2024-02-29t10:00:00.1-01:00'],
      ['2024-02-30T10:00:00Z', '2024-02-29 10:00:00Z', '2024-02-29'],
    ],
    ['email', ['a.b+c@example.com', 'a@[127.0.0.1]'], ['a', '@b', 'a..b@example.com', 'a@-b']],
    ['hostname', ['example.com', 'a'], ['', '-a.com', 'a_b.com', `${'a'.repeat(64)}.com`]],
    ['ipv4', ['127.0.0.1'], ['127.1', '256.0.0.1']],
    ['ipv6', ['::1', 'fe80::1'], ['fe80::1%eth0', '1']],
    ['uri', ['https://example.com/a?b#c', 'urn:x'], ['/a', 'http://a b', 'http://%zz']],
    ['uri-reference', ['/a', '#b', ''], ['a b', '\\']],
    ['uri-template', ['/a/{b}'], ['/a/{b', '/{ }']],
    ['json-pointer', ['', '/a~1b'], ['a', '/~2']],
    ['relative-json-pointer', ['0#', '1/a'], ['/a', '01']],
    ['regex', ['^a+$'], ['(', '(?=a)']],
  ];
  for (const [format, good, bad] of rows) {
    const schema = { $schema: draft('draft-07'), format };
    for (const text of good) assert.ok(valid(schema, text), `${format} ${text}`);
    for (const text of bad) assert.ok(!valid(schema, text), `${format} ${text}`);
    assert.ok(valid(schema, 1), 'only text has a format');
  }
});

test('a schema may refer to itself, by # or by its name', () => {
  const list = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false };
  for (const schema of [
    list,
    { ...list, $schema: draft('draft-07') },
    { ...list, $schema: draft('draft-04') },
  ]) {
    assert.ok(valid(schema, { next: { next: {} } }));
    assert.ok(!valid(schema, { next: { other: {} } }));
  }
  const $id = 'https://example.com/list';
  assert.ok(!valid({ $id, properties: { next: { $ref: $id } }, required: ['a'] }, { a: 1, next: {} }));
  const endless = compileSchema({ $ref: '#' });
  assert.ok(endless.kind === 'schema');
  assert.deepEqual(
    endless.check({}).map(({ reason }) => reason),
    ['the schema refers to itself without end'],
  );
});
