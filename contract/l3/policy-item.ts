// Policies as resolution leaves them: schemas still to be compiled, and what could not be resolved, in their order.
import type { BundleFile } from '../bundle-files.ts';
import type { Report } from '../issue.ts';
import { quote } from '../json.ts';
import { SchemaStore } from '../schema-store.ts';
import type { Path } from '../tree.ts';
import type { ContractPolicy } from './contract-policy.ts';

export type PolicyItem = {
  /** The entry of the root contract that leads here; where faults are shown. */
  readonly at: Path;
} & PolicyItemKind;

type PolicyItemKind =
  /** A file that must hold a usable schema. */
  | { readonly kind: 'schema'; readonly origin: string; readonly path: string; readonly file: BundleFile }
  | { readonly kind: 'unresolved'; readonly message: string }
  | { readonly kind: 'cycle'; readonly message: string };

/** Compiles the schemas and reports everything that cannot be enforced. */
export function compilePolicies(items: readonly PolicyItem[], report: Report): readonly ContractPolicy[] {
  const policies: ContractPolicy[] = [];
  for (const item of items) {
    if (item.kind === 'schema') {
      const schema = new SchemaStore({ read: () => item.file }).get(item.path);
      if (schema.kind === 'schema') policies.push({ origin: item.origin, check: schema.check });
      else
        report('POLICY_REF_UNRESOLVED', [], `${item.origin}: ${schemaProblem(item.path, schema)}`, item.at);
    } else
      report(item.kind === 'cycle' ? 'POLICY_REF_CYCLE' : 'POLICY_REF_UNRESOLVED', [], item.message, item.at);
  }
  return policies;
}

/** Why a schema file cannot be used. */
export function schemaProblem(
  path: string,
  schema: Exclude<ReturnType<SchemaStore['get']>, { readonly kind: 'schema' }>,
): string {
  switch (schema.kind) {
    case 'missing':
      return `${quote(path)} is not in the bundle`;
    case 'unreadable':
      return `${quote(path)} cannot be read: ${schema.reason}`;
    case 'not-json':
      return `${quote(path)} is not JSON: ${schema.reason}`;
    case 'not-schema':
      return `${quote(path)} is not a usable JSON Schema: ${schema.reason}`;
    default:
      return schema satisfies never;
  }
}
