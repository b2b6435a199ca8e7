// Cross-field checks that need no files, and the layers around them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allNamed, BASE, CLAIM, crossFields, named, pipe } from './support.ts';

const version = (text: string): string => BASE.replace('1.0.0', JSON.stringify(text));
const API = 'interfaces: [{ name: api, type: openapi, ref: a.yaml }]\n';
const dependency = (fields: string): string =>
  `${BASE}dependencies: [{ name: db, required: true, ${fields} }]`;
const readiness = (fields: string): string => `${BASE}readiness: { ${fields} }`;
/** Quoted text with DEL escaped, which JSON leaves alone and YAML refuses. */
const yamlText = (text: string): string => JSON.stringify(text).replace('\u007f', '\\x7f');
const bound = (path: string): string =>
  `${BASE}${API}capabilities: [{ type: health, binding: { type: http, interface: api, path: ${yamlText(path)} } }]`;
const DIGEST = `sha256:${'0'.repeat(64)}`;

const ROWS: readonly (readonly [row: string, text: string, issues: readonly string[]])[] = [
  ['contract/39 version not-semver', version('not-semver'), ['INVALID_SEMVER service.version']],
  ['contract/39 version 2.3.4', version('2.3.4'), []],
  ...['1', '0.1', 'v0.1'].map((text) => [`contract/40 version ${text}`, version(text), []] as const),
  ...['1.2.3.4', 'abc', 'V1.0.0', ' 1.0.0'].map(
    (text) => [`contract/41 version "${text}"`, version(text), ['INVALID_SEMVER service.version']] as const,
  ),
  [
    'contract/43 two interfaces of one name',
    `${BASE}interfaces: [{ name: api, type: openapi, ref: a }, { name: api, type: grpc, ref: b }]`,
    ['DUPLICATE_INTERFACE_NAME interfaces[1].name'],
  ],
  [
    'contract/44 duplicate configuration and policy names',
    `${BASE}configurations: [{ name: a, required: true, ref: ../x }, { name: a, required: true, ref: ../y }]\npolicies: [{ name: a, ref: ../x }, { name: a, ref: ../y }]`,
    ['DUPLICATE_CONFIGURATION_NAME configurations[1].name', 'DUPLICATE_POLICY_NAME policies[1].name'],
  ],
  [
    'contract/45 two dependencies of one name',
    `${BASE}dependencies: [{ name: cache, ref: ../a, required: true, compatibility: "^1" }, { name: cache, ref: ../b, required: true, compatibility: "^1" }]`,
    ['DUPLICATE_DEPENDENCY_NAME dependencies[1].name'],
  ],
  [
    'contract/47 health bound to an unknown interface',
    `${BASE}capabilities: [{ type: health, binding: { type: http, interface: nope } }]`,
    ['CAPABILITY_INTERFACE_UNKNOWN capabilities[0].binding.interface'],
  ],
  ['contract/48 health bound to a known interface', bound('/healthz'), []],
  ...[
    '//evil.example',
    '/%2Fevil.example',
    '/%2f%2fevil.example',
    'http://evil.example',
    'https://evil.example',
    'user@host',
    '#fragment',
    'relative/no/slash',
    '/\u007f',
    '/\\evil.example',
    '/a#frag',
    '/%zz',
  ].map(
    (path) =>
      [
        `contract/49 path ${JSON.stringify(path)}`,
        bound(path),
        ['CAPABILITY_PATH_INVALID capabilities[0].binding.path'],
      ] as const,
  ),
  ...['/healthz', '/metrics', '/a/b/c', '/', '/a?x=1', '/a b', '/a:b', '/%2e%2e/x'].map(
    (path) => [`contract/50 path ${path}`, bound(path), []] as const,
  ),
  [
    'contract/53 extension ref bad-ref',
    `${BASE}capabilities: [{ type: extension, ref: bad-ref }]`,
    ['CAPABILITY_REF_INVALID capabilities[0].ref'],
  ],
  [
    'contract/54 extension ref foo/bar',
    `${BASE}capabilities: [{ type: extension, ref: foo/bar }]`,
    ['CAPABILITY_REF_INVALID capabilities[0].ref'],
  ],
  [
    'contract/54 extension ref https://x.y/z',
    `${BASE}capabilities: [{ type: extension, ref: "https://x.y/z" }]`,
    ['CAPABILITY_REF_INVALID capabilities[0].ref'],
  ],
  [
    'contract/55 the same extension twice',
    `${BASE}capabilities: [{ type: extension, ref: a.b/c }, { type: extension, ref: a.b/c }]`,
    ['DUPLICATE_CAPABILITY capabilities[1]'],
  ],
  [
    'contract/55 health twice',
    `${BASE}capabilities: [{ type: health }, { type: health }]`,
    ['DUPLICATE_CAPABILITY capabilities[1]'],
  ],
  [
    'contract/56 two different extensions',
    `${BASE}capabilities: [{ type: extension, ref: a.b/c }, { type: extension, ref: a.b/d }]`,
    [],
  ],
  ['contract/61 an interface file without a bundle', `${BASE}${API}`, []],
  [
    'contract/70 configuration ref oci://bad',
    `${BASE}configurations: [{ name: a, required: true, ref: "oci://bad" }]`,
    ['INVALID_CONFIG_REF configurations[0].ref'],
  ],
  [
    'contract/70 configuration ref with a tag',
    `${BASE}configurations: [{ name: a, required: true, ref: "oci://registry.example.com/acme/config:1.0.0" }]`,
    [],
  ],
  [
    'contract/71 values without schema and ref',
    `${BASE}configurations: [{ name: a, required: true, values: { A: 1 } }]`,
    ['VALUES_WITHOUT_SCHEMA configurations[0].values'],
  ],
  [
    'contract/73 values beside a ref',
    `${BASE}configurations: [{ name: a, required: true, ref: ../x, values: { A: 1 } }]`,
    [],
  ],
  [
    'contract/78 policy ref oci://bad',
    `${BASE}policies: [{ name: a, ref: "oci://bad" }]`,
    ['INVALID_POLICY_REF policies[0].ref'],
  ],
  [
    'contract/80 dependency ref oci://bad',
    dependency('ref: "oci://bad", compatibility: not-a-range'),
    ['INVALID_OCI_REF dependencies[0].ref'],
  ],
  [
    'contract/81 dependency with a tag',
    dependency('ref: "oci://r.example.com/a/db:1.0.0", compatibility: "^1"'),
    ['TAG_NOT_DIGEST dependencies[0].ref'],
  ],
  [
    'contract/81 dependency with a digest',
    dependency(`ref: "oci://r.example.com/a/db@${DIGEST}", compatibility: "^1"`),
    [],
  ],
  ['contract/82 untagged dependency', dependency('ref: "oci://r.example.com/a/db", compatibility: "^1"'), []],
  [
    'contract/83 empty range',
    dependency('ref: ../db, compatibility: ""'),
    ['EMPTY_COMPATIBILITY dependencies[0].compatibility'],
  ],
  [
    'contract/83 range not-a-range',
    dependency('ref: ../db, compatibility: not-a-range'),
    ['INVALID_COMPATIBILITY dependencies[0].compatibility'],
  ],
  [
    'contract/85 tag outside the range',
    dependency('ref: "oci://r.example.com/a/db:1.0.0", compatibility: "^2.0.0"'),
    ['TAG_NOT_DIGEST dependencies[0].ref'],
  ],
  [
    'contract/86 stateless and persistent',
    `${BASE}state: { type: stateless, persistence: { scope: local, durability: persistent }, dataCriticality: low }`,
    ['STATELESS_PERSISTENT_CONFLICT state.persistence.durability'],
  ],
  [
    'contract/86 stateful and persistent',
    `${BASE}state: { type: stateful, persistence: { scope: local, durability: persistent }, dataCriticality: low }`,
    [],
  ],
  [
    'contract/87 expires 2026-1-1',
    readiness(`expires: "2026-1-1", claims: [${CLAIM}]`),
    ['INVALID_READINESS_EXPIRES readiness.expires'],
  ],
  ['contract/87 expires 2026-12-31', readiness(`expires: "2026-12-31", claims: [${CLAIM}]`), []],
  [
    'contract/88 expires 2026-02-30',
    readiness(`expires: "2026-02-30", claims: [${CLAIM}]`),
    ['INVALID_READINESS_EXPIRES readiness.expires'],
  ],
  [
    'contract/89 two claims of one id',
    readiness(`expires: "2026-12-31", claims: [${CLAIM}, ${CLAIM}]`),
    ['DUPLICATE_READINESS_ID readiness.claims[1].id'],
  ],
  [
    'contract/90 blank evidence',
    readiness(`expires: "2026-12-31", claims: [${CLAIM.replace('evidence: x', 'evidence: "  "')}]`),
    ['EMPTY_READINESS_EVIDENCE readiness.claims[0].evidence'],
  ],
  [
    'contract/91 blank description',
    readiness(`expires: "2026-12-31", claims: [${CLAIM.replace('id: a', 'id: a, description: "  "')}]`),
    ['EMPTY_READINESS_DESCRIPTION readiness.claims[0].description'],
  ],
  ['contract/91 no description', readiness(`expires: "2026-12-31", claims: [${CLAIM}]`), []],
  [
    'contract/92 history date 2026-1-1',
    readiness(
      `expires: "2026-12-31", claims: [${CLAIM}], history: [{ date: "2026-1-1", version: "1", author: me, description: d }]`,
    ),
    ['INVALID_READINESS_REVISION readiness.history[0].date'],
  ],
  [
    'contract/93 bad date and three blank fields',
    readiness(
      `expires: "2026-12-31", claims: [${CLAIM}], history: [{ date: "2026-1-1", version: " ", author: " ", description: " " }]`,
    ),
    ['date', 'version', 'author', 'description'].map(
      (field) => `INVALID_READINESS_REVISION readiness.history[0].${field}`,
    ),
  ],
];

