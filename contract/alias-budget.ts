// Refuses documents that are mostly made of alias expansions, by the same count upstream's YAML library keeps: more than
// 100 alias-driven steps out of more than 1,000, and a share of them that shrinks as the document grows.

const FREE_ALIAS_STEPS = 100;
const FREE_STEPS = 1_000;
const SMALL = 400_000;
const LARGE = 4_000_000;

/** Counts decode steps as if every alias were expanded, without expanding any. */
export class AliasBudget {
  #steps = 0;
  #aliasSteps = 0;
  readonly #costs = new Map<object, number>();

  /** Counts one node and returns the count before it, to be handed to `remember` when the node is complete. */
  begin(): number {
    return this.#steps++;
  }

  /** Notes what expanding `node` costs: everything counted since `startedAt`. */
  remember(node: object, startedAt: number): void {
    this.#costs.set(node, this.#steps - startedAt);
  }

  /** Counts one expansion of `node`; false when the document has gone over its budget. */
  follow(node: object): boolean {
    const cost = 1 + (this.#costs.get(node) ?? 1);
    this.#steps += cost;
    this.#aliasSteps += cost;
    if (this.#aliasSteps <= FREE_ALIAS_STEPS || this.#steps <= FREE_STEPS) return true;
    return this.#aliasSteps / this.#steps <= allowedShare(this.#steps);
  }
}

function allowedShare(steps: number): number {
  if (steps <= SMALL) return 0.99;
  if (steps >= LARGE) return 0.1;
  return 0.99 - 0.89 * ((steps - SMALL) / (LARGE - SMALL));
}
