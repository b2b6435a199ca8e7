// The minimal failing example of every static code (contract 4.6): it gives that code, and at the path of 4.5.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FINDING_CODES, type StaticCode } from '../../api/finding-codes.ts';
import { readGeneric } from '../../contract/generic-reading.ts';
import type { StaticIssue } from '../../contract/issue.ts';
import { checkStructure } from '../../contract/l1.ts';
import { enforcePolicies } from '../../contract/l3/enforce.ts';
import { walkPolicies } from '../../contract/l3/walk-policies.ts';
import { readYaml } from '../../contract/read-yaml.ts';
import { validateContract } from '../../contract/validate.ts';
import { BASE, CLAIM, crossFields, files, load, pipe } from './support.ts';

type Example =
  /** BASE and a fragment through the whole pipeline, with a bundle of these files. */
  | {
      readonly fragment: string;
      readonly files?: Readonly<Record<string, string>>;
      readonly at: string;
      /** How many findings of the code. Default: 1. */
      readonly count?: number;
    }
  | { readonly document: string; readonly at: string }
  /** Cannot be reached through the pipeline; the layer alone finds it. */
  | { readonly layer: () => Promise<readonly Pick<StaticIssue, 'code' | 'path'>[]>; readonly at: string };

const API = 'interfaces: [{ name: api, type: openapi, ref: a.yaml }]';
const dependency = (fields: string): string => `dependencies: [{ name: db, required: true, ${fields} }]`;
const ready = (claims: string): string => `readiness: { expires: "2030-02-01", claims: [${claims}] }`;
const alone = (fragment: string) => (): Promise<readonly StaticIssue[]> =>
  Promise.resolve(crossFields(BASE + fragment));
const FAR = 'oci://r.example.com/a/rules:1.0.0';
const FAR_POLICY = `policies: [{ name: platform, ref: "${FAR}" }]`;

async function resolved(
  referTo: readonly { readonly name: string; readonly ref: string }[] | undefined,
): Promise<readonly StaticIssue[]> {
  const loaded = load(BASE + FAR_POLICY);
  const root = { contract: loaded.contract, files: files({}), base: '/' };
  const items = await walkPolicies(root, async () =>
    referTo === undefined
      ? { kind: 'failed', reason: 'not there' }
      : {
          kind: 'resolved',
          holder: { contract: { policies: referTo }, files: files({}), base: 'registry:' },
        },
  );
  return validateContract(loaded, files({}), items).errors;
}

