// Packs files into the image of a bundle. The same files give the same digest, whenever and wherever (contract 3.3).
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack as tarPack } from 'tar-stream';
import type { Contract } from '../model.ts';
import { parseContract } from '../parse.ts';
import { BUNDLE_LIMITS, CONTRACT_FILE } from './bundle-limits.ts';
import { sha256 } from './digest.ts';
import { type Descriptor, descriptorJson, MEDIA_TYPES } from './manifest.ts';
import type { BundleTree } from './unpack-layer.ts';

/** An image ready to be stored: three blobs, and what names the whole. */
export type PackedBundle = {
  /** Descriptor of the manifest; its digest names the bundle. */
  readonly manifest: Descriptor;
  /** Content of manifest, config and layer by digest. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  readonly contract: Contract;
};

export type PackResult =
  | { readonly kind: 'packed'; readonly packed: PackedBundle }
  | { readonly kind: 'refused'; readonly reason: string };

/** The byte of a gzip header that names the operating system; 255 says "unknown", as every system must write. */
const GZIP_SYSTEM_AT = 9;
const EPOCH = new Date(0);

/** Packs a tree of clean relative paths. Refused: no contract, one that does not parse, or a tree no reader would take. */
export async function packBundle(tree: BundleTree): Promise<PackResult> {
  const text = tree.get(CONTRACT_FILE);
  if (text === undefined) return refused(`a bundle needs a ${CONTRACT_FILE} at its root`);
  const parsed = parseContract(text);
  if (parsed.kind === 'failed') return refused(parsed.error.message);
  const folders = foldersOf(tree);
  const tooLarge = excess(tree, folders);
  if (tooLarge !== undefined) return refused(tooLarge);
  const { contract } = parsed.loaded;
  const archive = await archiveOf(tree, folders);
  const layer = gzipSync(archive, { level: 9 });
  layer[GZIP_SYSTEM_AT] = 0xff;
  const config = blobOf(MEDIA_TYPES.config, {
    architecture: '',
    os: '',
    config: {
      Labels: {
        'io.pacto.name': contract.service.name,
        'io.pacto.pactoVersion': contract.pactoVersion,
        'io.pacto.version': contract.service.version,
      },
    },
    rootfs: { type: 'layers', diff_ids: [sha256(archive)] },
  });
  const stored = blobOf(MEDIA_TYPES.layer, layer);
  const manifest = blobOf(MEDIA_TYPES.manifest, {
    schemaVersion: 2,
    mediaType: MEDIA_TYPES.manifest,
    config: descriptorJson(config.descriptor),
    layers: [descriptorJson(stored.descriptor)],
  });
  const blobs = new Map(
    [manifest, config, stored].map(({ descriptor, bytes }) => [descriptor.digest, bytes]),
  );
  return { kind: 'packed', packed: { manifest: manifest.descriptor, blobs, contract } };
}

type Blob = { readonly descriptor: Descriptor; readonly bytes: Uint8Array };

/** Bytes as they are, anything else as JSON, with what names them. */
function blobOf(mediaType: string, content: Uint8Array | object): Blob {
  const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content));
  return { bytes, descriptor: { mediaType, digest: sha256(bytes), size: bytes.length } };
}

/** Folders and files in lexical order, with nothing in their headers that depends on who packs. */
async function archiveOf(tree: BundleTree, folders: ReadonlySet<string>): Promise<Uint8Array> {
  const archive = tarPack();
  const whole = buffer(archive);
  for (const name of [...folders, ...tree.keys()].sort()) {
    const bytes = tree.get(name);
    const owner = { uid: 0, gid: 0, uname: '', gname: '', mtime: EPOCH };
    if (bytes === undefined) archive.entry({ ...owner, name: `${name}/`, type: 'directory', mode: 0o755 });
    else archive.entry({ ...owner, name, type: 'file', mode: 0o644 }, Buffer.from(bytes));
  }
  archive.finalize();
  return whole;
}

function foldersOf(tree: BundleTree): ReadonlySet<string> {
  return new Set([...tree.keys()].flatMap(foldersAbove));
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function excess(tree: BundleTree, folders: ReadonlySet<string>): string | undefined {
  if (tree.size + folders.size > BUNDLE_LIMITS.entries)
    return `more than ${BUNDLE_LIMITS.entries} files and folders`;
  let total = 0;
  for (const [path, { length }] of tree) {
    if (length > BUNDLE_LIMITS.fileBytes) return `${path} is larger than ${BUNDLE_LIMITS.fileBytes} bytes`;
    total += length;
  }
  return total > BUNDLE_LIMITS.totalBytes
    ? `the files are larger than ${BUNDLE_LIMITS.totalBytes} bytes together`
    : undefined;
}

function refused(reason: string): PackResult {
  return { kind: 'refused', reason };
}
