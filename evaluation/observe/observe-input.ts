// What one collection pass is given.
import type { PactoTarget } from '../../api/pacto.ts';
import type { Contract } from '../../contract/model.ts';
import type { ClusterView } from '../view.ts';

/** Opt-in parts of observation. Every one is off by default. */
export type ObservationFeatures = {
  /** An interface without a binding may be found by a Service port of its name. */
  readonly interfaceNameMatchDiscovery: boolean;
};

export const DEFAULT_FEATURES: ObservationFeatures = { interfaceNameMatchDiscovery: false };

export type ObserveInput = {
  /** Namespace of the Pacto. */
  readonly namespace: string;
  readonly target: PactoTarget;
  /** The effective contract: valid, overrides applied. */
  readonly contract: Contract;
  readonly view: ClusterView;
  readonly features: ObservationFeatures;
  /** The one clock reading of the pass, milliseconds since the epoch. */
  readonly now: number;
};
