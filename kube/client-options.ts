// What requests of the client are told: which objects, and how.

/** Which object; no namespace for a cluster-scoped one. */
export type ObjectRef = { readonly namespace?: string; readonly name: string };

export type RequestOptions = {
  readonly signal?: AbortSignal;
  /**
   * Longest wait for the answer to begin, connecting and tries after a lost connection included, and longest silence
   * within it, in milliseconds. It begins anew after each wait that a throttling server asks for; who must be done by a
   * time aborts `signal`. Default: the transport's.
   */
  readonly timeoutMs?: number;
};

export type WriteOptions = RequestOptions & {
  /** Who the fields belong to. */
  readonly fieldManager?: string;
  /** `all` checks and admits without storing. */
  readonly dryRun?: 'all';
  readonly subresource?: string;
};

export type ApplyOptions = WriteOptions & {
  readonly fieldManager: string;
  /** `take` takes fields over from other managers in place of a conflict. Default: `refuse`. */
  readonly conflicts?: 'take' | 'refuse';
};

export type DeleteOptions = RequestOptions & {
  /** Default: the kind's own, usually `Background`. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  /** Deletes only the object with this uid or at this version; else a conflict. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: 'all';
};

/** What a list or a watch is about. */
export type Selection = {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** `metadata` asks for metadata only (PartialObjectMetadata). Default: `full`. */
  readonly representation?: 'full' | 'metadata';
};

/** What is to come of each object. */
export type Reading = {
  /** `drop` leaves `metadata.managedFields` out, where it can before objects are parsed. Default: `keep`. */
  readonly managedFields?: 'keep' | 'drop';
};

export type ListOptions = RequestOptions &
  Selection &
  Reading & {
    /** Objects per page. Default: all in one. */
    readonly limit?: number;
    readonly continue?: string;
    readonly resourceVersion?: string;
    readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact';
  };

export type ListPage = {
  readonly items: readonly unknown[];
  /** Version of the list as a whole; opaque. */
  readonly resourceVersion: string;
  /** Token for the next page, absent on the last. */
  readonly continue?: string;
};

export type WatchOptions = Selection &
  Reading & {
    readonly signal: AbortSignal;
    readonly resourceVersion?: string;
    /** Streams the present objects first, closed by a bookmark, where the server can. */
    readonly initialEvents?: 'send';
    /** After this long the server ends the watch by itself, in seconds. Default: the server's choice. */
    readonly timeoutSeconds?: number;
    /** Longest silence before the connection counts as dead, in milliseconds. Default: none. */
    readonly silenceMs?: number;
  };