const EXAMPLES: Readonly<Record<StaticCode, Example>> = {
  YAML_PARSE_ERROR: { fragment: 'metadata: { ratio: .nan }', at: '' },
  UNSUPPORTED_PACTO_VERSION: { document: BASE.replace('"2.0"', '2.0'), at: 'pactoVersion' },
  SCHEMA_VIOLATION: {
    fragment: 'interfaces: [{ name: api, type: http, ref: a.yaml }]',
    at: 'interfaces.0.type',
  },
  SCHEMA_ERROR: {
    at: '',
    layer: () => {
      const source = readYaml(BASE);
      const failing = (): never => {
        throw new Error('not a validation result');
      };
      return Promise.resolve(checkStructure(source, readGeneric(source.root), failing));
    },
  },
  INVALID_SEMVER: { document: BASE.replace('1.0.0', 'latest'), at: 'service.version' },
  DUPLICATE_INTERFACE_NAME: {
    fragment:
      'interfaces: [{ name: api, type: openapi, ref: a.yaml }, { name: api, type: grpc, ref: b.proto }]',
    files: { 'a.yaml': '', 'b.proto': '' },
    at: 'interfaces[1].name',
  },
  DUPLICATE_CONFIGURATION_NAME: {
    fragment:
      'configurations: [{ name: app, required: true, ref: ../one }, { name: app, required: false, ref: ../two }]',
    at: 'configurations[1].name',
  },
  DUPLICATE_POLICY_NAME: {
    fragment: 'policies: [{ name: rules, ref: ../one }, { name: rules, ref: ../two }]',
    at: 'policies[1].name',
  },
  DUPLICATE_DEPENDENCY_NAME: {
    fragment:
      'dependencies: [{ name: db, ref: ../a, required: true, compatibility: "^1" }, { name: db, ref: ../b, required: true, compatibility: "^1" }]',
    at: 'dependencies[1].name',
  },
  CAPABILITY_INTERFACE_UNKNOWN: {
    fragment: 'capabilities: [{ type: health, binding: { type: http, interface: nope } }]',
    at: 'capabilities[0].binding.interface',
  },
  CAPABILITY_PATH_INVALID: {
    fragment: `interfaces: [{ name: api, type: grpc, ref: a.proto }]\ncapabilities: [{ type: health, binding: { type: http, interface: api, path: "/%2Fevil.example" } }]`,
    files: { 'a.proto': '' },
    at: 'capabilities[0].binding.path',
  },
  CAPABILITY_REF_INVALID: {
    fragment: 'capabilities: [{ type: extension, ref: tracing }]',
    at: 'capabilities[0].ref',
  },
  DUPLICATE_CAPABILITY: {
    fragment: 'capabilities: [{ type: health }, { type: health }]',
    at: 'capabilities[1]',
  },
  FILE_NOT_FOUND: { fragment: API.replace('a.yaml', 'gone.yaml'), at: 'interfaces[0].ref' },
  INVALID_INTERFACE_SPEC: {
    fragment: API,
    files: { 'a.yaml': 'paths: [ this is: broken' },
    at: 'interfaces[0].ref',
  },
  INVALID_CONFIG_JSON: {
    fragment: 'configurations: [{ name: app, required: true, schema: c.json }]',
    files: { 'c.json': 'type: object' },
    at: 'configurations[0].schema',
  },
  INVALID_CONFIG_SCHEMA: {
    fragment: 'configurations: [{ name: app, required: true, schema: c.json }]',
    files: { 'c.json': '{"type": 12345}' },
    at: 'configurations[0].schema',
  },
  INVALID_CONFIG_REF: {
    fragment: 'configurations: [{ name: app, required: true, ref: "oci://bad" }]',
    at: 'configurations[0].ref',
  },
  INVALID_POLICY_REF: { fragment: 'policies: [{ name: rules, ref: "oci://bad" }]', at: 'policies[0].ref' },
  INVALID_POLICY_JSON: {
    fragment: 'policies: [{ name: rules, schema: p.json }]',
    files: { 'p.json': 'not json' },
    at: 'policies[0].schema',
  },
  INVALID_POLICY_SCHEMA: {
    fragment: 'policies: [{ name: rules, schema: p.json }]',
    files: { 'p.json': '{"$ref": "#/missing"}' },
    at: 'policies[0].schema',
  },
  INVALID_OCI_REF: {
    fragment: dependency('ref: "oci://r.example.com/db@sha256:abc", compatibility: "^1"'),
    at: 'dependencies[0].ref',
  },
  TAG_NOT_DIGEST: {
    fragment: dependency('ref: "oci://r.example.com/a/db:1.0.0", compatibility: "^1"'),
    at: 'dependencies[0].ref',
  },
  EMPTY_COMPATIBILITY: {
    layer: alone(dependency('ref: ../db, compatibility: ""')),
    at: 'dependencies[0].compatibility',
  },
  INVALID_COMPATIBILITY: {
    fragment: dependency('ref: ../db, compatibility: not-a-range'),
    at: 'dependencies[0].compatibility',
  },
  VALUES_WITHOUT_SCHEMA: {
    layer: alone('configurations: [{ name: app, required: true, values: { A: 1 } }]'),
    at: 'configurations[0].values',
  },
  CONFIG_VALUES_VALIDATION_FAILED: {
    fragment: 'configurations: [{ name: app, required: true, schema: c.json, values: { PORT: eighty } }]',
    files: { 'c.json': '{"properties": {"PORT": {"type": "integer"}}}' },
    at: 'configurations[0].values',
  },
  STATELESS_PERSISTENT_CONFLICT: {
    layer: alone(
      'state: { type: stateless, persistence: { scope: local, durability: persistent }, dataCriticality: low }',
    ),
    at: 'state.persistence.durability',
  },
  INVALID_READINESS_EXPIRES: {
    fragment: ready(CLAIM).replace('2030-02-01', '2030-2-1'),
    at: 'readiness.expires',
  },
  INVALID_READINESS_REVISION: {
    fragment: `readiness: { expires: "2030-02-01", history: [{ date: "2029-13-01", version: " ", author: me, description: d }], claims: [${CLAIM}] }`,
    at: 'readiness.history[0].date',
    count: 2,
  },
  DUPLICATE_READINESS_ID: { fragment: ready(`${CLAIM}, ${CLAIM}`), at: 'readiness.claims[1].id' },
  EMPTY_READINESS_EVIDENCE: {
    fragment: ready(CLAIM.replace('evidence: x', 'evidence: "  "')),
    at: 'readiness.claims[0].evidence',
  },
  EMPTY_READINESS_DESCRIPTION: {
    fragment: ready(CLAIM.replace('id: a', 'id: a, description: "  "')),
    at: 'readiness.claims[0].description',
  },
  POLICY_REF_NOT_ENFORCED: { fragment: FAR_POLICY, at: 'policies[0].ref' },
  POLICY_REF_UNRESOLVED: { layer: () => resolved(undefined), at: '' },
  POLICY_REF_CYCLE: { layer: () => resolved([{ name: 'platform', ref: FAR }]), at: '' },
  POLICY_ENFORCEMENT_ERROR: {
    at: '',
    layer: () => {
      const found: Pick<StaticIssue, 'code' | 'path'>[] = [];
      const [problem] = readYaml(': [[[').problems;
      assert.ok(problem !== undefined);
      const policy = { origin: 'p', check: () => [] };
      enforcePolicies(
        { kind: 'unreadable', problem },
        [policy],
        (code) => void found.push({ code, path: '' }),
      );
      return Promise.resolve(found);
    },
  },
  POLICY_VIOLATION: {
    fragment: 'policies: [{ name: owners, schema: p.json }]',
    files: { 'p.json': '{"properties": {"service": {"required": ["owner"]}}}' },
    at: '',
  },
};