for (const [row, text, issues] of ROWS) {
  test(row, () => {
    assert.deepEqual(named(crossFields(text)), issues);
  });
}

test('contract/42 a bad version stops policies', () => {
  assert.deepEqual(
    allNamed(pipe(`${version('nope')}policies: [{ name: a, ref: "oci://r.example.com/a/b:1.0.0" }]`)),
    ['INVALID_SEMVER service.version'],
  );
});

test('contract/46 the third of three equal names cites the second', () => {
  const item = '{ name: api, type: grpc, ref: a }';
  const issues = crossFields(`${BASE}interfaces: [${item}, ${item}, ${item}]`);
  assert.deepEqual(
    issues.map(({ message }) => message),
    ['"api" is already declared at interfaces[0].name', '"api" is already declared at interfaces[1].name'],
  );
});

test('contract/51 a path with two slashes breaks the schema first', () => {
  assert.deepEqual(allNamed(pipe(bound('//evil.example'))), ['SCHEMA_VIOLATION capabilities.0.binding.path']);
});

test('contract/52 a fragment in a path', () => {
  assert.deepEqual(allNamed(pipe(bound('/a#frag'))), [
    'CAPABILITY_PATH_INVALID capabilities[0].binding.path',
  ]);
});

test('contract/57 an extension without ref gives two schema leaves and no capability code', () => {
  const { errors } = pipe(`${BASE}capabilities: [{ type: extension }]`);
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['SCHEMA_VIOLATION', 'SCHEMA_VIOLATION'],
  );
});

