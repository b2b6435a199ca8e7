// A write as admission sees it, and what it means for a promotion.
import type { TargetKind } from '../api/promotion-policy.ts';
import type { Json } from '../api/read.ts';
import type { PromotedImage } from './rules.ts';

/** One admission request, reduced to what the gate looks at. */
export type Write = {
  readonly operation: string;
  readonly group: string;
  readonly kind: string;
  readonly subresource: string;
  readonly namespace: string;
  /** May be empty where the server makes the name. */
  readonly name: string;
  readonly object: Json | undefined;
  readonly oldObject: Json | undefined;
};

/** The object a promotion changes. */
export type Target = {
  readonly kind: TargetKind;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Labels before the write, so that a write cannot leave the policies it is under. Empty when it is new. */
  readonly labelsBefore: Readonly<Record<string, string>>;
};

/** A revision an object ran before, as its controller keeps it. */
export type Revision = {
  /** What people know it by, e.g. `revision 3`. */
  readonly name: string;
  /**
   * Rank of its first run among the revisions of the same object: what ran earlier has a lower one. A rollback to it leaves
   * the rank alone. Equal ranks do not say which ran earlier.
   */
  readonly first: number;
  /** Equal templates have equal keys. */
  readonly templateKey: string;
};

/** What a write does. Everything that moves nothing on is `none`. */
export type Movement =
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'rollback'; readonly target: Target; readonly to: string }
  | {
      readonly kind: 'promotion';
      readonly target: Target;
      /** The first write of an object has no verdict of its own yet, so only other namespaces' evidence counts. */
      readonly first: 'create' | 'update';
      readonly images: readonly PromotedImage[];
    };
