// What every dimension works with: the input, one way to make observations, one place for failed reads.
import type { Lookup } from '../view.ts';
import type { ObserveInput } from './observe-input.ts';
import type { CollectionFailure, ObservationFactory, RawObservation } from './raw-observation.ts';

export type ObserverContext = {
  readonly input: ObserveInput;
  readonly make: ObservationFactory;
  readonly fail: (failure: CollectionFailure) => void;
};

/** One dimension of the contract: its observations in contract order. */
export type Observer = (context: ObserverContext) => readonly RawObservation[];

/** Notes a failed look-up; returns it unchanged. */
export function noted<T>(
  context: ObserverContext,
  resource: string,
  name: string,
  lookup: Lookup<T>,
): Lookup<T> {
  if (lookup.kind === 'unreadable') {
    context.fail({ resource, name: `${context.input.namespace}/${name}`, reason: lookup.reason });
  }
  return lookup;
}
