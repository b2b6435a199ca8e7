// A registry with a certificate of its own authority, and credentials that a helper of Docker gives.
import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { CredentialSource } from '../../contract/registry/credentials.ts';
import { CertificateAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { packed } from './bundle-support.ts';
import { failureOf, loadedOf, push, rig } from './loader-support.ts';
import { type RegistryServer, startRegistry } from './registry-server.ts';

const USER = 'ada';
const PASSWORD = 'correct-horse-battery';
const CREDENTIALS = {
  kind: 'credentials',
  credentials: { kind: 'basic', username: USER, password: PASSWORD },
} as const;

type Guarded = { readonly registry: RegistryServer; readonly caFile: string; readonly folder: string };

/** A registry behind TLS that asks for user and password. */
async function guarded(t: TestContext): Promise<Guarded> {
  const folder = await temporaryFolder(t);
  const authority = new CertificateAuthority();
  const { cert, key } = authority.issue();
  const [caFile, certFile, keyFile] = ['ca.pem', 'tls.crt', 'tls.key'].map((name) => join(folder, name));
  assert.ok(caFile !== undefined && certFile !== undefined && keyFile !== undefined);
  await writeFile(caFile, authority.pem);
  await writeFile(certFile, cert);
  await writeFile(keyFile, key);
  const registry = await startRegistry(t, { user: USER, password: PASSWORD, tls: { certFile, keyFile } });
  return { registry, caFile, folder };
}

test('a registry of an authority of its own is trusted when SSL_CERT_FILE names it, and only then', async (t) => {
  const { registry, caFile } = await guarded(t);
  const trusting = await rig(t, { env: { SSL_CERT_FILE: caFile }, sources: [CREDENTIALS] });
  const oci = `${registry.host}/acme/svc:1.0.0`;
  const digest = await push(t, trusting, oci, await packed(), CREDENTIALS);
  const loaded = loadedOf(await trusting.loader.load({ oci }, t.signal));
  assert.deepEqual([loaded.contract.service.name, loaded.digest], ['svc', digest]);
  const other = await rig(t, { sources: [CREDENTIALS] });
  const untrusted = failureOf(await other.loader.load({ oci }, t.signal));
  assert.equal(untrusted.kind, 'unreachable');
  assert.match(
    untrusted.message,
    /x509: certificate signed by unknown authority; name the certificate of its authority in SSL_CERT_FILE$/,
  );
  // Naming it as a registry of plain HTTP does not get around its certificate.
  const plain = await rig(t, { insecure: [registry.host], sources: [CREDENTIALS] });
  assert.equal(failureOf(await plain.loader.load({ oci }, t.signal)).kind, 'unreachable');
  const nobody = await rig(t, { env: { SSL_CERT_FILE: caFile } });
  assert.equal(failureOf(await nobody.loader.load({ oci }, t.signal)).kind, 'authentication');
  for (const { folder } of [trusting, other, plain, nobody]) assert.deepEqual(await readdir(folder), []);
});

/** A credential helper that writes down what it was asked, and a configuration that names it for `host`. */
async function helper(
  folder: string,
  host: string,
  body: string,
  named = 'test',
): Promise<{ readonly path: string; readonly asked: string; readonly source: CredentialSource }> {
  const bin = join(folder, 'bin');
  const asked = join(folder, 'asked');
  await mkdir(bin);
  const program = join(bin, 'docker-credential-test');
  await writeFile(program, `#!/bin/sh\n{ echo "$1"; cat; echo; } >> '${asked}'\n${body}\n`);
  await chmod(program, 0o755);
  const file = join(folder, 'config.json');
  await writeFile(file, JSON.stringify({ credHelpers: { [host]: named } }));
  const path = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
  return { path, asked, source: { kind: 'docker-config', file } };
}

test('a credential helper of the Docker configuration is asked by oras', async (t) => {
  const { registry, caFile, folder } = await guarded(t);
  const oci = `${registry.host}/acme/svc:1.0.0`;
  const pusher = await rig(t, { env: { SSL_CERT_FILE: caFile } });
  await push(t, pusher, oci, await packed(), CREDENTIALS);
  const answer = JSON.stringify({ ServerURL: registry.host, Username: USER, Secret: PASSWORD });
  const { path, asked, source } = await helper(folder, registry.host, `echo '${answer}'`);
  const r = await rig(t, { env: { SSL_CERT_FILE: caFile, PATH: path }, sources: [source] });
  assert.equal(loadedOf(await r.loader.load({ oci }, t.signal)).contract.service.name, 'svc');
  assert.deepEqual(new Set((await readFile(asked, 'utf8')).split('\n')), new Set(['get', registry.host, '']));
  assert.deepEqual(await readdir(r.folder), [], 'the configuration is used where it lies');
});

const BROKEN: readonly (readonly [what: string, body: string, cause: RegExp, named?: string])[] = [
  ['is not installed', '', /failed to resolve credential: .*not found/, 'absent'],
  ['knows nothing', 'echo "credentials not found in native keychain"; exit 1', /credential not found/],
  ['gives a wrong password', `echo '{"Username":"ada","Secret":"wrong-horse-battery"}'`, /unauthorized/],
  ['breaks', 'echo "the keychain is locked" >&2; exit 3', /failed to resolve credential: exit status 3/],
  ['says something else', 'echo "who asks?"', /failed to resolve credential: invalid character/],
];

for (const [what, body, cause, named] of BROKEN) {
  test(`a credential helper that ${what} leaves the contract unknown, and the next source is tried`, async (t) => {
    const { registry, caFile, folder } = await guarded(t);
    const oci = `${registry.host}/acme/svc:1.0.0`;
    const pusher = await rig(t, { env: { SSL_CERT_FILE: caFile } });
    await push(t, pusher, oci, await packed(), CREDENTIALS);
    const { path, source } = await helper(folder, registry.host, body, named);
    const env = { SSL_CERT_FILE: caFile, PATH: path };
    const alone = await rig(t, { env, sources: [source] });
    const { kind, message } = failureOf(await alone.loader.load({ oci }, t.signal));
    assert.equal(kind, 'authentication', message);
    assert.match(message, cause);
    assert.doesNotMatch(message, /horse/);
    const both = await rig(t, { env, sources: [source, CREDENTIALS] });
    assert.equal(loadedOf(await both.loader.load({ oci }, t.signal)).contract.service.name, 'svc');
  });
}
