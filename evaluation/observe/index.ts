// One collection pass: every dimension the contract declares, in a fixed order, each on its own (evaluation.md 2.3).
import { formatTime } from '../../api/time.ts';
import { observeInterfaces } from './interfaces.ts';
import type { ObserveInput } from './observe-input.ts';
import type { Observer } from './observer-context.ts';
import { type CollectionFailure, ObservationFactory, type RawEvidence } from './raw-observation.ts';
import {
  capabilitiesUnsupported,
  configurationsUnsupported,
  dependenciesUnsupported,
  persistenceUnsupported,
} from './unsupported.ts';
import { observeWorkload } from './workload.ts';

const OBSERVERS: readonly Observer[] = [
  observeInterfaces,
  dependenciesUnsupported,
  capabilitiesUnsupported,
  configurationsUnsupported,
  observeWorkload,
  persistenceUnsupported,
];

/** Collects raw evidence from memory. Pure: equal inputs give equal outputs, and nothing is waited for. */
export function observe(input: ObserveInput): RawEvidence {
  const failures: CollectionFailure[] = [];
  const context = {
    input,
    make: new ObservationFactory(formatTime(input.now)),
    fail: (failure: CollectionFailure) => {
      // One kind and name is read by several elements; its failure is told once.
      if (!failures.some((known) => known.resource === failure.resource && known.name === failure.name)) {
        failures.push(failure);
      }
    },
  };
  return { observations: OBSERVERS.flatMap((observer) => observer(context)), failures };
}