test('contract/79 a policy target other than contract', () => {
  assert.deepEqual(
    allNamed(pipe(`${BASE}policies: [{ name: a, schema: p.json, target: runtime }]`, { 'p.json': '{}' })),
    ['SCHEMA_VIOLATION policies.0.target'],
  );
});

test('contract/84 an empty range breaks the schema, a blank one the range rule', () => {
  assert.deepEqual(allNamed(pipe(dependency('ref: ../db, compatibility: ""'))), [
    'SCHEMA_VIOLATION dependencies.0.compatibility',
  ]);
  assert.deepEqual(allNamed(pipe(dependency('ref: ../db, compatibility: " "'))), [
    'INVALID_COMPATIBILITY dependencies[0].compatibility',
  ]);
});

test('warnings stop nothing and come apart from errors', () => {
  const result = pipe(dependency('ref: "oci://r.example.com/a/db:1.0.0", compatibility: "^1"'));
  assert.deepEqual(result.errors, []);
  assert.deepEqual(named(result.warnings), ['TAG_NOT_DIGEST dependencies[0].ref']);
  assert.equal(result.warnings[0]?.line, 3);
});

test('findings come in the order of the checks', () => {
  const text = `${version('nope')}${API}capabilities: [{ type: health, binding: { type: http, interface: gone } }]\ndependencies: [{ name: db, ref: ../db, required: true, compatibility: not-a-range }]\nreadiness: { expires: soon, claims: [${CLAIM}] }`;
  assert.deepEqual(
    crossFields(text).map(({ code }) => code),
    ['INVALID_SEMVER', 'CAPABILITY_INTERFACE_UNKNOWN', 'INVALID_COMPATIBILITY', 'INVALID_READINESS_EXPIRES'],
  );
});
