// Which failed reads are news: each is told once, and again only when its text changes or it comes back (evaluation 2.4).
import type { CollectionFailure } from '../../../evaluation/observe/raw-observation.ts';

export class FailureLog {
  readonly #told = new Map<string, ReadonlyMap<string, string>>();

  /** The failures of one pass of `key` that were not there, or read otherwise, in its last pass. */
  news(key: string, failures: readonly CollectionFailure[]): readonly CollectionFailure[] {
    const before = this.#told.get(key);
    if (failures.length === 0) {
      this.#told.delete(key);
      return [];
    }
    this.#told.set(key, new Map(failures.map((failure) => [identity(failure), failure.reason])));
    return failures.filter((failure) => before?.get(identity(failure)) !== failure.reason);
  }

  forget(key: string): void {
    this.#told.delete(key);
  }
}

function identity({ resource, name }: CollectionFailure): string {
  return `${resource} ${name}`;
}
