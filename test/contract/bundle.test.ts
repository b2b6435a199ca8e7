// Bundles: what unpacks, what does not and why, and that packing is reproducible.
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { BUNDLE_LIMITS } from '../../contract/bundle/bundle-limits.ts';
import { sha256 } from '../../contract/bundle/digest.ts';
import { parseIgnore } from '../../contract/bundle/ignore-rules.ts';
import { readManifest } from '../../contract/bundle/manifest.ts';
import { packBundle } from '../../contract/bundle/pack-bundle.ts';
import { readBundle } from '../../contract/bundle/read-bundle.ts';
import { readFolder } from '../../contract/bundle/read-folder.ts';
import { unpackLayer } from '../../contract/bundle/unpack-layer.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type Entry, layerOf, packed, parseCheck, tar, treeOf } from './bundle-support.ts';
import { BASE } from './support.ts';

async function reason(layer: Uint8Array): Promise<string> {
  const read = await readBundle(layer, parseCheck);
  assert.ok(read.kind === 'invalid', 'the layer was accepted');
  return read.reason;
}

async function names(layer: Uint8Array): Promise<readonly string[]> {
  const unpacked = await unpackLayer(layer);
  assert.ok(unpacked.kind === 'unpacked', unpacked.kind === 'invalid' ? unpacked.reason : '');
  return [...unpacked.tree.keys()];
}

const manifest = (document: object): Uint8Array => Buffer.from(JSON.stringify(document));
const DESCRIPTOR = { mediaType: 'x', digest: `sha256:${'0'.repeat(64)}`, size: 1 };
const CONTRACT: Entry = { header: { name: 'pacto.yaml' }, content: BASE };

test('contract/129 no layers, two layers', () => {
  assert.deepEqual(readManifest(manifest({ layers: [] })), { kind: 'invalid', reason: 'no layers' });
  assert.deepEqual(readManifest(manifest({ layers: [DESCRIPTOR, DESCRIPTOR] })), {
    kind: 'invalid',
    reason: 'expected 1 layer, not 2',
  });
  assert.deepEqual(readManifest(manifest({ layers: [DESCRIPTOR] })), { kind: 'image', layer: DESCRIPTOR });
});

test('contract/129 no pacto.yaml, a bad one, a corrupt archive, a file that is cut off', async () => {
  assert.equal(await reason(await layerOf({ 'a.txt': 'x' })), 'missing pacto.yaml');
  assert.match(await reason(await layerOf({ 'pacto.yaml': 'a: [' })), /^failed to parse YAML: line 1/);
  const archive = await tar([CONTRACT]);
  assert.match(
    await reason(gzipSync(Buffer.from(archive).fill(0x41, 0, 300))),
    /wrong checksum|no readable size/,
  );
  assert.equal(await reason(gzipSync(archive.subarray(0, 530))), 'the archive is cut off');
  assert.match(await reason(gzipSync(archive).subarray(0, 60)), /cannot be decompressed|cut off/);
  assert.match(await reason(Buffer.from('not an archive')), /cut off/);
});

test('contract/130 paths that lead out, links and devices', async () => {
  for (const name of ['foo/../../../etc/passwd', '..', '/etc/passwd', './/etc/passwd']) {
    assert.match(
      await reason(await tar([CONTRACT, { header: { name }, content: 'x' }])),
      /^invalid path/,
      name,
    );
  }
  for (const type of ['symlink', 'link', 'character-device', 'block-device', 'fifo'] as const) {
    const header = { name: 'x', type, linkname: '/etc/passwd' } as const;
    assert.match(await reason(await tar([CONTRACT, { header }])), /^unsupported entry type of "x"/, type);
  }
});

test('contract/131 dots within a name, and entries written with ./', async () => {
  const layer = await tar([
    { header: { name: './', type: 'directory' } },
    { header: { name: './file.txt' }, content: 'hello' },
    { header: { name: 'my..file.yaml' }, content: 'a: 1' },
    CONTRACT,
  ]);
  const read = await readBundle(layer, parseCheck);
  assert.ok(read.kind === 'bundle');
  const file = read.bundle.files.read('file.txt');
  assert.ok(file.kind === 'file');
  assert.equal(Buffer.from(file.bytes).toString(), 'hello');
  assert.equal(read.bundle.files.read('my..file.yaml').kind, 'file');
});

