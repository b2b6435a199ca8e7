// The CRD manifests: fresh, structural, and without rules that upstream does not have.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { customResourceDefinition } from '../../api/schema/crd.ts';
import { CUSTOM_RESOURCES } from '../../api/schema/custom-resources.ts';

const FOLDER = new URL('../../deploy/crds/', import.meta.url);
const FORBIDDEN = [
  'anyOf',
  'allOf',
  'oneOf',
  'not',
  'const',
  'patternProperties',
  '$ref',
  '$id',
  'additionalItems',
];

type Schema = { readonly [key: string]: unknown };

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every schema below `schema` with its place; property names are no keywords. */
function* schemas(schema: Schema, path: string): Generator<readonly [string, Schema]> {
  yield [path, schema];
  const { properties, items, additionalProperties } = schema;
  if (isObject(properties)) {
    for (const [name, child] of Object.entries(properties)) {
      if (isObject(child)) yield* schemas(child, `${path}.${name}`);
    }
  }
  if (isObject(items)) yield* schemas(items, `${path}[]`);
  if (isObject(additionalProperties)) yield* schemas(additionalProperties, `${path}.*`);
}

function read(file: string): Schema {
  const parsed: unknown = parse(readFileSync(new URL(file, FOLDER), 'utf8'));
  assert.ok(isObject(parsed));
  return parsed;
}

function rootSchema(crd: Schema): Schema {
  const { spec } = crd as { spec: { versions: { schema: { openAPIV3Schema: Schema } }[] } };
  const root = spec.versions[0]?.schema.openAPIV3Schema;
  assert.ok(root !== undefined);
  return root;
}

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

test('one file per kind, named after the definition, and each is what the generator writes', () => {
  assert.deepEqual(
    files.toSorted((a, b) => (a < b ? -1 : 1)),
    CUSTOM_RESOURCES.map(({ plural, group }) => `${plural}.${group}.yaml`).toSorted((a, b) =>
      a < b ? -1 : 1,
    ),
  );
  for (const resource of CUSTOM_RESOURCES) {
    const written = read(`${resource.plural}.${resource.group}.yaml`);
    assert.deepEqual(written, parse(stringify(customResourceDefinition(resource))), resource.kind);
  }
});

test('every schema is structural: typed everywhere, no combinators outside int-or-string', () => {
  for (const file of files) {
    for (const [path, schema] of schemas(rootSchema(read(file)), file)) {
      const intOrString = schema['x-kubernetes-int-or-string'] === true;
      if (!intOrString) {
        assert.equal(typeof schema['type'], 'string', path);
        for (const keyword of FORBIDDEN) assert.ok(!(keyword in schema), `${path} uses ${keyword}`);
      }
      assert.ok(!('properties' in schema && 'additionalProperties' in schema), path);
    }
  }
});

test('kinds shared with upstream have no CEL rules, ours have them where a mistake is likely', () => {
  const withRules = (file: string): readonly string[] =>
    [...schemas(rootSchema(read(file)), '')]
      .filter(([, s]) => 'x-kubernetes-validations' in s)
      .map(([path]) => path);
  for (const file of files.filter((name) => !name.includes('.gate.')))
    assert.deepEqual(withRules(file), [], file);
  assert.ok(withRules('promotionpolicies.gate.pacto.trianalab.io.yaml').includes('.spec.freezes[]'));
  assert.ok(withRules('evidencegrants.gate.pacto.trianalab.io.yaml').includes('.spec.from[]'));
});

test('list map keys exist and are required in their items', () => {
  for (const file of files) {
    for (const [path, schema] of schemas(rootSchema(read(file)), file)) {
      const keys = schema['x-kubernetes-list-map-keys'];
      if (!Array.isArray(keys)) continue;
      assert.equal(schema['x-kubernetes-list-type'], 'map', path);
      const items = schema['items'] as { required: readonly string[] };
      for (const key of keys) assert.ok(items.required.includes(String(key)), path);
    }
  }
});

test('the workload kind has no default, the check interval has one', () => {
  const byPath = new Map(schemas(rootSchema(read('pactos.pacto.trianalab.io.yaml')), ''));
  assert.ok(!('default' in (byPath.get('.spec.target.workloadRef.kind') ?? { default: 1 })));
  assert.equal(byPath.get('.spec.checkIntervalSeconds')?.['default'], 300);
  assert.equal(byPath.get('.spec.checkIntervalSeconds')?.['minimum'], 30);
});
