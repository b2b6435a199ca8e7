// Contracts from inline text and from a real registry: classes of failure, caches, credentials, limits of children.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sha256 } from '../../contract/bundle/digest.ts';
import type { RegistryCredentials } from '../../contract/registry/credentials.ts';
import { statusOfFailure } from '../../contract/registry/load-failure.ts';
import { repositoryKey } from '../../contract/registry/registry-reference.ts';
import { packed } from './bundle-support.ts';
import { failureOf, loadedOf, push, rig } from './loader-support.ts';
import { startRegistry } from './registry-server.ts';
import { BASE } from './support.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;

test('contract/138 inline text wins over a reference; neither is an error', async (t) => {
  const { loader } = await rig(t);
  const both = await loader.load({ inline: BASE, oci: 'nowhere.invalid/a/b:1' }, t.signal);
  assert.equal(loadedOf(both).contract.service.name, 'svc');
  assert.equal(loadedOf(both).resolvedRef, undefined);
  for (const source of [{}, { inline: '', oci: '' }]) {
    const failure = failureOf(await loader.load(source, t.signal));
    assert.equal(failure.kind, 'no-source');
    assert.match(failure.message, /^no contract source specified/);
  }
});

test('contract/139 inline text that does not parse', async (t) => {
  const { loader } = await rig(t);
  const failure = failureOf(await loader.load({ inline: 'a: [' }, t.signal));
  assert.equal(failure.kind, 'invalid-inline');
  assert.match(failure.message, /^failed to parse inline contract: failed to parse YAML: line 1/);
});

test('a contract that a busy machine had no time to check is unknown, not invalid, and is tried again', async (t) => {
  const { loader, checker } = await rig(t, { patienceMs: 0 });
  const inline = `${BASE}metadata: { note: "${'x'.repeat(300_000)}" }\n`;
  for (const tries of [1, 2]) {
    const failure = failureOf(await loader.load({ inline }, t.signal));
    assert.match(failure.message, /too busy/);
    assert.equal(statusOfFailure(failure.kind), 'Unknown');
    assert.equal(checker.threads, tries);
  }
});

test('a check that breaks is not remembered', async (t) => {
  const { loader, checker } = await rig(t);
  t.mock.method(checker, 'check', () => Promise.reject(new Error('no thread')), { times: 1 });
  await assert.rejects(loader.load({ inline: BASE }, t.signal), /no thread/);
  assert.equal(loadedOf(await loader.load({ inline: BASE }, t.signal)).contract.service.name, 'svc');
});

test('contract/140 the key of a tag list has no tag and no digest, but the port', () => {
  for (const version of ['', ':1.0.0', `@${DIGEST}`, `:1.0.0@${DIGEST}`]) {
    assert.equal(repositoryKey(`h/o/s${version}`), 'h/o/s');
    assert.equal(repositoryKey(`oci://registry:5000/o/s${version}`), 'registry:5000/o/s');
  }
});

test('a bundle is loaded by tag, by digest and by its highest version', async (t) => {
  const registry = await startRegistry(t);
  const r = await rig(t, { insecure: [registry.host] });
  const old = await push(t, r, `${registry.host}/acme/svc:1.0.0`, await packed({ 'docs/a.md': 'old' }));
  const young = await push(t, r, `${registry.host}/acme/svc:v1.2.0`, await packed({ 'docs/a.md': 'young' }));
  const load = async (oci: string) => loadedOf(await r.loader.load({ oci }, t.signal));
  const latest = await load(`oci://${registry.host}/acme/svc`);
  assert.equal(latest.digest, young);
  assert.equal(latest.resolvedRef, `${registry.host}/acme/svc:v1.2.0`);
  assert.equal(latest.resolutionPolicy, 'Latest');
  assert.equal(latest.contentHash, sha256(BASE));
  const tagged = await load(`${registry.host}/acme/svc:1.0.0`);
  assert.equal(tagged.digest, old);
  assert.equal(tagged.resolutionPolicy, 'PinnedTag');
  const pinned = await load(`${registry.host}/acme/svc@${young}`);
  assert.equal(pinned.resolvedRef, `${registry.host}/acme/svc@${young}`);
  assert.equal(pinned.resolutionPolicy, 'PinnedDigest');
  assert.equal(pinned.files?.read('docs/a.md').kind, 'file');
  assert.deepEqual(pinned.validation, { errors: [], warnings: [] });
});

