// Loading a contract: what Parse accepts, what it refuses and with which words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { loadInline, parseContract } from '../../contract/parse.ts';
import { allNamed, BASE, CLAIM, load, loadError, pipe } from './support.ts';

test('contract/24 a key that is no string becomes its printed form', () => {
  const { document } = load(`${BASE}metadata: { 42: x, true: y }`);
  assert.ok(document.kind === 'value');
  assert.deepEqual((document.value as { metadata: unknown }).metadata, { '42': 'x', true: 'y' });
});

test('contract/25 a missing required field is named', () => {
  assert.equal(loadError('service: { name: a, version: "1" }').path, 'pactoVersion');
  assert.equal(loadError('pactoVersion: "2.0"\nservice: { version: "1" }').path, 'service.name');
  assert.equal(loadError('pactoVersion: "2.0"\nservice: { name: a }').path, 'service.version');
  const { line, column } = loadError('pactoVersion: "2.0"\nservice: { name: a }');
  assert.deepEqual([line, column], [2, 10], 'at the object that lacks it');
});

test('contract/26 malformed YAML is a load error with a position', () => {
  const error = loadError('pactoVersion: "2.0"\nservice: { name: [ }\n');
  assert.match(error.message, /^failed to parse YAML: line 2: /);
  assert.equal(error.line, 2);
});

test('contract/27 another language version is refused', () => {
  assert.match(loadError(BASE.replace('2.0', '2.1')).message, /"2\.1".*only "2\.0"/);
});

test('contract/28 an unknown top-level key is refused by name', () => {
  assert.match(
    loadError(`${BASE}runtime: {}`).message,
    /^failed to parse YAML: line 3: unknown field "runtime"$/,
  );
});

test('contract/29 the string form of an owner is refused', () => {
  const error = loadError(BASE.replace('1.0.0', '1.0.0, owner: team/payments'));
  assert.match(error.message, /service\.owner: must be an object, not "team\/payments"/);
});

test('contract/30 an unquoted language version is a number', () => {
  assert.deepEqual(allNamed(pipe(BASE.replace('"2.0"', '2.0'))), ['UNSUPPORTED_PACTO_VERSION pactoVersion']);
});

test('contract/31 an unquoted service version is a number', () => {
  assert.deepEqual(allNamed(pipe(BASE.replace('1.0.0', '1.10'))), ['SCHEMA_VIOLATION service.version']);
});

test('contract/32 a number JSON cannot hold', () => {
  assert.deepEqual(allNamed(pipe(`${BASE}metadata: { x: .nan }`)), ['YAML_PARSE_ERROR']);
  assert.deepEqual(allNamed(pipe(`${BASE}extensions: { x: -.inf }`)), ['YAML_PARSE_ERROR']);
});

test('contract/33 required: yes is a boolean for one reading and text for the other', () => {
  const text = `${BASE}dependencies: [{ name: a, ref: ../a, required: yes, compatibility: "^1" }]`;
  assert.equal(load(text).contract.dependencies[0]?.required, true);
  assert.deepEqual(allNamed(pipe(text)), ['SCHEMA_VIOLATION dependencies.0.required']);
});

test('contract/34 an empty list of policies', () => {
  assert.deepEqual(allNamed(pipe(`${BASE}policies: []`, {})), ['SCHEMA_VIOLATION policies']);
});

test('contract/35 a broken second document is not looked at', () => {
  assert.deepEqual(allNamed(pipe(`${BASE}---\nbroken: [ {\n`, {})), []);
});

test('contract/36 a duplicate key inside metadata', () => {
  assert.match(
    loadError(`${BASE}metadata: { a: 1, b: 2, a: 3 }`).message,
    /line 3: key "a" is already defined/,
  );
});

test('contract/37 an unquoted date is fine', () => {
  assert.deepEqual(allNamed(pipe(`${BASE}readiness: { expires: 2030-06-30, claims: [${CLAIM}] }`)), []);
});

test('contract/38 an unquoted time is no date', () => {
  assert.deepEqual(
    allNamed(pipe(`${BASE}readiness: { expires: 2030-06-30T00:00:00Z, claims: [${CLAIM}] }`)),
    ['INVALID_READINESS_EXPIRES readiness.expires'],
  );
});

test('contract/139 inline text that is not YAML says that it was inline', () => {
  const result = loadInline('a: [');
  assert.ok(result.kind === 'failed');
  assert.match(result.error.message, /^failed to parse inline contract: failed to parse YAML: line 1: /);
});

test('several faults of one document are reported together', () => {
  const error = loadError(
    `${BASE}runtime: 1\ndependencies: [{ required: maybe }]\nreadiness: { claims: x }\n`,
  );
  assert.match(
    error.message,
    /line 3: .*; line 4: dependencies\.0\.required: .*; line 5: readiness\.claims: /,
  );
});

