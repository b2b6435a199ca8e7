// Pull secrets as the controller's definition tables them: what is sent where, and what is refused before anybody is asked.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findCondition } from '../../api/conditions.ts';
import { pullSecretReader, type PullSecretReader } from '../../operator/pull-secret-reader.ts';
import { packed } from '../contract/bundle-support.ts';
import { script } from '../contract/fixtures-oras.ts';
import { push, rig } from '../contract/loader-support.ts';
import { startRegistry } from '../contract/registry-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { assertUnknown, judged } from './load-support.ts';

const encoded = (data: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));

/** A namespace with the Secret `pull`. */
function secret(data: Readonly<Record<string, string>>, type = 'Opaque'): PullSecretReader {
  return pullSecretReader({ get: () => Promise.resolve({ type, data: encoded(data) }) });
}

/** What becomes of a Pacto with this reference and the Secret `pull`, where no registry may be asked. */
async function refused(
  t: TestContext,
  oci: string,
  reader: PullSecretReader,
  message: RegExp,
): Promise<void> {
  const r = await rig(t, { program: 'oras-is-not-installed' });
  const told = await judged(t, r, { oci, pullSecretRef: 'pull' }, reader);
  assertUnknown(told, message);
  assert.equal(told.status.resolutionPolicy, undefined);
  assert.equal(r.oras.children, 0);
}

/** Loads with the Secret `pull` from a registry that takes ada's password only; tells what it was. */
async function taken(
  t: TestContext,
  dataFor: (host: string) => Readonly<Record<string, string>>,
  type?: string,
): Promise<void> {
  const registry = await startRegistry(t, { user: 'ada', password: 'word' });
  const r = await rig(t, { insecure: [registry.host] });
  const oci = `${registry.host}/acme/svc:1.0.0`;
  const credentials = { kind: 'basic', username: 'ada', password: 'word' } as const;
  await push(t, r, oci, await packed(), { kind: 'credentials', credentials });
  assertUnknown(await judged(t, r, { oci }), /authentication failed for /);
  const told = await judged(t, r, { oci, pullSecretRef: 'pull' }, secret(dataFor(registry.host), type));
  assert.equal(findCondition(told.status.conditions, 'ContractValid')?.status, 'True');
  assert.equal(told.status.contract?.resolvedRef, oci);
}

test('controller/118 a token wins over a user', async (t) => {
  const folder = await temporaryFolder(t);
  // The configuration holds what would be sent; the last word before -- names it.
  const program = await script(folder, 'cat "${4#--registry-config=}" >&2; exit 1');
  const r = await rig(t, { program });
  const reader = secret({ token: 'dG9rZW4x', username: 'ada', password: 'word' });
  const told = await judged(t, r, { oci: 'reg.example.com/a/b:1', pullSecretRef: 'pull' }, reader);
  const message = findCondition(told.status.conditions, 'ContractValid')?.message ?? '';
  assert.match(message, /"registrytoken":"\*\*\*"/, 'the token was handed over, and is not shown');
  assert.doesNotMatch(message, /"auth":|dG9rZW4x/);
});

test('controller/119 a user without a password is refused', async (t) => {
  await refused(
    t,
    'reg.example/a/b:1',
    secret({ username: 'ada' }),
    /must contain either 'token' or 'username'\+'password' keys$/,
  );
});

test('controller/120 a Secret of one registry is not sent to another', async (t) => {
  const reader = secret({ registry: 'reg.example', token: 't0ken' });
  await refused(
    t,
    'other.example/a/b:1',
    reader,
    /is scoped to registry "reg\.example" but credentials were requested for "other\.example"$/,
  );
});

test('controller/121 a Secret is sent to the registry it names, in whatever form', async (t) => {
  await taken(t, (host) => ({ registry: `https://${host}/v2/`, username: 'ada', password: 'word' }));
});

test('controller/122 a Secret that names no registry is sent to any', async (t) => {
  await taken(t, () => ({ username: 'ada', password: 'word' }));
});

const DOCKER = 'kubernetes.io/dockerconfigjson';

/** A Docker configuration with one entry, under the URL of its registry. */
const dockerConfig =
  (entry: object) =>
  (host: string): Readonly<Record<string, string>> => ({
    '.dockerconfigjson': JSON.stringify({ auths: { [`https://${host}`]: entry } }),
  });

test('controller/123 an entry of a Docker configuration is found by its URL', async (t) => {
  await taken(t, dockerConfig({ username: 'ada', password: 'word' }), DOCKER);
});

test('controller/124 an entry of a Docker configuration with auth alone is decoded', async (t) => {
  await taken(t, dockerConfig({ auth: Buffer.from('ada:word').toString('base64') }), DOCKER);
});

test('controller/125 every way a Docker configuration can be wrong leaves the contract unknown', async (t) => {
  const entry = (value: object) => JSON.stringify({ auths: { 'reg.example': value } });
  const auth = (text: string): string => entry({ auth: Buffer.from(text).toString('base64') });
  for (const [text, message] of [
    [undefined, /has no key \.dockerconfigjson$/],
    ['{', /holds malformed JSON in \.dockerconfigjson$/],
    ['{"auths":{}}', /has no registry entries$/],
    [
      '{"auths":{"other.example":{}}}',
      /has no entry for registry "reg\.example"; it has entries for other\.example$/,
    ],
    [entry({ auth: '***' }), /whose auth is not base64$/],
    [auth('no colon'), /whose auth is not user:password$/],
    [auth(':word'), /whose auth is not user:password$/],
    [entry({}), /has an empty entry for registry "reg\.example"$/],
  ] as const) {
    const data: Readonly<Record<string, string>> = text === undefined ? {} : { '.dockerconfigjson': text };
    await refused(t, 'reg.example/a/b:1', secret(data, DOCKER), message);
  }
});

test('controller/126 a pull secret that is not there leaves the contract unknown and is named', async (t) => {
  const reader = pullSecretReader({ get: () => Promise.reject(new Error('secrets "pull" not found')) });
  await refused(t, 'reg.example/a/b:1', reader, /secret "pull" not found: secrets "pull" not found$/);
});

test('controller/127 a reference without a host is for Docker Hub', async (t) => {
  const asked = (host: string): RegExp => new RegExp(`credentials were requested for "${host}"$`);
  const elsewhere = secret({ registry: 'elsewhere.example', token: 't0ken' });
  await refused(t, 'registry:5000/a/b:1.0', elsewhere, asked('registry:5000'));
  for (const oci of ['ubuntu', 'library/ubuntu']) await refused(t, oci, elsewhere, asked('docker.io'));
});