test('contract/132 too many entries, a file too large, files too large together', async () => {
  const empty = (count: number): Entry[] =>
    Array.from({ length: count }, (_, i) => ({ header: { name: `f${i}` } }));
  assert.equal(await reason(await tar(empty(BUNDLE_LIMITS.entries + 1))), 'more than 10000 entries');
  assert.equal((await names(await tar(empty(BUNDLE_LIMITS.entries)))).length, BUNDLE_LIMITS.entries);
  const file = (name: string, size: number): Entry => ({ header: { name }, content: Buffer.alloc(size) });
  assert.match(
    await reason(gzipSync(await tar([file('f', BUNDLE_LIMITS.fileBytes + 1)]))),
    /"f" is larger than 10485760/,
  );
  const ten = Array.from({ length: 6 }, (_, i) => file(`f${i}`, BUNDLE_LIMITS.fileBytes));
  assert.match(await reason(gzipSync(await tar(ten))), /larger than 52428800 bytes together/);
  assert.equal((await names(gzipSync(await tar(ten.slice(0, 5))))).length, 5);
});

test('contract/133 a packed bundle unpacks to itself, and equal files give an equal digest', async () => {
  const files = { 'docs/readme.md': '# hello', 'interfaces/rest.yaml': 'openapi: 3.1.0', 'a.txt': '' };
  const first = await packed(files);
  const backwards = Object.fromEntries(Object.entries(files).toReversed());
  assert.equal((await packed(backwards)).manifest.digest, first.manifest.digest);
  assert.notEqual((await packed({ ...files, 'a.txt': ' ' })).manifest.digest, first.manifest.digest);
  const read = readManifest(first.blobs.get(first.manifest.digest) ?? Buffer.of());
  assert.ok(read.kind === 'image');
  assert.equal(read.layer.mediaType, 'application/vnd.pacto.bundle.layer.v1.tar+gzip');
  const layer = first.blobs.get(read.layer.digest) ?? Buffer.of();
  const unpacked = await unpackLayer(layer);
  assert.ok(unpacked.kind === 'unpacked');
  assert.deepEqual(
    new Map([...unpacked.tree].map(([path, bytes]) => [path, Buffer.from(bytes).toString()])),
    new Map(Object.entries({ ...files, 'pacto.yaml': BASE })),
  );
  const labels = [...first.blobs.values()]
    .filter((bytes) => bytes.length < 2_000 && bytes[0] === 0x7b)
    .map((bytes): { config?: { Labels?: unknown } } => JSON.parse(Buffer.from(bytes).toString()) as object)
    .find(({ config }) => config?.Labels !== undefined)?.config?.Labels;
  assert.deepEqual(labels, {
    'io.pacto.name': 'svc',
    'io.pacto.version': '1.0.0',
    'io.pacto.pactoVersion': '2.0',
  });
});

test('a packed layer says nothing about who packed it', async () => {
  const { blobs, manifest } = await packed();
  const read = readManifest(blobs.get(manifest.digest) ?? Buffer.of());
  assert.ok(read.kind === 'image');
  const layer = blobs.get(read.layer.digest) ?? Buffer.of();
  assert.deepEqual([...layer.subarray(0, 4)], [0x1f, 0x8b, 8, 0]);
  assert.deepEqual([...layer.subarray(4, 8)], [0, 0, 0, 0], 'no time');
  assert.equal(layer[9], 0xff, 'no operating system');
  assert.equal(sha256(layer), read.layer.digest);
});

test('packing then unpacking is identity', async () => {
  const name = fc.stringMatching(/^[a-zA-Z0-9._é-]{1,30}$/u).filter((text) => text !== '.' && text !== '..');
  const path = fc.array(name, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('/'));
  const tree = fc
    .uniqueArray(fc.tuple(path, fc.uint8Array({ maxLength: 2_000 })), {
      maxLength: 12,
      selector: ([key]) => key,
    })
    // A file cannot have another below it.
    .filter((files) => files.every(([a]) => files.every(([b]) => !b.startsWith(`${a}/`))));
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      const before = new Map<string, Uint8Array>([...files, ['pacto.yaml', Buffer.from(BASE)]]);
      const result = await packBundle(before);
      assert.ok(result.kind === 'packed');
      const read = readManifest(result.packed.blobs.get(result.packed.manifest.digest) ?? Buffer.of());
      assert.ok(read.kind === 'image');
      const unpacked = await unpackLayer(result.packed.blobs.get(read.layer.digest) ?? Buffer.of());
      assert.ok(unpacked.kind === 'unpacked');
      const asText = (map: ReadonlyMap<string, Uint8Array>): unknown =>
        Object.fromEntries([...map].map(([key, bytes]) => [key, Buffer.from(bytes).toString('base64')]));
      assert.deepEqual(asText(unpacked.tree), asText(before));
    }),
    { numRuns: 100 },
  );
});

