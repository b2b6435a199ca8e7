// Pull secrets in all their forms, and the registry a reference belongs to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialSources, registryConfig } from '../../contract/registry/credentials.ts';
import { credentialsFromSecret, type SecretCredentials } from '../../contract/registry/pull-secret.ts';
import {
  normalizeReference,
  parseRegistryReference,
  registryHostOf,
} from '../../contract/registry/registry-reference.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const REF = 'oci://registry.example.com:5000/acme/svc:1.0.0';
const HOST = 'registry.example.com:5000';

function read(data: Readonly<Record<string, string>>, reference = REF, type?: string): SecretCredentials {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)]));
  return credentialsFromSecret(
    { name: 'pull', data: encoded, ...(type !== undefined && { type }) },
    reference,
  );
}

const docker = (config: unknown, reference = REF): SecretCredentials =>
  read(
    { '.dockerconfigjson': typeof config === 'string' ? config : JSON.stringify(config) },
    reference,
    'kubernetes.io/dockerconfigjson',
  );
const message = (found: SecretCredentials): string => (found.kind === 'unusable' ? found.message : 'usable');
const basic = (username: string, password: string): SecretCredentials => ({
  kind: 'credentials',
  credentials: { kind: 'basic', username, password },
});

test('a token wins over a user; a user needs both words', () => {
  assert.deepEqual(read({ token: 't', username: 'u', password: 'p' }), {
    kind: 'credentials',
    credentials: { kind: 'token', token: 't' },
  });
  assert.deepEqual(read({ username: 'u', password: 'p' }), basic('u', 'p'));
  const wanted = `secret "pull" must contain either 'token' or 'username'+'password' keys`;
  for (const data of [{}, { username: 'u' }, { username: 'u', password: '' }])
    assert.equal(message(read(data)), wanted);
});

test('a secret bound to a registry is for that registry alone', () => {
  const bound = (registry: string, reference = REF): SecretCredentials =>
    read({ registry, token: 't' }, reference);
  assert.equal(bound(` ${HOST}\n`).kind, 'credentials');
  assert.equal(bound(`https://${HOST}/v2/`).kind, 'credentials');
  assert.equal(
    message(bound('other.example.com')),
    `secret "pull" is scoped to registry "other.example.com" but credentials were requested for "${HOST}"`,
  );
  assert.equal(bound('index.docker.io', 'acme/svc:1').kind, 'credentials');
  assert.equal(bound('docker.io', '').kind, 'credentials', 'an inline contract counts as Docker Hub');
  assert.equal(bound('  ').kind, 'credentials', 'a blank binding binds nothing');
});

test('a Docker configuration', () => {
  const auths = (entry: unknown, key = HOST): object => ({ auths: { [key]: entry } });
  assert.deepEqual(docker(auths({ username: 'u', password: 'p', auth: base64('x:y') })), basic('u', 'p'));
  assert.deepEqual(docker(auths({ auth: base64('u:p:q') }, `https://${HOST}/v1/`)), basic('u', 'p:q'));
  assert.deepEqual(
    docker(auths({ auth: base64('u:p') }, 'https://index.docker.io/v1/'), 'acme/svc:1'),
    basic('u', 'p'),
  );
  const rows: readonly (readonly [config: unknown, message: RegExp])[] = [
    ['{', /holds malformed JSON/],
    [{ auths: {} }, /has no registry entries/],
    [
      { auths: { 'b.example.com': {}, 'a.example.com': {} } },
      /no entry for registry ".*"; it has entries for a\.example\.com, b\.example\.com$/,
    ],
    [auths({}), /empty entry/],
    [auths({ auth: '***' }), /not base64/],
    [auths({ auth: base64('nocolon') }), /not user:password/],
    [auths({ auth: base64(':p') }), /not user:password/],
  ];
  for (const [config, expected] of rows) assert.match(message(docker(config)), expected);
  assert.match(message(read({}, REF, 'kubernetes.io/dockerconfigjson')), /has no key \.dockerconfigjson/);
});

test('no message holds a value of the secret', () => {
  const found = docker({ auths: { [HOST]: { auth: base64('s3cr3t-without-colon') } } });
  assert.doesNotMatch(message(found), /s3cr3t/);
});

test('the registry of a reference', () => {
  for (const [reference, host] of [
    ['registry.example.com/a/b:1', 'registry.example.com'],
    ['registry:5000/a@sha256:0', 'registry:5000'],
    ['acme/svc', 'docker.io'],
    ['localhost/a', 'docker.io'],
    ['svc', 'docker.io'],
    ['', 'docker.io'],
  ] as const) {
    assert.equal(registryHostOf(reference), host, reference);
  }
});

test('references as a registry gets them', () => {
  const parsed = (text: string): string => {
    const result = parseRegistryReference(normalizeReference(text));
    if (result.kind === 'invalid') return 'invalid';
    const { registry, repository, tag = '', policy } = result.reference;
    return [registry, repository, tag, policy].join(' ');
  };
  assert.equal(parsed('oci://r.example.com/a/b:1.0.0'), 'r.example.com a/b 1.0.0 PinnedTag');
  assert.equal(parsed('r.example.com%2Fa%2Fb'), 'r.example.com a/b  Latest');
  assert.equal(parsed('100%/a'), 'invalid');
  assert.equal(parsed('acme/svc:1'), 'docker.io acme/svc 1 PinnedTag');
  assert.equal(parsed('docker.io/svc:1'), 'docker.io library/svc 1 PinnedTag');
  assert.equal(parsed('[::1]:5000/a/b'), '[::1]:5000 a/b  Latest');
  for (const text of [
    'r.example.com/A/b',
    'r.example.com/a//b',
    'r_x.example.com/a',
    '-r.example.com/a',
    `r.example.com/${'a'.repeat(2000)}`,
    'r.example.com/--help',
    'r.example.com/a\nb',
  ]) {
    assert.equal(parsed(text), 'invalid', text);
  }
});

test('configurations handed to oras, and the order of sources', () => {
  assert.deepEqual(JSON.parse(registryConfig('docker.io', { kind: 'basic', username: 'u', password: 'p' })), {
    auths: { 'https://index.docker.io/v1/': { auth: base64('u:p') } },
  });
  assert.deepEqual(JSON.parse(registryConfig(HOST, { kind: 'token', token: 't' })), {
    auths: { [HOST]: { registrytoken: 't' } },
  });
  assert.deepEqual(JSON.parse(registryConfig(HOST, undefined)), { auths: {} });
  const kinds = (options: Parameters<typeof credentialSources>[0]): readonly string[] =>
    credentialSources(options).map((source) =>
      source.kind === 'credentials' ? source.credentials.kind : source.kind,
    );
  assert.deepEqual(kinds({ token: 't', username: 'u', password: 'p', dockerConfig: '/x' }), [
    'token',
    'docker-config',
    'anonymous',
  ]);
  assert.deepEqual(kinds({ username: 'u', password: 'p' }), ['basic', 'anonymous']);
  assert.deepEqual(kinds({ username: 'u' }), ['anonymous']);
});
