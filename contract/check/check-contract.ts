// From the bytes of a contract to everything that is said about it, as plain data that can be handed between threads.
import { bundleFiles } from '../bundle-files.ts';
import type { BundleTree } from '../bundle/unpack-layer.ts';
import type { Contract } from '../model.ts';
import { applyOverrides, type ConfigurationOverride } from '../overrides.ts';
import { type LoadedContract, type LoadError, parseContract } from '../parse.ts';
import type { PolicyItem } from '../l3/policy-item.ts';
import { type ScalarNote, scalarNotes } from '../scalar-notes.ts';
import { type ValidationResult, validateContract } from '../validate.ts';

export type CheckRequest = {
  /** Bytes or text of the pacto.yaml. */
  readonly contract: string | Uint8Array;
  /** Files of the bundle, at least those the contract names; undefined for a contract without a bundle. */
  readonly tree?: BundleTree | undefined;
  readonly overrides?: readonly ConfigurationOverride[];
  /** Its policies with those it refers to; absent: only its own. */
  readonly policies?: readonly PolicyItem[] | undefined;
};

export type CheckedContract =
  | {
      readonly kind: 'checked';
      /** With overrides applied. */
      readonly contract: Contract;
      readonly validation: ValidationResult;
      /** Sorted keys by configuration name. */
      readonly overriddenKeys: ReadonlyMap<string, readonly string[]>;
      readonly notes: readonly ScalarNote[];
    }
  | { readonly kind: 'failed'; readonly fault: CheckFault; readonly error: LoadError };

/**
 * `parse`: it is no contract. `override`: overrides do not fit. `limit`: looking at it takes too long or too much.
 * `starved`: the machine was too busy to look at it, which says nothing about it.
 */
export type CheckFault = 'parse' | 'override' | 'limit' | 'starved';

/** Parses, overrides and validates. Never throws; takes as long as the contract and its schemas make it. */
export function checkContract(request: CheckRequest): CheckedContract {
  const parsed = parseContract(request.contract);
  if (parsed.kind === 'failed') return { kind: 'failed', fault: 'parse', error: parsed.error };
  return checkLoaded(parsed.loaded, request);
}

/** The same for a contract that is already parsed. */
export function checkLoaded(
  original: LoadedContract,
  { tree, overrides = [], policies }: Omit<CheckRequest, 'contract'>,
): CheckedContract {
  const applied = applyOverrides(original, overrides);
  if (applied.kind === 'failed') {
    return { kind: 'failed', fault: 'override', error: { message: applied.message, path: 'spec.overrides' } };
  }
  const { loaded, overriddenKeys } = applied;
  const files = tree === undefined ? undefined : bundleFiles(tree);
  const validation = validateContract(loaded, files, policies);
  return {
    kind: 'checked',
    contract: loaded.contract,
    validation,
    overriddenKeys,
    notes: scalarNotes(original.source),
  };
}
