// L3a without a resolver: the policies a bundle brings along; references are named and not fetched (contract.md 5.2).
import type { BundleFiles } from '../bundle-files.ts';
import type { Report } from '../issue.ts';
import { quote } from '../json.ts';
import type { ContractPolicyEntry } from '../model.ts';
import type { SchemaStore, StoredSchema } from '../schema-store.ts';
import { type ContractPolicy, policyOrigin } from './contract-policy.ts';

/** Compiled policies in their order; what cannot be enforced is reported and fails closed. Nothing without a bundle. */
export function resolveLocalPolicies(
  entries: readonly ContractPolicyEntry[],
  files: BundleFiles | undefined,
  schemas: SchemaStore,
  report: Report,
): readonly ContractPolicy[] {
  if (files === undefined) return [];
  const policies: ContractPolicy[] = [];
  for (const [index, entry] of entries.entries()) {
    const origin = policyOrigin(entry, index);
    if (entry.ref !== undefined) {
      const message = `policy ${quote(entry.ref)} is given by reference and not enforced here; validate with a resolver`;
      report('POLICY_REF_NOT_ENFORCED', ['policies', index, 'ref'], message);
      continue;
    }
    const schema = entry.schema === undefined ? undefined : schemas.get(entry.schema);
    if (schema?.kind === 'schema') policies.push({ origin, check: schema.check });
    else report('POLICY_REF_UNRESOLVED', [], `${origin}: ${reasonOf(entry, schema)}`);
  }
  return policies;
}

function reasonOf(entry: ContractPolicyEntry, schema: StoredSchema | undefined): string {
  if (entry.schema === undefined || schema === undefined) return 'names neither schema nor ref';
  const path = quote(entry.schema);
  switch (schema.kind) {
    case 'missing':
      return `${path} is not in the bundle`;
    case 'unreadable':
      return `${path} cannot be read: ${schema.reason}`;
    case 'not-json':
      return `${path} is not JSON: ${schema.reason}`;
    case 'not-schema':
      return `${path} is not a usable JSON Schema: ${schema.reason}`;
    case 'schema':
      return `${path} was not used`;
    default:
      return schema satisfies never;
  }
}
