// References, tags, caches and classes of failure as the controller's definition tables them, with a real registry and the
// real oras wherever one is asked.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sha256 } from '../../contract/bundle/digest.ts';
import { descriptorJson, MEDIA_TYPES } from '../../contract/bundle/manifest.ts';
import type { PackedBundle } from '../../contract/bundle/pack-bundle.ts';
import { resolutionPolicy } from '../../contract/oci-reference.ts';
import { BundleRegistry } from '../../contract/registry/bundle-registry.ts';
import { statusOfFailure } from '../../contract/registry/load-failure.ts';
import { normalizeReference } from '../../contract/registry/registry-reference.ts';
import { pactoGate } from '../cli/validate-support.ts';
import { packed, parseCheck, tar } from '../contract/bundle-support.ts';
import { script } from '../contract/fixtures-oras.ts';
import { loadedOf, push, reference, rig, type Rig } from '../contract/loader-support.ts';
import { type RegistryServer, startRegistry } from '../contract/registry-server.ts';
import { BASE } from '../contract/support.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { assertInvalid, assertUnknown, judged } from './load-support.ts';

/** An open registry with these tags of `acme/svc`. */
async function shelf(
  t: TestContext,
  tags: readonly string[],
): Promise<{ readonly registry: RegistryServer; readonly svc: string; readonly r: Rig }> {
  const registry = await startRegistry(t);
  const r = await rig(t, { insecure: [registry.host] });
  const svc = `${registry.host}/acme/svc`;
  for (const tag of tags) await push(t, r, `${svc}:${tag}`, await packed());
  return { registry, svc, r };
}

test('controller/104 the shape of a reference tells how its version is chosen', () => {
  for (const [text, policy] of [
    ['reg.example/org/svc', 'Latest'],
    ['reg.example:5000/org/svc', 'Latest'],
    ['reg.example/org/svc:1.2.3', 'PinnedTag'],
    ['reg.example:5000/org/svc:v1.0.0', 'PinnedTag'],
    ['oci://reg.example/org/svc:latest', 'PinnedTag'],
    [`reg.example:5000/org/svc@sha256:${'0'.repeat(64)}`, 'PinnedDigest'],
    [`reg.example/org/svc:1.0.0@sha256:${'0'.repeat(64)}`, 'PinnedDigest'],
  ] as const) {
    assert.equal(resolutionPolicy(normalizeReference(text)), policy, text);
  }
});

test('controller/105 a reference loses its percent signs and its scheme', () => {
  assert.equal(normalizeReference('oci://reg.example/org/svc%3A1.0.0'), 'reg.example/org/svc:1.0.0');
});

test('controller/106 the highest version is taken, and what is no version is left out', async (t) => {
  const { svc, r } = await shelf(t, ['1.0.0', '2.1.0', '1.5.0', 'latest', 'dev']);
  assert.equal(loadedOf(await r.loader.load({ oci: svc }, t.signal)).resolvedRef, `${svc}:2.1.0`);
});

test('controller/107 a tag keeps its spelling', async (t) => {
  const { svc, r } = await shelf(t, ['v1.0.0', 'v2.0.0']);
  assert.equal(loadedOf(await r.loader.load({ oci: svc }, t.signal)).resolvedRef, `${svc}:v2.0.0`);
});

test('controller/108 without a version among the tags nothing is pulled', async (t) => {
  const { registry, svc, r } = await shelf(t, ['latest', 'dev']);
  const before = (await registry.log()).length;
  assertUnknown(
    await judged(t, r, { oci: svc }),
    /^failed to pull ".*": artifact not found: .* no semver tags$/,
  );
  const asked = (await registry.log()).slice(before);
  assert.ok(asked.some((line) => line.includes('/tags/list')));
  assert.deepEqual(
    asked.filter((line) => line.includes('/manifests/') || line.includes('/blobs/')),
    [],
  );
});

test('controller/109 two loads within 30 seconds ask once, also when the first failed', async (t) => {
  const { registry, svc, r } = await shelf(t, ['1.0.0']);
  for (const [tag, kind] of [
    ['1.0.0', 'loaded'],
    ['9.9.9', 'failed'],
  ] as const) {
    const oci = `${svc}:${tag}`;
    assert.equal((await r.loader.load({ oci }, t.signal)).kind, kind);
    const asked = (await registry.log()).length;
    r.advance(29_999);
    assert.equal((await r.loader.load({ oci: `oci://${oci}` }, t.signal)).kind, kind);
    assert.equal((await registry.log()).length, asked);
    r.advance(1);
    assert.equal((await r.loader.load({ oci }, t.signal)).kind, kind);
    assert.ok((await registry.log()).length > asked);
  }
});

