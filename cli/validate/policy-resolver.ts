// Follows policy references for `validate --resolve`: to registries, and from contracts on disk to folders beside them.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ContractChecker } from '../../contract/check/contract-checker.ts';
import { bundleFiles } from '../../contract/bundle-files.ts';
import { type PolicyResolver, REGISTRY_BASE, type ResolvedHolder } from '../../contract/l3/walk-policies.ts';
import type { ContractLoader } from '../../contract/loader/contract-loader.ts';
import type { Contract } from '../../contract/model.ts';
import { parseReference } from '../../contract/oci-reference.ts';
import { readInput, readNamed } from './input.ts';

/** The file that counts in a bundle without policies of its own. */
const FIXED_FILE = 'policy/schema.json';

export function policyResolver(
  loader: ContractLoader,
  checker: ContractChecker,
  signal: AbortSignal,
): PolicyResolver {
  return async (ref, base) => {
    const { kind, location } = parseReference(ref);
    if (kind === 'oci') return fromRegistry(location, loader, checker, signal);
    if (base === REGISTRY_BASE) return failed('a contract from a registry cannot refer to a folder');
    return fromFolder(path.resolve(base, location), checker);
  };
}

async function fromRegistry(
  location: string,
  loader: ContractLoader,
  checker: ContractChecker,
  signal: AbortSignal,
): Promise<ResolvedHolder> {
  const fetched = await loader.fetch(location, undefined, signal);
  if (fetched.kind === 'failed') return failed(fetched.failure.message);
  const { bundle } = fetched.value;
  const parsed = await checker.parse(bundle.contract);
  if (parsed.kind === 'failed') return failed(parsed.error.message);
  return {
    kind: 'resolved',
    holder: { contract: parsed.contract, files: bundle.files, base: REGISTRY_BASE },
  };
}

async function fromFolder(place: string, checker: ContractChecker): Promise<ResolvedHolder> {
  try {
    const isFolder = (await stat(place)).isDirectory();
    const input = await readInput(place, { inline: false, stdin: nothing() });
    const folder = isFolder ? place : path.dirname(place);
    const parsed = await checker.parse(input.contract);
    if (parsed.kind === 'failed') return failed(`${input.file}: ${parsed.error.message}`);
    const files = bundleFiles(await readNamed(folder, [...schemasOf(parsed.contract), FIXED_FILE]));
    return { kind: 'resolved', holder: { contract: parsed.contract, files, base: folder } };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function schemasOf({ policies }: Contract): readonly string[] {
  return policies.flatMap(({ schema }) => schema ?? []);
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A folder is read, never standard input.
}

function failed(reason: string): ResolvedHolder {
  return { kind: 'failed', reason };
}
