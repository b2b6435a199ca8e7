// The informers of one cache, started and watched over together.
import type { Informer } from './informer.ts';

/** What a group needs of an informer, whatever it holds. */
export type GroupedInformer = Pick<
  Informer<unknown>,
  'kind' | 'run' | 'whenSettled' | 'settled' | 'ageMs' | 'onReadability'
>;

export class InformerGroup {
  readonly members: readonly GroupedInformer[];

  constructor(members: readonly GroupedInformer[]) {
    this.members = members;
  }

  /** Keeps every kind current until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.members.map((one) => one.run(signal)));
  }

  /** Resolves when every kind was read, or refused by the server. */
  async whenSettled(signal: AbortSignal): Promise<void> {
    await Promise.all(this.members.map((one) => one.whenSettled(signal)));
  }

  /** Kinds still being read for the first time. */
  unsettled(): readonly string[] {
    return this.members.flatMap((one) => (one.settled() ? [] : [one.kind]));
  }
}
