// L3a without a resolver: the policies a bundle brings along; references are named and not fetched (contract 5.2).
import type { BundleFiles } from '../bundle-files.ts';
import type { Report } from '../issue.ts';
import { quote } from '../json.ts';
import type { ContractPolicyEntry } from '../model.ts';
import type { SchemaStore } from '../schema-store.ts';
import { type ContractPolicy, policyOrigin } from './contract-policy.ts';
import { schemaProblem } from './policy-item.ts';

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
    if (entry.schema === undefined) {
      report('POLICY_REF_UNRESOLVED', [], `${origin}: names neither schema nor ref`, ['policies', index]);
      continue;
    }
    const schema = schemas.get(entry.schema);
    if (schema.kind === 'schema') policies.push({ origin, check: schema.check });
    else {
      const at = ['policies', index, 'schema'];
      report('POLICY_REF_UNRESOLVED', [], `${origin}: ${schemaProblem(entry.schema, schema)}`, at);
    }
  }
  return policies;
}
