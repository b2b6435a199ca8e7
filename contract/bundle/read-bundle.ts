// From the bytes of a layer to a bundle: its files, and the bytes of its contract, which Parse accepts.
import { type BundleFiles, bundleFiles } from '../bundle-files.ts';
import type { LoadError } from '../parse.ts';
import { CONTRACT_FILE } from './bundle-limits.ts';
import { type BundleTree, unpackLayer } from './unpack-layer.ts';

export type Bundle = {
  readonly tree: BundleTree;
  readonly files: BundleFiles;
  /** Bytes of its pacto.yaml. */
  readonly contract: Uint8Array;
};

export type ReadBundle =
  | { readonly kind: 'bundle'; readonly bundle: Bundle }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Says why Parse refuses a contract, or undefined. Large contracts are parsed elsewhere, so it may take its time. */
export type ParseCheck = (contract: Uint8Array) => Promise<LoadError | undefined>;

/** Unpacks a layer and makes sure that it holds a contract that parses. */
export async function readBundle(layer: Uint8Array, parse: ParseCheck): Promise<ReadBundle> {
  const unpacked = await unpackLayer(layer);
  return unpacked.kind === 'invalid' ? unpacked : bundleOf(unpacked.tree, parse);
}

/** The same for files that are already there. */
export async function bundleOf(tree: BundleTree, parse: ParseCheck): Promise<ReadBundle> {
  const contract = tree.get(CONTRACT_FILE);
  if (contract === undefined) return { kind: 'invalid', reason: `missing ${CONTRACT_FILE}` };
  const error = await parse(contract);
  if (error !== undefined) return { kind: 'invalid', reason: error.message };
  return { kind: 'bundle', bundle: { tree, files: bundleFiles(tree), contract } };
}
