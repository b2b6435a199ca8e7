// Archives as a test wants them, also such as no honest program writes.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { parseContract } from '../../contract/parse.ts';
import type { ParseCheck } from '../../contract/bundle/read-bundle.ts';
import { type PackedBundle, packBundle } from '../../contract/bundle/pack-bundle.ts';
import type { BundleTree } from '../../contract/bundle/unpack-layer.ts';
import { BASE } from './support.ts';

export type Entry = {
  readonly header: Partial<Header> & { readonly name: string };
  readonly content?: string | Buffer;
};

/** A tar archive of entries as given, without compression. */
export async function tar(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  const whole = buffer(archive);
  for (const { header, content = '' } of entries) archive.entry(header, content);
  archive.finalize();
  return whole;
}

/** A gzip-compressed archive of files by name. */
export async function layerOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  return gzipSync(await tar(Object.entries(files).map(([name, content]) => ({ header: { name }, content }))));
}

export function treeOf(files: Readonly<Record<string, string>>): BundleTree {
  return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
}

/** A packed bundle of the smallest contract and `files`. */
export async function packed(files: Readonly<Record<string, string>> = {}): Promise<PackedBundle> {
  const result = await packBundle(treeOf({ 'pacto.yaml': BASE, ...files }));
  assert.ok(result.kind === 'packed', result.kind === 'refused' ? result.reason : '');
  return result.packed;
}

export const parseCheck: ParseCheck = async (bytes) => {
  const result = parseContract(bytes);
  return result.kind === 'failed' ? result.error : undefined;
};
