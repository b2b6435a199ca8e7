// Configurations: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigBinding, PactoTarget } from '../../api/pacto.ts';
import { bundleFiles } from '../../contract/bundle-files.ts';
import { documentFit } from '../../contract/document-fit.ts';
import type { DocumentInquiry, Inquiry } from '../../evaluation/observe/inquiry.ts';
import { answered, contractOf, MINUTE, type Pass, type PassInput, streak } from './support.ts';

const SCHEMA = '{"type":"object","required":["port"],"properties":{"port":{"type":"integer"}}}';
const MARKER = 'canary-3141592';
const REQUIRED = contractOf("configurations: [{ name: app, required: true, schema: 's.json' }]");
const OPTIONAL = contractOf("configurations: [{ name: app, required: false, schema: 's.json' }]");

const files = bundleFiles(new Map([['s.json', new TextEncoder().encode(SCHEMA)]]));

type Objects = {
  readonly configMap?: Readonly<Record<string, string>> | 'forbidden';
  readonly secret?: true | 'forbidden';
};

/** As the operator asks: there must be a text at the key, and a schema. */
function fitOf({ key = '', format, schema }: DocumentInquiry, data: Record<string, string>): string {
  const text = data[key];
  return text === undefined || schema === undefined ? 'undecided' : documentFit({ text, format, schema });
}

/** What the operator would answer for a cluster that holds these. */
function respond({ configMap, secret }: Objects): (inquiry: Inquiry) => unknown {
  const look = (value: unknown, found: (value: never) => unknown): unknown => {
    if (value === undefined) return { kind: 'absent' };
    return value === 'forbidden'
      ? { kind: 'unreadable', reason: 'may not be read (403)' }
      : { kind: 'found', value: found(value as never) };
  };
  return (inquiry) =>
    inquiry.kind === 'secret'
      ? look(secret, () => true)
      : look(configMap, (data: Record<string, string>) => fitOf(inquiry as DocumentInquiry, data));
}

const YAML: ConfigBinding = {
  configuration: 'app',
  kind: 'ConfigMap',
  name: 'app',
  key: 'c',
  format: 'yaml',
};
const JSON_BINDING: ConfigBinding = { ...YAML, format: 'json' };
const SECRET: ConfigBinding = { configuration: 'app', kind: 'Secret', name: 'app', key: MARKER };

function judge(
  binding: ConfigBinding | undefined,
  objects: Objects = {},
  input: Partial<PassInput> = {},
): Pass {
  const target: PactoTarget = { serviceName: 'app', configBindings: binding === undefined ? [] : [binding] };
  return answered({ contract: REQUIRED, target, files, ...input }, respond(objects));
}

const within = (name: string, windows: number, result: Pass, text: string): void => {
  assert.equal(result.text, text, name);
  assert.equal(result.windows.length, windows, name);
};

const ABSENT = 'NonCompliant/CONFIGURATION_ABSENT 1/1';
const INSUFFICIENT = 'Unknown/EVIDENCE_INSUFFICIENT 0/1';
const OLD = { windows: [streak(3 * MINUTE, 'app', 'configuration')] };

type Row = readonly [
  id: string,
  given: string,
  binding: ConfigBinding | undefined,
  objects: Objects,
  input: Partial<PassInput>,
  text: string,
  windows: number,
];
const ROWS: readonly Row[] = [
  ['CO1', 'required, unbound', undefined, {}, {}, 'Unknown/OBSERVATION_UNSUPPORTED 0/1', 0],
  ['CO2', 'optional, unbound', undefined, {}, { contract: OPTIONAL }, 'Compliant 0/0', 0],
  ['CO3', 'YAML that conforms', YAML, { configMap: { c: `port: 1\nx: ${MARKER}` } }, {}, 'Compliant 1/1', 0],
  ['CO4', 'JSON that conforms', JSON_BINDING, { configMap: { c: '{"port":1}' } }, {}, 'Compliant 1/1', 0],
  [
    'CO5',
    'YAML that violates the schema',
    YAML,
    { configMap: { c: `port: ${MARKER}` } },
    {},
    'NonCompliant/CONFIGURATION_MISMATCH 1/1',
    0,
  ],
  [
    'CO6',
    'the same, optional',
    YAML,
    { configMap: { c: 'port: no' } },
    { contract: OPTIONAL },
    'Warning/CONFIGURATION_MISMATCH 0/0',
    0,
  ],
  ['CO7', 'missing, first pass', YAML, {}, {}, INSUFFICIENT, 1],
  ['CO8', 'missing past the window', YAML, {}, OLD, ABSENT, 1],
  ['CO9', 'then created, conforming', YAML, { configMap: { c: 'port: 1' } }, OLD, 'Compliant 1/1', 0],
  ['CO10', 'optional, missing within the window', YAML, {}, { contract: OPTIONAL }, 'Compliant 0/0', 1],
  [
    'CO11',
    'optional, missing past the window',
    YAML,
    {},
    { contract: OPTIONAL, ...OLD },
    'Warning/CONFIGURATION_ABSENT 0/0',
    1,
  ],
  [
    'CO12',
    'no key in the binding',
    { configuration: 'app', kind: 'ConfigMap', name: 'app', format: 'yaml' },
    { configMap: { c: 'port: 1' } },
    {},
    INSUFFICIENT,
    0,
  ],
  [
    'CO12',
    'no format in the binding',
    { configuration: 'app', kind: 'ConfigMap', name: 'app', key: 'c' },
    { configMap: { c: 'port: 1' } },
    {},
    INSUFFICIENT,
    0,
  ],
  ['CO13', 'the key is not in the data', YAML, { configMap: { other: 'port: 1' } }, OLD, INSUFFICIENT, 0],
  ['CO14', 'text that does not parse', YAML, { configMap: { c: 'port: [' } }, {}, INSUFFICIENT, 0],
  ['CO14', 'JSON that does not parse', JSON_BINDING, { configMap: { c: '{port: 1}' } }, {}, INSUFFICIENT, 0],
  [
    'CO14',
    'an unknown format',
    { ...YAML, format: 'toml' as 'yaml' },
    { configMap: { c: 'port: 1' } },
    {},
    INSUFFICIENT,
    0,
  ],
  [
    'CO16',
    'a ConfigMap that may not be read',
    YAML,
    { configMap: 'forbidden' },
    OLD,
    'Unknown/COLLECTION_FAILED 0/1',
    1,
  ],
  ['CO17', 'a Secret that exists', SECRET, { secret: true }, OLD, INSUFFICIENT, 0],
  ['CO18', 'a Secret that is missing, within the window', SECRET, {}, {}, INSUFFICIENT, 1],
  ['CO18', 'a Secret that is missing, past the window', SECRET, {}, OLD, ABSENT, 1],
  [
    'CO19',
    'a Secret that may not be read',
    SECRET,
    { secret: 'forbidden' },
    OLD,
    'Unknown/COLLECTION_FAILED 0/1',
    1,
  ],
  [
    'CO21',
    'the schema is a file of the bundle',
    YAML,
    { configMap: { c: 'port: 1' } },
    {},
    'Compliant 1/1',
    0,
  ],
];

