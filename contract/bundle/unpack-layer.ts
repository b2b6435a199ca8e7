// Unpacks the layer of a bundle into memory, within limits; nothing of it is ever written to disk (contract 3.4).
import { BUNDLE_LIMITS } from './bundle-limits.ts';
import { decompress } from './decompress.ts';
import { type TarEntry, TarReader } from './tar-reader.ts';

/** Content by path, as the archive names it; folders are not in it. */
export type BundleTree = ReadonlyMap<string, Uint8Array>;

export type UnpackedLayer =
  | { readonly kind: 'unpacked'; readonly tree: BundleTree }
  /** The bytes are no bundle. */
  | { readonly kind: 'invalid'; readonly reason: string };

/** Unpacks a tar archive, compressed by gzip or zstd or not at all. Never rejects, whatever the bytes. */
export async function unpackLayer(layer: Uint8Array): Promise<UnpackedLayer> {
  if (layer.length > BUNDLE_LIMITS.layerBytes)
    return invalid(`the layer is larger than ${BUNDLE_LIMITS.layerBytes} bytes`);
  const sink = new TreeBuilder();
  const reader = new TarReader(sink);
  let problem: string | undefined;
  let unpacked = 0;
  try {
    await decompress(layer, (piece) => {
      unpacked += piece.length;
      problem = reader.push(piece);
      if (unpacked > BUNDLE_LIMITS.archiveBytes)
        problem ??= `the archive is larger than ${BUNDLE_LIMITS.archiveBytes} bytes`;
      return problem === undefined && !reader.isComplete;
    });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return invalid(problem ?? `the layer cannot be decompressed: ${cause}`);
  }
  problem ??= reader.end();
  return problem === undefined ? { kind: 'unpacked', tree: sink.tree } : invalid(problem);
}

class TreeBuilder {
  readonly tree = new Map<string, Uint8Array>();
  #entries = 0;
  #bytes = 0;

  accept({
    name,
    type,
    size,
  }: Pick<TarEntry, 'name' | 'type'> & { readonly size: number }): string | undefined {
    this.#entries += 1;
    if (this.#entries > BUNDLE_LIMITS.entries) return `more than ${BUNDLE_LIMITS.entries} entries`;
    const path = pathOf(name);
    if (path === '') return undefined;
    if (path.startsWith('/') || path.split('/').includes('..')) return `invalid path ${shown(name)}`;
    if (type === 'other')
      return `unsupported entry type of ${shown(name)}: a bundle holds files and folders only`;
    if (type === 'folder') return undefined;
    if (size > BUNDLE_LIMITS.fileBytes)
      return `${shown(name)} is larger than ${BUNDLE_LIMITS.fileBytes} bytes`;
    this.#bytes += size;
    return this.#bytes > BUNDLE_LIMITS.totalBytes
      ? `the files are larger than ${BUNDLE_LIMITS.totalBytes} bytes together`
      : undefined;
  }

  entry({ name, type, bytes }: TarEntry): void {
    const path = pathOf(name);
    // Of a repeated name the last one counts.
    if (type === 'file' && path !== '') this.tree.set(path, bytes);
  }
}

/** Without one leading `./`; empty for the folder itself. */
function pathOf(name: string): string {
  const path = name.startsWith('./') ? name.slice(2) : name;
  return path === '.' ? '' : path;
}

function shown(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}

function invalid(reason: string): UnpackedLayer {
  return { kind: 'invalid', reason };
}