test('every class of failure has its name and its status', async (t) => {
  const registry = await startRegistry(t);
  const r = await rig(t, { insecure: [registry.host] });
  await push(t, r, `${registry.host}/acme/svc:1.0.0`, await packed());
  const kind = async (oci: string): Promise<string> => {
    r.advance(60_000);
    const { kind, message } = failureOf(await r.loader.load({ oci }, t.signal));
    assert.match(message, /^failed to pull "/);
    return `${kind} ${statusOfFailure(kind)}`;
  };
  const svc = `${registry.host}/acme/svc`;
  assert.equal(await kind(`${svc}:9.9.9`), 'not-found Unknown');
  assert.equal(await kind(`${registry.host}/acme/none`), 'not-found Unknown');
  assert.equal(await kind(`${svc}@${DIGEST}`), 'not-found Unknown');
  assert.equal(await kind('127.0.0.1:1/acme/svc:1'), 'unreachable Unknown');
  assert.equal(await kind('host.invalid/acme/svc:1'), 'unreachable Unknown');
  assert.equal(await kind('acme'), 'invalid-reference Invalid');
  assert.equal(await kind(`${registry.host}/Acme/svc:1`), 'invalid-reference Invalid');
  assert.equal(await kind(`${svc}:bad tag`), 'invalid-reference Invalid');
  assert.equal(await kind(`${svc}@sha256:abc`), 'invalid-reference Invalid');
  const statuses = [
    [401, 'authentication Unknown'],
    [403, 'authentication Unknown'],
    [404, 'not-found Unknown'],
    [429, 'unreachable Unknown'],
    [500, 'unreachable Unknown'],
    [503, 'unreachable Unknown'],
  ] as const;
  await registry.faults(...statuses.map(([status]) => ({ path: `^/v2/acme/${status}/`, status })));
  // At once, because oras itself tries some of them again for seconds.
  const found = await Promise.all(
    statuses.map(async ([status]) => [status, await kind(`${registry.host}/acme/${status}:1.0.0`)]),
  );
  assert.deepEqual(found, statuses);
});

test('a registry without a semantic version resolves nothing', async (t) => {
  const registry = await startRegistry(t);
  const r = await rig(t, { insecure: [registry.host] });
  await push(t, r, `${registry.host}/acme/svc:latest`, await packed());
  const failure = failureOf(await r.loader.load({ oci: `${registry.host}/acme/svc` }, t.signal));
  assert.equal(failure.kind, 'not-found');
  assert.match(failure.message, /no semver tags/);
});

test('a layer that breaks off says nothing about the bundle; one with other bytes makes it invalid', async (t) => {
  const registry = await startRegistry(t);
  const r = await rig(t, { insecure: [registry.host] });
  const svc = `${registry.host}/acme/svc`;
  await push(t, r, `${svc}:1.0.0`, await packed());
  const kind = async (): Promise<string> => {
    r.advance(60_000);
    return failureOf(await r.loader.load({ oci: `${svc}:1.0.0` }, t.signal)).kind;
  };
  await registry.faults({ method: 'GET', path: '/blobs/', cut: 20 });
  assert.equal(await kind(), 'unreachable');
  await registry.faults({ method: 'GET', path: '/blobs/', status: 200, body: 'something else' });
  assert.equal(await kind(), 'invalid-bundle');
  await registry.faults({ path: '/manifests/', status: 200, body: '{}' });
  assert.equal(await kind(), 'invalid-bundle');
});

test('loads are kept for 30 seconds, failures too; those of a pull secret never', async (t) => {
  const registry = await startRegistry(t, { user: 'u', password: 'p' });
  const credentials: RegistryCredentials = { kind: 'basic', username: 'u', password: 'p' };
  const r = await rig(t, { insecure: [registry.host] });
  const source = { kind: 'credentials', credentials } as const;
  const oci = `${registry.host}/acme/svc:1.0.0`;
  await push(t, r, oci, await packed(), source);
  assert.equal(failureOf(await r.loader.load({ oci }, t.signal)).kind, 'authentication');
  const before = r.oras.children;
  assert.equal(failureOf(await r.loader.load({ oci }, t.signal)).kind, 'authentication');
  assert.equal(r.oras.children, before, 'the failure is kept');
  r.advance(30_000);
  assert.equal(failureOf(await r.loader.load({ oci }, t.signal)).kind, 'authentication');
  assert.equal(r.oras.children, before + 1, 'and forgotten');
  loadedOf(await r.loader.load({ oci, credentials }, t.signal));
  const asked = r.oras.children;
  loadedOf(await r.loader.load({ oci, credentials }, t.signal));
  assert.equal(r.oras.children, asked + 2, 'manifest and layer are fetched again');
  assert.equal(
    failureOf(await r.loader.load({ oci }, t.signal)).kind,
    'authentication',
    'nobody else may see it',
  );
  const wrong = { kind: 'basic', username: 'u', password: 'wrong' } as const;
  assert.equal(failureOf(await r.loader.load({ oci, credentials: wrong }, t.signal)).kind, 'authentication');
  assert.deepEqual(await readdir(r.folder), [], 'no credentials are left');
});

test('sources of credentials are tried in order until one is taken', async (t) => {
  const registry = await startRegistry(t, { user: 'u', password: 'p' });
  const wrong = {
    kind: 'credentials',
    credentials: { kind: 'basic', username: 'u', password: 'no' },
  } as const;
  const right = {
    kind: 'credentials',
    credentials: { kind: 'basic', username: 'u', password: 'p' },
  } as const;
  const r = await rig(t, { insecure: [registry.host], sources: [wrong, right, { kind: 'anonymous' }] });
  const oci = `${registry.host}/acme/svc:1.0.0`;
  await push(t, r, oci, await packed(), right);
  loadedOf(await r.loader.load({ oci }, t.signal));
});

test('a token is sent as it is to the registry that asks for one, and to no other', async (t) => {
  const bundle = await packed();
  const asked: string[] = [];
  const http = createServer((request, response) => {
    const { authorization = '', host = '' } = request.headers;
    asked.push(`${request.method} ${authorization}`);
    if (authorization !== 'Bearer t0ken') {
      response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${host}/token",service="x"` });
      response.end();
      return;
    }
    const digest =
      request.url?.includes('/manifests/') === true
        ? bundle.manifest.digest
        : (request.url?.split('/').at(-1) ?? '');
    const bytes = bundle.blobs.get(digest) ?? Buffer.of();
    response.writeHead(200, {
      'content-type': bundle.manifest.mediaType,
      'content-length': bytes.length,
      'docker-content-digest': digest,
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.after(() => http.close());
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  const r = await rig(t, { insecure: [host] });
  const credentials: RegistryCredentials = { kind: 'token', token: 't0ken' };
  const { digest } = loadedOf(await r.loader.load({ oci: `${host}/acme/svc:1.0.0`, credentials }, t.signal));
  assert.equal(digest, bundle.manifest.digest);
  assert.ok(asked.some((line) => line === 'GET Bearer t0ken'));
});

test('unchanged bytes are neither fetched nor parsed again; a moved tag is noticed after 30 seconds', async (t) => {
  const registry = await startRegistry(t);
  const r = await rig(t, { insecure: [registry.host] });
  const oci = `${registry.host}/acme/svc:1.0.0`;
  const digest = await push(t, r, oci, await packed());
  loadedOf(await r.loader.load({ oci }, t.signal));
  const pinned = `${registry.host}/acme/svc@${digest}`;
  const { children } = r.oras;
  const { parses } = r.checker;
  r.advance(60_000);
  loadedOf(await r.loader.load({ oci: pinned }, t.signal));
  assert.equal(r.oras.children, children, 'a digest that is known starts no child');
  loadedOf(await r.loader.load({ oci }, t.signal));
  assert.equal(r.oras.children, children + 1, 'only the manifest is asked for');
  assert.equal(r.checker.parses, parses);
  const moved = await push(t, r, oci, await packed({ 'a.txt': 'new' }));
  r.advance(29_000);
  assert.equal(loadedOf(await r.loader.load({ oci }, t.signal)).digest, digest);
  r.advance(1_000);
  assert.equal(loadedOf(await r.loader.load({ oci }, t.signal)).digest, moved);
  await r.loader.load({ inline: `${BASE}# inline\n` }, t.signal);
  const again = r.checker.parses;
  await r.loader.load({ inline: `${BASE}# inline\n` }, t.signal);
  assert.equal(r.checker.parses, again);
});

test('tag lists are kept for five minutes', async (t) => {
  const registry = await startRegistry(t);
  const r = await rig(t, { insecure: [registry.host] });
  const svc = `${registry.host}/acme/svc`;
  for (const tag of ['1.0.0', 'latest', 'v2.0.0']) await push(t, r, `${svc}:${tag}`, await packed());
  const versions = async (oci: string): Promise<unknown> => r.loader.versions({ oci }, t.signal);
  assert.deepEqual(await versions(svc), { kind: 'answer', value: ['v2.0.0', '1.0.0'] });
  await push(t, r, `${svc}:3.0.0`, await packed());
  r.advance(299_000);
  assert.deepEqual(await versions(`${svc}:1.0.0`), { kind: 'answer', value: ['v2.0.0', '1.0.0'] });
  r.advance(1_000);
  assert.deepEqual(await versions(svc), { kind: 'answer', value: ['3.0.0', 'v2.0.0', '1.0.0'] });
});

test('those who ask for the same at the same time wait for one answer', async (t) => {
  const registry = await startRegistry(t);
  const r = await rig(t, { insecure: [registry.host] });
  const oci = `${registry.host}/acme/svc:1.0.0`;
  await push(t, r, oci, await packed());
  const { children } = r.oras;
  const loads = await Promise.all(Array.from({ length: 20 }, () => r.loader.load({ oci }, t.signal)));
  for (const outcome of loads) loadedOf(outcome);
  assert.equal(r.oras.children, children + 2);
});

test('overrides are applied, or say what does not fit', async (t) => {
  const { loader } = await rig(t);
  const inline = `${BASE}configurations: [{ name: app, required: true, schema: c.json, values: { A: x } }]\n`;
  const overrides = [{ name: 'app', values: { A: 'y', B: 'z' } }];
  const { contract, overriddenKeys, contentHash } = loadedOf(
    await loader.load({ inline, overrides }, t.signal),
  );
  assert.deepEqual(contract.configurations[0]?.values, { A: 'y', B: 'z' });
  assert.deepEqual([...overriddenKeys], [['app', ['A', 'B']]]);
  assert.equal(contentHash, sha256(inline), 'the bytes before overrides');
  const failure = failureOf(
    await loader.load({ inline, overrides: [{ name: 'nope', values: {} }] }, t.signal),
  );
  assert.deepEqual([failure.kind, failure.path], ['override', 'spec.overrides']);
});

test('plain HTTP is spoken to registries that are named, and to no other, loopback included', async (t) => {
  const registry = await startRegistry(t);
  const r = await rig(t);
  const failure = failureOf(await r.loader.load({ oci: `${registry.host}/acme/svc:1.0.0` }, t.signal));
  assert.equal(failure.kind, 'unreachable');
  assert.match(failure.message, /HTTP response to HTTPS client; .* --insecure-registry$/);
  assert.deepEqual(await registry.log(), []);
});

test('a missing oras is one sentence that says what to do', async (t) => {
  const r = await rig(t, { program: 'oras-is-not-installed' });
  const failure = failureOf(await r.loader.load({ oci: 'registry.example.com/acme/svc:1.0.0' }, t.signal));
  assert.equal(failure.kind, 'unreachable');
  assert.match(
    failure.message,
    /cannot run oras-is-not-installed .*; install oras \(.*\) or name its path with --oras$/,
  );
});

test('whoever stops waiting is let go at once, and closing ends what runs', async (t) => {
  const registry = await startRegistry(t);
  const r = await rig(t, { insecure: [registry.host] });
  await registry.faults({ path: '^/v2/', delayMs: 600_000 });
  const oci = `${registry.host}/acme/svc:1.0.0`;
  const stop = new AbortController();
  const impatient = r.loader.load({ oci }, stop.signal);
  const patient = r.loader.load({ oci }, t.signal);
  stop.abort(new Error('gone'));
  await assert.rejects(impatient, /gone/);
  await r.loader.close();
  assert.equal(failureOf(await patient).kind, 'unreachable');
});