test('unpacking never rejects, whatever the bytes', async () => {
  const archive = await tar([
    CONTRACT,
    { header: { name: 'x'.repeat(150), pax: { comment: 'y' } }, content: 'z' },
  ]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(archive.length - 1), fc.nat(255)), { maxLength: 20 }),
      fc.nat(archive.length),
      fc.constantFrom(gzipSync, zstdCompressSync, (bytes: Buffer) => bytes),
      async (changes, length, compress) => {
        const broken = Buffer.from(archive);
        for (const [at, byte] of changes) broken[at] = byte;
        const layer = compress(broken.subarray(0, length));
        assert.ok(['bundle', 'invalid'].includes((await readBundle(layer, parseCheck)).kind));
      },
    ),
    { numRuns: 300 },
  );
});

test('long names, pax sizes and zstd are read; a repeated name counts with its last content', async () => {
  const long = `${'folder/'.repeat(30)}file.txt`;
  const layer = zstdCompressSync(
    await tar([
      { header: { name: long }, content: 'one' },
      { header: { name: long }, content: 'two' },
      { header: { name: 'é/ü.txt' }, content: 'x' },
    ]),
  );
  const unpacked = await unpackLayer(layer);
  assert.ok(unpacked.kind === 'unpacked', unpacked.kind === 'invalid' ? unpacked.reason : '');
  assert.equal(Buffer.from(unpacked.tree.get(long) ?? '').toString(), 'two');
  assert.ok(unpacked.tree.has('é/ü.txt'));
});

test('an index is followed when it holds one manifest', () => {
  assert.equal(readManifest(manifest({ manifests: [DESCRIPTOR] })).kind, 'index');
  assert.equal(readManifest(manifest({ manifests: [DESCRIPTOR, DESCRIPTOR] })).kind, 'invalid');
  assert.equal(
    readManifest(manifest({ manifests: [{ ...DESCRIPTOR, digest: 'sha256:zz' }] })).kind,
    'invalid',
  );
  assert.equal(readManifest(manifest({ layers: [{ ...DESCRIPTOR, size: -1 }] })).kind, 'invalid');
  assert.equal(readManifest(Buffer.from('[]')).kind, 'invalid');
});

test('a folder is read as it would be packed', async (t) => {
  const folder = await temporaryFolder(t);
  for (const sub of ['.git', 'docs/drafts', 'node_modules/x'])
    await mkdir(join(folder, sub), { recursive: true });
  const write = (path: string, text = ''): Promise<void> => writeFile(join(folder, path), text);
  await write('pacto.yaml', BASE);
  await write('.git/config');
  await write('.DS_Store');
  await write('docs/drafts/a.md');
  await write('docs/keep.md');
  await write('docs/b.tmp');
  await write('node_modules/x/y');
  await write('.pactoignore', '# comment\nnode_modules/\n*.tmp\n/docs/drafts\npacto.yaml\n!docs/b.tmp\n');
  const read = await readFolder(folder);
  assert.ok(read.kind === 'tree');
  assert.deepEqual([...read.tree.keys()], ['docs/b.tmp', 'docs/keep.md', 'pacto.yaml']);
  await symlink('/etc/passwd', join(folder, 'link'));
  const refused = await readFolder(folder);
  assert.ok(refused.kind === 'refused');
  assert.match(refused.reason, /^link is neither a file nor a folder/);
});

test('ignore patterns', () => {
  const rows: readonly (readonly [pattern: string, path: string, ignored: boolean])[] = [
    ['*.log', 'a/b/c.log', true],
    ['/*.log', 'a/c.log', false],
    ['a/*.log', 'a/c.log', true],
    ['a/*.log', 'a/b/c.log', false],
    ['a/**/c.log', 'a/c.log', true],
    ['a/**/c.log', 'a/b/d/c.log', true],
    ['**/c', 'x/y/c', true],
    ['a/**', 'a/b/c', true],
    ['file?.txt', 'file1.txt', true],
    ['file[0-9].txt', 'file5.txt', true],
    ['file[!0-9].txt', 'file5.txt', false],
    ['\\#x', '#x', true],
    ['folder/', 'folder', false],
  ];
  for (const [pattern, path, ignored] of rows) {
    assert.equal(parseIgnore(pattern).ignores(path, { isFolder: false }), ignored, `${pattern} on ${path}`);
  }
  assert.ok(parseIgnore('folder/').ignores('a/folder', { isFolder: true }));
});

test('what cannot be a bundle is not packed', async () => {
  const refusal = async (files: Readonly<Record<string, string>>): Promise<string> => {
    const result = await packBundle(treeOf(files));
    return result.kind === 'refused' ? result.reason : 'packed';
  };
  assert.match(await refusal({ 'a.txt': '' }), /needs a pacto\.yaml/);
  assert.match(await refusal({ 'pacto.yaml': 'a: [' }), /failed to parse YAML/);
});
