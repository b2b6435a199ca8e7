// Static validation of a loaded contract: structure, then cross-field rules, then its own policies (contract.md 0).
import type { StaticCode } from '../api/finding-codes.ts';
import type { BundleFiles } from './bundle-files.ts';
import { bracketed, isError, issueAt, type StaticIssue } from './issue.ts';
import { CROSS_FIELD_CHECKS } from './l2/index.ts';
import { checkStructure } from './l1.ts';
import type { Contract } from './model.ts';
import type { LoadedContract } from './parse.ts';
import type { YamlSource } from './read-yaml.ts';
import { SchemaStore } from './schema-store.ts';
import type { Path } from './tree.ts';

export type ValidationResult = {
  /** Not empty: the contract is invalid and must not be judged against anything. */
  readonly errors: readonly StaticIssue[];
  readonly warnings: readonly StaticIssue[];
};

/**
 * Validates a contract. A layer runs only when the one before it found no error; warnings stop nothing.
 * @param files the bundle the contract came from; undefined for an inline contract
 */
export function validateContract(loaded: LoadedContract, files?: BundleFiles): ValidationResult {
  const structure = checkStructure(loaded.source, loaded.document);
  if (structure.length > 0) return { errors: structure, warnings: [] };
  return split(checkCrossFields(loaded.contract, { files, source: loaded.source }));
}

/** L2 alone, over a typed contract. `source` only adds lines and columns. */
export function checkCrossFields(
  contract: Contract,
  { files, source }: { readonly files?: BundleFiles | undefined; readonly source?: YamlSource } = {},
): readonly StaticIssue[] {
  const issues: StaticIssue[] = [];
  const report = (code: StaticCode, path: Path, message: string): void => {
    issues.push(issueAt(source, code, path, bracketed(path), message));
  };
  const context = { contract, files, schemas: new SchemaStore(files), report };
  for (const check of CROSS_FIELD_CHECKS) check(context);
  return issues;
}

function split(issues: readonly StaticIssue[]): ValidationResult {
  return { errors: issues.filter(isError), warnings: issues.filter((issue) => !isError(issue)) };
}
