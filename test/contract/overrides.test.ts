// Overrides: both readings change together, and nothing else does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyOverrides, type ConfigurationOverride, overrideSource } from '../../contract/overrides.ts';
import type { LoadedContract } from '../../contract/parse.ts';
import { readYaml } from '../../contract/read-yaml.ts';
import { validateContract } from '../../contract/validate.ts';
import { BASE, files, load, named } from './support.ts';

const CONFIG =
  'configurations:\n  - { name: app, required: true, schema: c.json, values: { db_host: a, port: 80 } }\n  - { name: other, required: false, schema: c.json }\n';
const db: ConfigurationOverride = { name: 'app', values: { db_host: 'b' } };

function applied(loaded: LoadedContract, ...overrides: readonly ConfigurationOverride[]): LoadedContract {
  const result = applyOverrides(loaded, overrides);
  assert.ok(result.kind === 'applied', result.kind === 'failed' ? result.message : '');
  return result.loaded;
}

function failure(text: string, ...overrides: readonly ConfigurationOverride[]): string {
  const result = overrideSource(readYaml(text), overrides);
  assert.ok(result.kind === 'failed');
  return result.message;
}

function valuesOf({ contract, document }: LoadedContract, index: number): readonly unknown[] {
  assert.ok(document.kind === 'value');
  const generic = (document.value as unknown as { configurations: { values?: unknown }[] }).configurations[
    index
  ]?.values;
  return [contract.configurations[index]?.values, generic];
}

test('controller/129 an unknown configuration is refused and nothing is applied', () => {
  const result = applyOverrides(load(BASE + CONFIG), [db, { name: 'nope', values: { a: 'b' } }]);
  assert.deepEqual(result, { kind: 'failed', message: 'configuration "nope" not found in contract' });
});

test('controller/130 an override is listed, and the contract it was made from is unchanged', () => {
  const loaded = load(BASE + CONFIG);
  const before = structuredClone(loaded.contract);
  const result = applyOverrides(loaded, [
    { name: 'app', values: { zeta: '1', db_host: 'b' } },
    { name: 'app', values: { alpha: '2' } },
  ]);
  assert.ok(result.kind === 'applied');
  assert.deepEqual([...result.overriddenKeys], [['app', ['alpha', 'db_host', 'zeta']]]);
  const merged = { db_host: 'b', port: 80, zeta: '1', alpha: '2' };
  assert.deepEqual(valuesOf(result.loaded, 0), [merged, merged]);
  assert.deepEqual(loaded.contract, before);
});

test('controller/131 a configuration without values gets them in both readings', () => {
  assert.deepEqual(valuesOf(applied(load(BASE + CONFIG), { name: 'other', values: { b: '2', a: '1' } }), 1), [
    { a: '1', b: '2' },
    { a: '1', b: '2' },
  ]);
});

test('controller/132 empty values beside a reference stay and stay invalid', () => {
  const text = `${BASE}configurations:\n  - { name: app, required: true, schema: c.json }\n  - { name: far, required: true, ref: ../far, values: {} }\n`;
  const { errors } = validateContract(applied(load(text), db), files({ 'c.json': '{}' }));
  assert.ok(
    errors.length > 0 &&
      errors.every(({ code, path }) => code === 'SCHEMA_VIOLATION' && path === 'configurations.1'),
  );
});

test('controller/133 the same override twenty times over gives the same document', () => {
  const override = { name: 'app', values: { z: '1', y: '2', db_host: 'b' } };
  const once = applied(load(BASE + CONFIG), override);
  let again = once;
  for (let run = 0; run < 20; run++) {
    again = applied(again, override);
    assert.equal(JSON.stringify(again.document), JSON.stringify(once.document));
    assert.equal(
      JSON.stringify(applied(load(BASE + CONFIG), override).document),
      JSON.stringify(once.document),
    );
  }
});

