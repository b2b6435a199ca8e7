// Static validation of a loaded contract: structure, then cross-field rules, then its own policies (contract.md 0).
import type { BundleFiles } from './bundle-files.ts';
import { bracketed, isError, issueAt, type Report, type StaticIssue } from './issue.ts';
import { CROSS_FIELD_CHECKS } from './l2/index.ts';
import { checkStructure } from './l1.ts';
import type { Contract } from './model.ts';
import type { LoadedContract } from './parse.ts';
import { enforcePolicies } from './l3/enforce.ts';
import { compilePolicies, type PolicyItem } from './l3/policy-item.ts';
import { resolveLocalPolicies } from './l3/resolve-local.ts';
import type { YamlSource } from './read-yaml.ts';
import { SchemaStore } from './schema-store.ts';

export type ValidationResult = {
  /** Not empty: the contract is invalid and must not be judged against anything. */
  readonly errors: readonly StaticIssue[];
  readonly warnings: readonly StaticIssue[];
};

/**
 * Validates a contract. A layer runs only when the one before it found no error; warnings stop nothing.
 * @param files the bundle the contract came from; undefined for an inline contract
 * @param resolved its policies with those it refers to; undefined: only its own, and references are named
 */
export function validateContract(
  loaded: LoadedContract,
  files?: BundleFiles,
  resolved?: readonly PolicyItem[],
): ValidationResult {
  const { contract, document, source } = loaded;
  const structure = checkStructure(source, document);
  if (structure.length > 0) return { errors: structure, warnings: [] };
  const schemas = new SchemaStore(files);
  const collected = new IssueList(source);
  for (const check of CROSS_FIELD_CHECKS) check({ contract, files, schemas, report: collected.report });
  if (collected.hasErrors()) return collected.split();
  const policies =
    resolved === undefined
      ? resolveLocalPolicies(contract.policies, files, schemas, collected.report)
      : compilePolicies(resolved, collected.report);
  if (!collected.hasErrors()) enforcePolicies(document, policies, collected.report);
  return collected.split();
}

/** L2 alone, over a typed contract. `source` only adds lines and columns. */
export function checkCrossFields(
  contract: Contract,
  { files, source }: { readonly files?: BundleFiles | undefined; readonly source?: YamlSource } = {},
): readonly StaticIssue[] {
  const collected = new IssueList(source);
  const context = { contract, files, schemas: new SchemaStore(files), report: collected.report };
  for (const check of CROSS_FIELD_CHECKS) check(context);
  return collected.issues;
}

class IssueList {
  readonly issues: StaticIssue[] = [];
  readonly report: Report;

  constructor(source: YamlSource | undefined) {
    this.report = (code, path, message, at = path) => {
      this.issues.push(issueAt(source, code, at, bracketed(path), message));
    };
  }

  hasErrors(): boolean {
    return this.issues.some(isError);
  }

  split(): ValidationResult {
    return {
      errors: this.issues.filter(isError),
      warnings: this.issues.filter((issue) => !isError(issue)),
    };
  }
}
