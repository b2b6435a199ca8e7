// L3a with a resolver: the policies of a contract and of every contract it refers to, depth first (contract 5.4).
import type { BundleFiles } from '../bundle-files.ts';
import { quote } from '../json.ts';
import type { Contract, ContractPolicyEntry } from '../model.ts';
import { parseReference } from '../oci-reference.ts';
import type { Path } from '../tree.ts';
import { policyOrigin } from './contract-policy.ts';
import type { PolicyItem } from './policy-item.ts';

/** A contract whose policies count. */
export type PolicyHolder = {
  readonly contract: Pick<Contract, 'policies'>;
  /** Absent for inline text: its schema entries are silently skipped. */
  readonly files: BundleFiles | undefined;
  /** What relative references are relative to; {@link REGISTRY_BASE} for a bundle of a registry. */
  readonly base: string;
};

/** Base of bundles that came from a registry: a local reference from there leads nowhere. */
export const REGISTRY_BASE = 'registry:';

export type ResolvedHolder =
  | { readonly kind: 'resolved'; readonly holder: PolicyHolder }
  | { readonly kind: 'failed'; readonly reason: string };

/** Finds the contract a reference names, as declared in a contract with this base. Never rejects for what it finds. */
export type PolicyResolver = (ref: string, base: string) => Promise<ResolvedHolder>;

/** The file that counts in a bundle that declares no policies of its own. */
const FIXED_FILE = 'policy/schema.json';
/** References followed in one walk, and how far; honest policies need a handful. */
const MAX_REFERENCES = 256;
const MAX_DEPTH = 32;

type Link = { readonly base: string; readonly ref: string };

/** Walks from `root`. Branches that lead nowhere become items; siblings go on. */
export async function walkPolicies(
  root: PolicyHolder,
  resolver: PolicyResolver | undefined,
): Promise<readonly PolicyItem[]> {
  const walk = new PolicyWalk(resolver);
  await walk.into(root, []);
  return walk.items;
}

class PolicyWalk {
  readonly items: PolicyItem[] = [];
  readonly #resolver: PolicyResolver | undefined;
  #references = 0;
  /** The entry of the root the walk is below. */
  #at: Path = [];

  constructor(resolver: PolicyResolver | undefined) {
    this.#resolver = resolver;
  }

  async into(holder: PolicyHolder, chain: readonly Link[]): Promise<void> {
    for (const [index, entry] of holder.contract.policies.entries()) {
      if (chain.length === 0) this.#at = ['policies', index];
      const name = policyOrigin(entry, index);
      const from = chain.at(-1)?.ref;
      const origin = from === undefined ? name : `${from} → ${name}`;
      if (entry.ref !== undefined) await this.#follow(entry.ref, origin, holder, chain);
      else this.#own(entry, origin, holder);
    }
  }

  #own({ schema }: ContractPolicyEntry, origin: string, { files }: PolicyHolder): void {
    if (files === undefined) return;
    if (schema === undefined) this.#unresolved(origin, 'names neither schema nor ref');
    else this.items.push({ kind: 'schema', at: this.#at, origin, path: schema, file: files.read(schema) });
  }

  async #follow(ref: string, origin: string, holder: PolicyHolder, chain: readonly Link[]): Promise<void> {
    if (this.#resolver === undefined)
      return this.#unresolved(origin, `${quote(ref)}: no resolver is configured`);
    // What is absolute is the same link wherever it is declared.
    const link = { base: parseReference(ref).kind === 'oci' ? '' : holder.base, ref };
    const path = [...chain, link];
    if (chain.some((known) => known.base === link.base && known.ref === link.ref)) {
      const message = `${origin}: ${quote(ref)} refers back to itself: ${path.map((step) => step.ref).join(' → ')}`;
      this.items.push({ kind: 'cycle', at: this.#at, message });
      return;
    }
    this.#references += 1;
    if (path.length > MAX_DEPTH || this.#references > MAX_REFERENCES) {
      return this.#unresolved(
        origin,
        `${quote(ref)}: more than ${MAX_REFERENCES} references, or ${MAX_DEPTH} in a row`,
      );
    }
    const resolved = await this.#resolver(ref, holder.base);
    if (resolved.kind === 'failed') return this.#unresolved(origin, `${quote(ref)}: ${resolved.reason}`);
    const { files, contract } = resolved.holder;
    if (files === undefined) return this.#unresolved(origin, `${quote(ref)}: it has no files`);
    if (contract.policies.length > 0) return this.into(resolved.holder, path);
    this.items.push({
      kind: 'schema',
      at: this.#at,
      origin: `${ref} → ${FIXED_FILE}`,
      path: FIXED_FILE,
      file: files.read(FIXED_FILE),
    });
  }

  #unresolved(origin: string, reason: string): void {
    this.items.push({ kind: 'unresolved', at: this.#at, message: `${origin}: ${reason}` });
  }
}
