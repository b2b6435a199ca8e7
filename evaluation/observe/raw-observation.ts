// What observation hands on: evidence before stabilization, each piece with its effect on the streak of its element.
import type { WindowKind } from '../../api/pacto.ts';
import {
  type AssertionKind,
  type Collector,
  type Observation,
  type Outcome,
  observed,
  type Payloads,
  unobserved,
  type UnobservedOutcome,
} from '../evidence.ts';
import type { Inquiry } from './inquiry.ts';

export type { Outcome };

/** keep: says nothing about absence. clear: it was there. negative: expected and not there, so a streak begins or goes on. */
export type StreakEffect = 'keep' | 'clear' | 'negative';

export type RawObservation = {
  /** For a negative: the confirmed absence, as it counts once its window has ended. */
  readonly observation: Observation;
  readonly negative: boolean;
  /** The streak this observation is about; absent for elements that are never stabilized. */
  readonly streak?: { readonly kind: WindowKind; readonly subject: string; readonly effect: StreakEffect };
};

/** A read that failed. It never reaches a finding; the operator logs it once per change of text. */
export type CollectionFailure = {
  /** Kind that was read, for example `EndpointSlice`. */
  readonly resource: string;
  /** `<namespace>/<name>`. */
  readonly name: string;
  readonly reason: string;
};

export type RawEvidence = {
  readonly observations: readonly RawObservation[];
  readonly failures: readonly CollectionFailure[];
  /** Questions without an answer yet. */
  readonly open: readonly Inquiry[];
};

/** Kinds of assertion whose absence waits for a window, with the kind of that window. */
const WINDOW_KINDS = {
  InterfaceObserved: 'interface',
  DependencyReachable: 'dependency',
  CapabilityObserved: 'capability',
  ConfigurationPresent: 'configuration',
} as const satisfies Partial<Record<AssertionKind, WindowKind>>;

type Stabilized = keyof typeof WINDOW_KINDS;

/** Makes raw observations of one pass; the time is the same for all of them. */
export class ObservationFactory {
  readonly #detectedAt: string;

  constructor(detectedAt: string) {
    this.#detectedAt = detectedAt;
  }

  /** The element is there: a value, and the end of its streak. */
  positive<K extends AssertionKind>(
    kind: K,
    name: string,
    value: Payloads[K],
    collector: Collector = 'k8s-observer',
  ): RawObservation {
    return this.#seen(kind, name, { value, collector, effect: 'clear' });
  }

  /** A value that neither starts nor ends a streak. */
  value<K extends AssertionKind>(
    kind: K,
    name: string,
    value: Payloads[K],
    collector: Collector = 'k8s-observer',
  ): RawObservation {
    return this.#seen(kind, name, { value, collector, effect: 'keep' });
  }

  /** Expected and not there. `value` is what it says once the window has ended. */
  negative<K extends Stabilized>(
    kind: K,
    name: string,
    value: Payloads[K],
    collector: Collector = 'k8s-observer',
  ): RawObservation {
    return this.#seen(kind, name, { value, collector, effect: 'negative' });
  }

  /** No value. */
  without(
    kind: AssertionKind,
    name: string,
    outcome: UnobservedOutcome,
    {
      effect = 'keep',
      collector = 'k8s-observer',
    }: { readonly effect?: 'keep' | 'clear'; readonly collector?: Collector } = {},
  ): RawObservation {
    const observation = unobserved(kind, name, outcome, this.#provenance(collector)) as Observation;
    return { observation, negative: false, ...streakOf(kind, name, effect) };
  }

  #seen<K extends AssertionKind>(
    kind: K,
    name: string,
    {
      value,
      collector,
      effect,
    }: { readonly value: Payloads[K]; readonly collector: Collector; readonly effect: StreakEffect },
  ): RawObservation {
    const observation = observed(kind, name, value, this.#provenance(collector)) as Observation;
    return { observation, negative: effect === 'negative', ...streakOf(kind, name, effect) };
  }

  #provenance(collector: Collector): Observation['provenance'] {
    return { collector, detectedAt: this.#detectedAt };
  }
}

function streakOf(
  kind: AssertionKind,
  subject: string,
  effect: StreakEffect,
): Pick<RawObservation, 'streak'> {
  const windowKind = (WINDOW_KINDS as Partial<Record<AssertionKind, WindowKind>>)[kind];
  return windowKind === undefined ? {} : { streak: { kind: windowKind, subject, effect } };
}
