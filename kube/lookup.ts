// Answers from memory that keep "there is none" apart from "I cannot know".

/** Why a cache cannot answer. */
export type UnreadableCause = 'notSynced' | 'forbidden' | 'notServed' | 'stale' | 'undecodable';

/** An unreadable answer is never an absence: nothing may be concluded from it. */
export type Lookup<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'absent' }
  | Unreadable;

export type Unreadable = {
  readonly kind: 'unreadable';
  readonly cause: UnreadableCause;
  /** One sentence for people: which kind, and why it cannot be read. */
  readonly reason: string;
};