test('coercions of the typed reading', () => {
  const { contract } = load(
    `pactoVersion: 2.0\nservice: { name: 12, version: 1.10 }\nworkload: ~\nmetadata: null\ninterfaces: [~, { name: x }]\nreadiness: { expires: 2030-06-30, claims: [{ weight: 10.7 }] }`,
  );
  assert.deepEqual(contract.service, { name: '12', version: '1.10' });
  assert.equal(contract.workload, undefined);
  assert.deepEqual(contract.metadata, {});
  assert.deepEqual(
    contract.interfaces.map(({ name }) => name),
    ['x'],
  );
  assert.equal(contract.readiness?.expires, '2030-06-30');
  assert.equal(contract.readiness?.claims[0]?.weight, 10);
  assert.match(
    loadError(`${BASE}dependencies: [{ required: "true" }]`).message,
    /must be a boolean, not "true"/,
  );
  assert.match(loadError(`${BASE}readiness: { minScore: "5" }`).message, /must be an integer/);
});

test('plain scalars of the generic reading', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['yes', 'yes'],
    ['off', 'off'],
    ['True', true],
    ['~', null],
    ['12', 12],
    ['-3', -3],
    ['1_000', 1000],
    ['0x1F', 31],
    ['0b101', 5],
    ['0o17', 15],
    ['017', 15],
    ['089', 89],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['1.', 1],
    ['1e3', 1000],
    ['1e999', '1e999'],
    ['2030-06-30', '2030-06-30'],
    ['2030-06-30 10:00:00', '2030-06-30 10:00:00'],
    ['1.0.0', '1.0.0'],
    ['0.10', 0.1],
    ['"12"', '12'],
    ['!!str 12', '12'],
    ['!!int "12"', 12],
    ['!custom 12', '12'],
    ['0xZZ', '0xZZ'],
  ];
  for (const [written, value] of cases) {
    const { document } = load(`${BASE}metadata: { x: ${written} }`);
    assert.ok(document.kind === 'value');
    assert.deepEqual((document.value as { metadata: { x: unknown } }).metadata.x, value, written);
  }
});

test('merge keys, anchors and aliases', () => {
  const { document } = load(
    `${BASE}metadata:\n  base: &b { x: 1, y: 1 }\n  other: &o { y: 3, z: 3 }\n  both: { <<: [*b, *o], y: 2 }\n  again: *b\n`,
  );
  assert.ok(document.kind === 'value');
  const { both, again } = (document.value as { metadata: Record<string, unknown> }).metadata;
  assert.deepEqual(both, { y: 2, x: 1, z: 3 });
  assert.deepEqual(again, { x: 1, y: 1 });
  assert.match(loadError('a: &x [*x]').message, /anchor x contains itself/);
  assert.match(loadError('a: *nope').message, /unknown anchor nope/);
  assert.match(loadError('a: { <<: 1 }').message, /map merge requires/);
});

test('an alias bomb is refused at once', () => {
  const levels = Array.from({ length: 30 }, (_, i) => `  l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(10)}]`);
  assert.match(
    loadError(`${BASE}metadata:\n  l0: &l0 [x, x]\n${levels.join('\n')}\n`).message,
    /excessive aliasing/,
  );
});

test('deep nesting, control characters, bad encodings and empty input are load errors', () => {
  assert.match(
    loadError(`${BASE}metadata: ${'['.repeat(300)}${']'.repeat(300)}`).message,
    /nested more than 256/,
  );
  assert.match(loadError(`${BASE}metadata: ${'['.repeat(50_000)}`).message, /nested more than 256/);
  assert.match(loadError('a: "\u0001"').message, /control characters/);
  assert.match(loadError(Uint8Array.of(0x61, 0x3a, 0x20, 0xff)).message, /not valid UTF-8/);
  assert.match(loadError('').message, /empty/);
  assert.match(loadError('# only a comment\n').message, /empty/);
  assert.equal(loadError('---\n').path, 'pactoVersion');
  assert.equal(loadError('null').path, 'pactoVersion');
});

test('UTF-16 with a byte order mark is read', () => {
  const text = Buffer.from(`\uFEFF${BASE}`, 'utf16le');
  assert.equal(parseContract(text).kind, 'loaded');
});

test('a key called __proto__ is a key like any other', () => {
  const { document, contract } = load(`${BASE}metadata: { __proto__: { polluted: true } }`);
  assert.ok(document.kind === 'value');
  assert.ok(Object.hasOwn(contract.metadata, '__proto__'));
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('parsing never throws, whatever the text', () => {
  const pieces = [
    'a',
    ':',
    ' ',
    '\n',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '&x',
    '*x',
    '"',
    "'",
    '|',
    '>',
    '#',
    '---',
    '<<',
    '!!int',
    '\t',
    '? ',
    '.nan',
    '0x',
    ',',
    '%',
    '@',
    BASE,
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      assert.ok(['loaded', 'failed'].includes(parseContract(parts.join('')).kind));
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      assert.ok(['loaded', 'failed'].includes(parseContract(bytes).kind));
    }),
  );
});