for (const [id, given, binding, objects, input, text, windows] of ROWS) {
  test(`evaluation/${id} ${given}`, () => {
    const result = judge(binding, objects, input);
    within(given, windows, result, text);
    assert.doesNotMatch(JSON.stringify(result.verdict), new RegExp(MARKER));
  });
}

test('evaluation/CO15 a schema that cannot be used', () => {
  const good = { configMap: { c: 'port: 1' } };
  const byRef = contractOf(
    'configurations: [{ name: app, required: true, ref: "oci://r.example.com/a/b@sha256:' +
      'a'.repeat(64) +
      '" }]',
  );
  assert.equal(judge(YAML, good, { contract: byRef }).text, INSUFFICIENT);
  for (const text of ['', '{', '{"type":"nonsense"}', '{"$ref":"https://example.com/s.json"}']) {
    const broken = bundleFiles(new Map([['s.json', new TextEncoder().encode(text)]]));
    assert.equal(judge(YAML, good, { files: broken }).text, INSUFFICIENT, text);
  }
  assert.equal(judge(YAML, good, { files: bundleFiles(new Map()) }).text, INSUFFICIENT);
});

test('evaluation/CO20 a ConfigMap that conforms and a Secret that exists', () => {
  const contract = contractOf(
    "configurations: [{ name: app, required: true, schema: 's.json' }, { name: keys, required: true, schema: 's.json' }]",
  );
  const target: PactoTarget = {
    serviceName: 'app',
    configBindings: [YAML, { ...SECRET, configuration: 'keys' }],
  };
  const { evidence } = answered(
    { contract, target, files },
    respond({ configMap: { c: 'port: 1' }, secret: true }),
  );
  assert.deepEqual(
    evidence.observations.map(({ outcome }) => outcome),
    ['Observed', 'Insufficient'],
  );
});

test('an inline contract may carry the schema in the place of its file', () => {
  const contract = structuredClone(REQUIRED);
  const inline = { ...contract, configurations: [{ name: 'app', required: true, schema: SCHEMA }] };
  const target: PactoTarget = { serviceName: 'app', configBindings: [YAML] };
  const result = answered({ contract: inline, target }, respond({ configMap: { c: 'port: 1' } }));
  assert.equal(result.text, 'Compliant 1/1');
});

test('an empty document is null, and a key called __proto__ is a key', () => {
  const fit = (text: string, schema: string): string => documentFit({ text, format: 'yaml', schema });
  assert.equal(fit('', '{"type":"null"}'), 'conforms');
  assert.equal(fit('__proto__: 1', '{"required":["__proto__"]}'), 'conforms');
  assert.equal(fit('a: 1', '{"required":["__proto__"]}'), 'violates');
});

test('a pattern made to hang is answered', () => {
  const schema = '{"type":"string","pattern":"^(a+)+$"}';
  assert.equal(documentFit({ text: `${'a'.repeat(50_000)}!`, format: 'yaml', schema }), 'violates');
});

test('a check that comes to no answer is no violation', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const lists = '{"type":"array","items":{"$ref":"#"}}';
  assert.equal(documentFit({ text: deep, format: 'json', schema: lists }), 'undecided');
  const endless = '{"allOf":[{"$ref":"#"}]}';
  assert.equal(documentFit({ text: '1', format: 'json', schema: endless }), 'undecided');
});
