// What `pacto-gate validate` is pointed at on this machine: a folder, a file, or standard input.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isCleanPath } from '../../contract/bundle-files.ts';
import type { BundleTree } from '../../contract/bundle/unpack-layer.ts';
import { errorCode } from '../../runtime/error-code.ts';
import { UsageError } from '../command.ts';

export type ValidateInput = {
  readonly contract: Uint8Array;
  /** Folder whose files are the bundle; undefined when the text is looked at alone. */
  readonly folder: string | undefined;
  /** How findings name the contract's file. */
  readonly file: string;
  /** What relative references in it are relative to. */
  readonly base: string;
};

const CONTRACT_FILE = 'pacto.yaml';
/** No file of a bundle is larger. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Reads a folder's contract, a file or standard input (`-`). Throws UsageError when it cannot be read. */
export async function readInput(
  operand: string,
  options: { readonly inline: boolean; readonly stdin: AsyncIterable<Uint8Array> },
): Promise<ValidateInput> {
  if (operand === '-') {
    const contract = await readStream(options.stdin);
    return { contract, folder: undefined, file: '<stdin>', base: path.resolve('.') };
  }
  const isFolder = await isFolderAt(operand);
  const folder = isFolder ? operand : path.dirname(operand);
  const file = isFolder ? path.join(operand, CONTRACT_FILE) : operand;
  const contract = await readLimited(file);
  const isBundle = path.basename(file) === CONTRACT_FILE && !options.inline;
  return { contract, folder: isBundle ? folder : undefined, file, base: path.resolve(folder) };
}

/** The files of a folder that a contract names; what is not there is left out. */
export async function readNamed(folder: string, names: readonly string[]): Promise<BundleTree> {
  const tree = new Map<string, Uint8Array>();
  for (const name of names) {
    if (!isCleanPath(name)) continue;
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() === true) tree.set(name, await readLimited(file));
  }
  return tree;
}

async function isFolderAt(operand: string): Promise<boolean> {
  try {
    return (await stat(operand)).isDirectory();
  } catch (cause) {
    const choices = 'give a folder, a file, - for standard input, or oci://REFERENCE';
    throw new UsageError(`${operand} cannot be read (${errorCode(cause)}); ${choices}`, { cause });
  }
}

async function readLimited(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES)
      throw new UsageError(`${file} is larger than ${MAX_BYTES} bytes, which no bundle may hold`);
    return await readFile(file);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    if (errorCode(cause) === 'ENOENT' && path.basename(file) === CONTRACT_FILE) {
      const folder = path.dirname(file);
      throw new UsageError(`${folder} has no ${CONTRACT_FILE}; give the folder of a bundle, or a file`, {
        cause,
      });
    }
    throw new UsageError(`${file} cannot be read (${errorCode(cause)}); give a readable file`, { cause });
  }
}

async function readStream(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new UsageError(`standard input is larger than ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
