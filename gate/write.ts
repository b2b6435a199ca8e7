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
  /** Number of the rollout that first brought this template; a rollback to it gives the ReplicaSet a new number only. */
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
