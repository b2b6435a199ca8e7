// One collection pass: every dimension the contract declares, in a fixed order, each on its own (evaluation.md 2.3).
import { formatTime } from '../../api/time.ts';
import { observeConfigurations } from './configurations.ts';
import { observeDependencies } from './dependencies.ts';
import { observeHealth } from './health.ts';
import { type Inquiry, inquiryKey } from './inquiry.ts';
import { observeInterfaces } from './interfaces.ts';
import { observeUndeclaredPeers } from './kernel/undeclared-peers.ts';
import { observeMetrics } from './metrics.ts';
import type { ObserveInput } from './observe-input.ts';
import type { Observer, ObserverContext } from './observer-context.ts';
import { observePersistence } from './persistence.ts';
import { type CollectionFailure, ObservationFactory, type RawEvidence } from './raw-observation.ts';
import { observeWorkload } from './workload.ts';

const OBSERVERS: readonly Observer[] = [
  observeInterfaces,
  observeDependencies,
  observeUndeclaredPeers,
  observeHealth,
  observeMetrics,
  observeConfigurations,
  observeWorkload,
  observePersistence,
];

/**
 * Collects raw evidence from memory. Pure: equal inputs give equal outputs, and nothing is waited for. While `open` is
 * not empty the evidence is provisional: what hangs on an open question is Insufficient.
 */
export function observe(input: ObserveInput): RawEvidence {
  const failures: CollectionFailure[] = [];
  const open = new Map<string, Inquiry>();
  const context: ObserverContext = {
    input,
    make: new ObservationFactory(formatTime(input.now)),
    fail: (failure) => {
      // One kind and name is read by several elements; its failure is told once.
      if (!failures.some((known) => known.resource === failure.resource && known.name === failure.name)) {
        failures.push(failure);
      }
    },
    ask: (inquiry) => {
      const found = input.answers?.find(inquiry);
      if (found === undefined) open.set(inquiryKey(inquiry), inquiry);
      return found;
    },
  };
  const observations = OBSERVERS.flatMap((observer) => observer(context));
  return { observations, failures, open: [...open.values()] };
}