test('controller/110 a load with credentials neither reads the caches nor writes them', async (t) => {
  const { svc, r } = await shelf(t, ['1.0.0']);
  const oci = `${svc}:1.0.0`;
  const credentials = { kind: 'basic', username: 'ada', password: 'word' } as const;
  const digestOf = async (own: object = {}): Promise<string | undefined> =>
    loadedOf(await r.loader.load({ oci, ...own }, t.signal)).digest;
  const versions = (own: object = {}) => r.loader.versions({ oci, ...own }, t.signal);
  const old = await digestOf();
  const oldVersions = await versions();
  const moved = await push(t, r, oci, await packed({ 'docs/a.md': 'new' }));
  await push(t, r, `${svc}:2.0.0`, await packed());
  assert.equal(await digestOf({ credentials }), moved);
  assert.equal(await digestOf(), old);
  assert.deepEqual(await versions({ credentials }), { kind: 'answer', value: ['2.0.0', '1.0.0'] });
  assert.deepEqual(await versions(), oldVersions);
  assert.deepEqual(oldVersions, { kind: 'answer', value: ['1.0.0'] });
});

test('controller/111 a tag list is kept under the plain name', async (t) => {
  const { registry, svc, r } = await shelf(t, ['1.0.0']);
  const list = (oci: string) => r.loader.versions({ oci }, t.signal);
  const first = await list(svc);
  const asked = (await registry.log()).length;
  for (const oci of [`${svc}:1.0.0`, `oci://${svc}`, `oci://${svc}:9.9.9`]) {
    assert.deepEqual(await list(oci), first);
  }
  assert.equal((await registry.log()).length, asked);
});

test('controller/112 a tag list whose time is over is asked for again', async (t) => {
  const { svc, r } = await shelf(t, ['1.0.0']);
  const list = () => r.loader.versions({ oci: svc }, t.signal);
  const first = await list();
  await push(t, r, `${svc}:2.0.0`, await packed());
  r.advance(299_999);
  assert.deepEqual(await list(), first);
  r.advance(1);
  assert.deepEqual(await list(), { kind: 'answer', value: ['2.0.0', '1.0.0'] });
});

test('controller/113 an empty reference has no tags, and nobody is asked', async (t) => {
  const r = await rig(t);
  for (const oci of ['', 'oci://', undefined]) {
    assert.deepEqual(await r.loader.versions({ oci }, t.signal), { kind: 'answer', value: [] });
  }
  assert.equal(r.oras.children, 0);
});

test('controller/114 a registry that cannot be reached, refuses or has nothing leaves the contract unknown', async (t) => {
  const { registry, svc, r } = await shelf(t, ['1.0.0']);
  await registry.faults({ path: '^/v2/acme/closed/', status: 403 });
  assertUnknown(
    await judged(t, r, { oci: '127.0.0.1:1/acme/svc:1.0.0' }),
    /^failed to pull "127\.0\.0\.1:1\/acme\/svc:1\.0\.0": registry unreachable for /,
  );
  assertUnknown(
    await judged(t, r, { oci: `${registry.host}/acme/closed:1.0.0` }),
    /^failed to pull ".*": authentication failed for /,
  );
  assertUnknown(await judged(t, r, { oci: `${svc}:9.9.9` }), /^failed to pull ".*": artifact not found: /);
});

test('controller/115 what is no reference, no bundle, no version in a range or nothing known is invalid', async (t) => {
  const { registry, svc, r } = await shelf(t, ['1.0.0']);
  assertInvalid(
    await judged(t, r, { oci: `${svc}:bad tag` }),
    /^failed to pull ".*": invalid OCI reference /,
  );
  const body = '{"schemaVersion":2}';
  const header = { 'content-type': MEDIA_TYPES.manifest, 'docker-content-digest': sha256(body) };
  await registry.faults({ path: '^/v2/acme/junk/manifests/', status: 200, body, header });
  assertInvalid(
    await judged(t, r, { oci: `${registry.host}/acme/junk:1.0.0` }),
    /^failed to pull ".*": artifact at .* is not a valid Pacto bundle: /,
  );
  const ranged = await new BundleRegistry(r.oras, parseCheck).fetch(reference(svc), {
    sources: [{ kind: 'anonymous' }],
    range: '^9.0.0',
    signal: t.signal,
  });
  assert.ok(ranged.kind === 'failed');
  assert.deepEqual([ranged.failure.kind, statusOfFailure(ranged.failure.kind)], ['no-match', 'Invalid']);
  const program = await script(
    await temporaryFolder(t),
    'echo "Error: something nobody has seen" >&2; exit 1',
  );
  const odd = await rig(t, { program });
  assertInvalid(
    await judged(t, odd, { oci: 'registry.example.com/acme/svc:1.0.0' }),
    /oras failed for .*: something nobody has seen$/,
  );
});

