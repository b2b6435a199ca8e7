// The files of a bundle on disk, as they would be packed: without what its ignore file and the usual habits leave out.
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLE_LIMITS, CONTRACT_FILE } from './bundle-limits.ts';
import { type IgnoreRules, parseIgnore } from './ignore-rules.ts';
import type { BundleTree } from './unpack-layer.ts';

export type ReadFolder =
  | { readonly kind: 'tree'; readonly tree: BundleTree }
  | { readonly kind: 'refused'; readonly reason: string };

const IGNORE_FILE = '.pactoignore';
const NEVER_PACKED = new Set(['.git', IGNORE_FILE, '.DS_Store']);

/** Reads a folder, links not followed: they and other special files are refused. Rejects when it cannot be read. */
export async function readFolder(folder: string): Promise<ReadFolder> {
  const walk = new Walk(folder, parseIgnore(await readOptional(join(folder, IGNORE_FILE))));
  await walk.into('');
  return walk.refusal === undefined
    ? { kind: 'tree', tree: walk.tree }
    : { kind: 'refused', reason: walk.refusal };
}

class Walk {
  readonly tree = new Map<string, Uint8Array>();
  refusal: string | undefined;
  readonly #root: string;
  readonly #rules: IgnoreRules;
  #entries = 0;
  #bytes = 0;

  constructor(root: string, rules: IgnoreRules) {
    this.#root = root;
    this.#rules = rules;
  }

  async into(below: string): Promise<void> {
    const entries = await readdir(join(this.#root, below), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (this.refusal !== undefined) return;
      await this.#take(entry, below === '' ? entry.name : `${below}/${entry.name}`);
    }
  }

  async #take(entry: Dirent, path: string): Promise<void> {
    if (NEVER_PACKED.has(entry.name)) return;
    const isFolder = entry.isDirectory();
    if (path !== CONTRACT_FILE && this.#rules.ignores(path, { isFolder })) return;
    this.#entries += 1;
    if (this.#entries > BUNDLE_LIMITS.entries)
      this.refusal = `more than ${BUNDLE_LIMITS.entries} files and folders`;
    else if (isFolder) await this.into(path);
    else if (entry.isFile()) await this.#read(path);
    else this.refusal = `${path} is neither a file nor a folder; leave it out by a line in ${IGNORE_FILE}`;
  }

  async #read(path: string): Promise<void> {
    const file = join(this.#root, path);
    const { size } = await stat(file);
    this.#bytes += size;
    if (size > BUNDLE_LIMITS.fileBytes) {
      this.refusal = `${path} is larger than ${BUNDLE_LIMITS.fileBytes} bytes`;
    } else if (this.#bytes > BUNDLE_LIMITS.totalBytes) {
      this.refusal = `the files are larger than ${BUNDLE_LIMITS.totalBytes} bytes together`;
    } else this.tree.set(path, await readFile(file));
  }
}

async function readOptional(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
