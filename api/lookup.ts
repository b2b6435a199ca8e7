// The answer to a look-up in something that may be incomplete: an absence is only claimed when it is known.

/**
 * `unreadable` (refused, not served, stale, never synced) is never an absence: nothing may be concluded from it.
 * `reason` is one sentence for people, without object contents.
 */
export type Lookup<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };
