// The page that says what is checked of each field: it names every field of the language, and only codes that exist.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as read from '../../api/read.ts';
import { FINDING_CODES } from '../../api/finding-codes.ts';

const file = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Paths of all properties of a schema, those of list entries behind `[]`. */
function fieldsOf(schema: unknown, path = ''): string[] {
  return [
    ...Object.entries(read.object(schema, 'properties') ?? {}).flatMap(([key, value]) => {
      const own = path === '' ? key : `${path}.${key}`;
      return [own, ...fieldsOf(value, own)];
    }),
    ...(read.object(schema, 'items') === undefined
      ? []
      : fieldsOf(read.object(schema, 'items'), `${path}[]`)),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
      read.list(schema, key).flatMap((one) => fieldsOf(one, path)),
    ),
  ];
}

async function inventory(): Promise<readonly (readonly [field: string, how: string])[]> {
  const page = await file('docs/contract-fields.md');
  return [...page.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, field = '', how = '']) => [field, how]);
}

test('every field of the language is in the inventory, once', async () => {
  const fields = new Set(fieldsOf(JSON.parse(await file('contract/schema/pacto-2.0.schema.json'))));
  assert.ok(fields.size > 60);
  assert.deepEqual((await inventory()).map(([field]) => field).toSorted(), [...fields].toSorted());
});

test('a field is held against the cluster by a rule that exists, or the reason is given', async () => {
  const named = new Set<string>();
  for (const [field, how] of await inventory()) {
    const codes = [...how.matchAll(/`([A-Z_]{5,})`/g)].map(([, code = '']) => code);
    for (const code of codes) named.add(code);
    assert.ok(codes.length > 0 || /^not checked: \S|^(subject|decides) /.test(how), `${field}: ${how}`);
  }
  const rules = [...FINDING_CODES].filter(([, { origin }]) => origin === 'runtime').map(([code]) => code);
  assert.deepEqual([...named].toSorted(), rules.toSorted());
});