async function issuesOf(example: Example): Promise<readonly Pick<StaticIssue, 'code' | 'path'>[]> {
  if ('layer' in example) return example.layer();
  const text = 'document' in example ? example.document : BASE + example.fragment;
  const { errors, warnings } = pipe(text, ('files' in example ? example.files : undefined) ?? {});
  return [...errors, ...warnings];
}

for (const [code, example] of Object.entries(EXAMPLES)) {
  test(`the example of ${code}`, async () => {
    const found = await issuesOf(example);
    const count = 'count' in example ? (example.count ?? 1) : 1;
    assert.deepEqual(
      found.map((issue) => issue.code),
      Array.from({ length: count }, () => code),
    );
    assert.equal(found[0]?.path, example.at);
  });
}

test('there is an example for every static code, 38 of them', () => {
  const codes = [...FINDING_CODES].filter(([, { origin }]) => origin === 'static').map(([code]) => code);
  assert.deepEqual(Object.keys(EXAMPLES).sort(), codes.sort());
  assert.equal(codes.length, 38);
});

test('the reference example of the specification is valid with its files', () => {
  const page = readFileSync(new URL('../../docs/spec/contract.md', import.meta.url), 'utf8');
  const example = /### 1\.5 [^\n]*\n```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const contents = {
    'interfaces/rest.yaml': 'openapi: 3.1.0',
    'interfaces/ledger.proto': 'syntax = "proto3";',
    'configuration/app.json': '{"properties": {"LOG_LEVEL": {"type": "string"}}}',
    'policy/schema.json': '{"required": ["workload"]}',
  };
  assert.deepEqual(pipe(example, contents), { errors: [], warnings: [] });
});
