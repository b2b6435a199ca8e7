// A policy ready to be enforced: where it came from, and its compiled schema.
import type { Json } from '../json.ts';
import type { ContractPolicyEntry } from '../model.ts';
import type { SchemaLeaf } from '../schema-leaves.ts';

export type ContractPolicy = {
  /** `policies["<name>"]`, or `policies[<index>]` when it has no name. */
  readonly origin: string;
  /** Leaves of what `document` breaks. */
  readonly check: (document: Json) => readonly SchemaLeaf[];
};

/** How messages name an entry of a contract's policy list. */
export function policyOrigin({ name }: Pick<ContractPolicyEntry, 'name'>, index: number): string {
  return name === '' ? `policies[${index}]` : `policies[${JSON.stringify(name)}]`;
}
