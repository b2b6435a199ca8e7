// Revisions that objects ran, kept for as long as their ReplicaSets exist and readable whatever the age of the cache.
import type { Revision } from '../write.ts';
import type { OwnedRevision } from './projections.ts';

type Change = {
  readonly key: string;
  readonly value?: OwnedRevision | undefined;
  readonly previous?: OwnedRevision | undefined;
};

export class RevisionHistory {
  readonly #byOwner = new Map<string, Map<string, Revision>>();

  /** Takes in one change of a ReplicaSet; `key` names it. */
  apply({ key, value, previous }: Change): void {
    if (previous !== undefined) this.#remove(previous.ownerUid, key);
    if (value === undefined) return;
    const owned = this.#byOwner.get(value.ownerUid) ?? new Map<string, Revision>();
    owned.set(key, { first: value.first, templateKey: value.templateKey });
    this.#byOwner.set(value.ownerUid, owned);
  }

  of(ownerUid: string): readonly Revision[] {
    return [...(this.#byOwner.get(ownerUid)?.values() ?? [])];
  }

  #remove(ownerUid: string, key: string): void {
    const owned = this.#byOwner.get(ownerUid);
    owned?.delete(key);
    if (owned?.size === 0) this.#byOwner.delete(ownerUid);
  }
}
