// What every dimension works with: the input, one way to make observations, one place for failed reads and for questions.
import type { Lookup } from '../view.ts';
import type { AnswerTo, Inquiry } from './inquiry.ts';
import type { ObserveInput } from './observe-input.ts';
import type { CollectionFailure, ObservationFactory, RawObservation } from './raw-observation.ts';

export type ObserverContext = {
  readonly input: ObserveInput;
  readonly make: ObservationFactory;
  readonly fail: (failure: CollectionFailure) => void;
  /** The answer to a question, or undefined while nobody has asked it; it is then asked before observation is repeated. */
  readonly ask: <Q extends Inquiry>(inquiry: Q) => { readonly answer: AnswerTo<Q> } | undefined;
};

/** One dimension of the contract: its observations in contract order. */
export type Observer = (context: ObserverContext) => readonly RawObservation[];

/** Notes a failed look-up of an object in `namespace`, the Pacto's by default; returns it unchanged. */
export function noted<T>(
  context: ObserverContext,
  resource: string,
  name: string,
  lookup: Lookup<T>,
  namespace = context.input.namespace,
): Lookup<T> {
  if (lookup.kind === 'unreadable') {
    const full = namespace === '' ? name : `${namespace}/${name}`;
    context.fail({ resource, name: full, reason: lookup.reason });
  }
  return lookup;
}
