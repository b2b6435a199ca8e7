// How evidence from node agents is to be read (evaluation.md 12.3).

export type KernelSettings = {
  /** Milliseconds between two publications of an agent. Default of the managed agent: 30,000. */
  readonly publishIntervalMs: number;
  /** Milliseconds after which evidence is too old; absent: three publish intervals. */
  readonly stalenessMs?: number;
  /** The agent is ours; one that somebody else runs tells its interval by its Lease. */
  readonly managed: boolean;
};