test('controller/134 an override that looks like a number stays text', () => {
  const loaded = applied(load(BASE + CONFIG), { name: 'app', values: { port: '9090' } });
  assert.deepEqual(valuesOf(loaded, 0), [
    { db_host: 'a', port: '9090' },
    { db_host: 'a', port: '9090' },
  ]);
  const { errors } = validateContract(
    loaded,
    files({ 'c.json': '{"properties": {"port": {"type": "integer"}}}' }),
  );
  assert.deepEqual(named(errors), ['CONFIG_VALUES_VALIDATION_FAILED configurations[0].values']);
});

test('controller/135 what a document cannot be patched for', () => {
  assert.equal(failure('', db), 'contract document is empty');
  assert.match(failure('a: [', db), /^re-reading the contract document: /);
  for (const text of ['[1]', BASE, `${BASE}configurations: x`]) {
    assert.equal(failure(text, db), 'contract declares no configurations to override', text);
  }
  for (const text of [
    `${BASE}configurations: [{ name: b }]`,
    `${BASE}configurations: [{ required: true }]`,
  ]) {
    assert.equal(failure(text, db), 'configuration "app" not found in the contract document', text);
  }
  assert.equal(
    failure(`${BASE}configurations: [{ name: app, values: nope }]`, db),
    'configuration "app" declares a non-mapping values block',
  );
});

test('controller/136 an override that breaks a policy of the bundle', () => {
  const text = `${BASE}${CONFIG}policies: [{ name: p, schema: p.json }]\n`;
  const rule =
    '{"properties": {"configurations": {"items": {"properties": {"values": {"properties": {"db_host": {"const": "a"}}}}}}}}';
  const bundle = files({ 'c.json': '{}', 'p.json': rule });
  assert.deepEqual(named(validateContract(load(text), bundle).errors), []);
  assert.deepEqual(named(validateContract(applied(load(text), db), bundle).errors), ['POLICY_VIOLATION']);
});

test('contract/134 nothing is applied when any override fails', () => {
  assert.equal(
    failure(`${BASE}configurations: [{ name: app, values: { a: 1 } }, { name: b, values: nope }]`, db, {
      name: 'b',
      values: { a: '1' },
    }),
    'configuration "b" declares a non-mapping values block',
  );
});

test('contract/135 absent, null and existing values', () => {
  for (const values of ['', ', values: ~', ', values: { db_host: x }']) {
    const loaded = applied(
      load(`${BASE}configurations: [{ name: app, required: true, schema: c${values} }]`),
      db,
    );
    assert.deepEqual(valuesOf(loaded, 0), [{ db_host: 'b' }, { db_host: 'b' }], values);
  }
});

test('contract/136 a numeric look stays text, another scope keeps its empty values', () => {
  const text = `${BASE}configurations:\n  - { name: app, required: true, schema: c.json }\n  - { name: far, required: true, ref: ../far, values: {} }\n`;
  const loaded = applied(load(text), { name: 'app', values: { port: '9090' } });
  assert.deepEqual(valuesOf(loaded, 0), [{ port: '9090' }, { port: '9090' }]);
  assert.deepEqual(valuesOf(loaded, 1)[1], {});
});

test('contract/137 several new keys, the same document every time', () => {
  const text = JSON.stringify(
    applied(load(BASE + CONFIG), { name: 'app', values: { c: '3', a: '1', b: '2' } }).document,
  );
  for (let run = 0; run < 20; run++) {
    assert.equal(
      JSON.stringify(
        applied(load(BASE + CONFIG), { name: 'app', values: { b: '2', c: '3', a: '1' } }).document,
      ),
      text,
    );
  }
});

test('no overrides hand the contract back', () => {
  const loaded = load(BASE + CONFIG);
  assert.equal(applied(loaded), loaded);
});

test('values shared by an anchor are overridden in one scope only', () => {
  const text = `${BASE}configurations:\n  - { name: app, required: true, schema: c, values: &v { db_host: a } }\n  - { name: b, required: true, schema: c, values: *v }\n`;
  const loaded = applied(load(text), db);
  assert.deepEqual([valuesOf(loaded, 0)[1], valuesOf(loaded, 1)[1]], [{ db_host: 'b' }, { db_host: 'a' }]);
});
