// Leaving managedFields out before parsing, against leaving them out of what was parsed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { withoutManagedFields } from '../../kube/managed-fields.ts';

/** Texts that look like what is searched for, or end where they should not. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '"managedFields":[',
    '],"managedFields":[{',
    '\\',
    '\\"',
    '"metadata":',
    '{',
    ']',
    '}',
    'ü',
  ),
);
const key = fc.oneof(
  text,
  fc.constantFrom('managedFields', 'metadata', 'x"metadata', 'object', 'spec', 'name'),
);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constantFrom(true, null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const fields = fc.dictionary(key, value, { maxKeys: 4 });

/** An object whose metadata has managedFields in some place among the rest. */
const object = fc
  .record({ before: fields, metaBefore: fields, managed: fc.array(value), metaAfter: fields, after: fields })
  .map(({ before, metaBefore, managed, metaAfter, after }) => {
    const { managedFields: _some, ...rest } = metaBefore;
    const { managedFields: _others, ...end } = metaAfter;
    const { metadata: _one, ...top } = before;
    const { metadata: _two, ...bottom } = after;
    return { ...top, metadata: { ...rest, managedFields: managed, ...end }, ...bottom };
  });

function expected(whole: { readonly metadata: Readonly<Record<string, unknown>> }): unknown {
  const { managedFields: _dropped, ...metadata } = whole.metadata;
  return { ...whole, metadata };
}

const cut = (json: string, of: 'object' | 'event'): string =>
  withoutManagedFields(Buffer.from(json), of).toString();

test('kube/managedFields left out before parsing are the ones that would be left out after it, and no others', () => {
  let cuts = 0;
  fc.assert(
    fc.property(object, fc.constantFrom('ADDED', 'DELETED'), (made, type) => {
      const json = JSON.stringify(made);
      const whole = JSON.parse(json) as typeof made;
      const alone = cut(json, 'object');
      // Where something else of this name comes first nothing is cut, and what is done afterwards has to do.
      assert.deepEqual(expected(JSON.parse(alone) as typeof made), expected(whole));
      if (alone !== json) {
        cuts += 1;
        assert.deepEqual(JSON.parse(alone), expected(whole));
      }
      const event = cut(JSON.stringify({ type, object: whole }), 'event');
      assert.deepEqual(JSON.parse(event), { type, object: JSON.parse(alone) as unknown });
    }),
    { numRuns: 500 },
  );
  assert.ok(cuts > 100, `managedFields were cut out of ${cuts} objects only`);
});

test('kube/managedFields are left out where an API server writes them', () => {
  const managed = '"managedFields":[{"manager":"a","fieldsV1":{"f:a":{"k:{\\"name\\":\\"]\\"}":{}}}}]';
  for (const [given, left] of [
    [`{"metadata":{"name":"a",${managed}},"spec":{}}`, '{"metadata":{"name":"a"},"spec":{}}'],
    [`{"metadata":{${managed},"name":"a"}}`, '{"metadata":{"name":"a"}}'],
    [`{"metadata":{${managed}}}`, '{"metadata":{}}'],
    ['{"kind":"A","metadata":{"name":"a","managedFields":[]}}', '{"kind":"A","metadata":{"name":"a"}}'],
  ] as const) {
    assert.equal(cut(given, 'object'), left);
    assert.equal(cut(`{"type":"ADDED","object":${given}}`, 'event'), `{"type":"ADDED","object":${left}}`);
  }
});

test('kube/a field called managedFields stays where it is not the one of the metadata', () => {
  for (const json of [
    '{"metadata":{"name":"a"},"spec":{"managedFields":[1]}}',
    '{"metadata":{"name":"a"},"spec":{"metadata":{"managedFields":[1]}}}',
    '{"metadata":{"labels":{"managedFields":[1]}}}',
    '{"metadata":[{"managedFields":[1]}]}',
    '{"managedFields":[1],"metadata":{}}',
    '{"data":{"text":"\\"metadata\\":{\\"managedFields\\":["},"metadata":{}}',
    '[{"metadata":{"managedFields":[1]}}]',
    '{"metadata":{"managedFields":[1}}',
    '{"metadata":{"name":"a", "managedFields":[1]}}',
    '{"metadata":{"managedFields":[1] ,"name":"a"}}',
    '{"metadata":{ "managedFields":[1]}}',
    '{"x\\"metadata":{"managedFields":[1]}}',
  ])
    assert.equal(cut(json, 'object'), json);
  const alone = '{"metadata":{"managedFields":[1]}}';
  assert.equal(cut(alone, 'event'), alone);
  assert.equal(cut(`{"object":${alone}}`, 'object'), `{"object":${alone}}`);
});

test('kube/what was cut off within or behind managedFields does not become whole by leaving them out', () => {
  const json = '{"metadata":{"name":"a","managedFields":[{"f":{"g":"]}"}}]},"spec":{"a":[1]}}';
  for (let length = 0; length < json.length; length += 1)
    assert.throws(() => JSON.parse(cut(json.slice(0, length), 'object')), SyntaxError);
  assert.deepEqual(JSON.parse(cut(json, 'object')), { metadata: { name: 'a' }, spec: { a: [1] } });
});