test('controller/116 a layer that breaks off leaves the contract unknown', async (t) => {
  const { registry, svc, r } = await shelf(t, ['1.0.0']);
  await registry.faults({ method: 'GET', path: '/blobs/', cut: 20 });
  assertUnknown(await judged(t, r, { oci: `${svc}:1.0.0` }), /registry unreachable for /);
});

/** An image of layers as they are, which no honest program packs. */
async function image(layers: readonly Uint8Array[]): Promise<PackedBundle> {
  const { blobs, manifest, contract } = await packed();
  const { config } = JSON.parse(Buffer.from(blobs.get(manifest.digest) ?? '').toString()) as {
    readonly config: { readonly digest: string };
  };
  const stored = layers.map((bytes) => ({
    mediaType: MEDIA_TYPES.layer,
    digest: sha256(bytes),
    size: bytes.length,
  }));
  const text = {
    schemaVersion: 2,
    mediaType: MEDIA_TYPES.manifest,
    config,
    layers: stored.map(descriptorJson),
  };
  const bytes = Buffer.from(JSON.stringify(text));
  const own = { mediaType: MEDIA_TYPES.manifest, digest: sha256(bytes), size: bytes.length };
  return {
    manifest: own,
    blobs: new Map([
      [own.digest, bytes],
      [config.digest, blobs.get(config.digest) ?? Buffer.of()],
      ...layers.map((layer) => [sha256(layer), layer] as const),
    ]),
    contract,
  };
}

test('controller/117 an image that is no bundle is invalid, and its reason is told', async (t) => {
  const { registry, r } = await shelf(t, []);
  const contract = { header: { name: 'pacto.yaml' }, content: BASE };
  const layer = async (...entries: Parameters<typeof tar>[0]): Promise<Buffer> =>
    gzipSync(await tar([contract, ...entries]));
  const good = await layer();
  const many = Array.from({ length: 10_000 }, (_, i) => ({ header: { name: `f${i}` } }));
  const cases: readonly (readonly [name: string, layers: readonly Uint8Array[], reason: RegExp])[] = [
    ['two', [good, await layer({ header: { name: 'other' } })], /expected 1 layer, not 2$/],
    [
      'link',
      [await layer({ header: { name: 'a', type: 'symlink', linkname: 'pacto.yaml' } })],
      /unsupported entry type/,
    ],
    ['outside', [await layer({ header: { name: '../x' }, content: 'x' })], /invalid path "\.\.\/x"$/],
    ['many', [await layer(...many)], /more than 10000 entries$/],
    [
      'large',
      [await layer({ header: { name: 'a' }, content: Buffer.alloc(11 * 1024 * 1024) })],
      /larger than 10485760/,
    ],
    ['without', [gzipSync(await tar([{ header: { name: 'a' }, content: 'x' }]))], /missing pacto\.yaml$/],
  ];
  for (const [name, layers, reason] of cases) {
    const oci = `${registry.host}/acme/${name}:1.0.0`;
    await push(t, r, oci, await image(layers));
    const told = await judged(t, r, { oci });
    assertInvalid(told, reason);
    assertInvalid(told, /^failed to pull ".*": artifact at .* is not a valid Pacto bundle: /);
  }
});

test('controller/128 plain HTTP is spoken to the registries of PACTO_INSECURE_REGISTRIES, and to no other', async (t) => {
  const oras = await script(await temporaryFolder(t), 'echo "Error: dial tcp: asked with $3" >&2; exit 1');
  const env = { PACTO_INSECURE_REGISTRIES: 'a:5000, b:5000,' };
  for (const [host, plain] of [
    ['a:5000', true],
    ['b:5000', true],
    ['c:5000', false],
    ['a:5001', false],
  ] as const) {
    const said = await pactoGate(t, ['validate', '--oras', oras, `oci://${host}/acme/svc:1.0.0`], { env });
    assert.equal(said.code, 3);
    assert.match(said.err, new RegExp(`asked with --plain-http=${plain}\\b`));
  }
});
