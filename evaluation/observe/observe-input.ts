// What one collection pass is given.
import type { PactoTarget } from '../../api/pacto.ts';
import type { BundleFiles } from '../../contract/bundle-files.ts';
import type { Contract } from '../../contract/model.ts';
import type { ClusterView } from '../view.ts';
import type { AnswerBook } from './inquiry.ts';
import type { KernelSettings } from './kernel/settings.ts';

/** Opt-in parts of observation. Every one is off by default. */
export type ObservationFeatures = {
  /** An interface without a binding may be found by a Service port of its name. */
  readonly interfaceNameMatchDiscovery: boolean;
  /** Health endpoints are asked, and interfaces greeted to learn their protocol. */
  readonly probing: boolean;
  /** Metrics endpoints are looked for and asked. */
  readonly metricsObservation: boolean;
  /** What node agents saw is merged in; absent leaves it out. */
  readonly kernelEvidence?: KernelSettings;
};

export const DEFAULT_FEATURES: ObservationFeatures = {
  interfaceNameMatchDiscovery: false,
  probing: false,
  metricsObservation: false,
};

export type ObserveInput = {
  /** Namespace of the Pacto. */
  readonly namespace: string;
  readonly target: PactoTarget;
  /** The effective contract: valid, overrides applied. */
  readonly contract: Contract;
  /** Files of the contract's bundle; absent for an inline contract. */
  readonly files?: BundleFiles;
  readonly view: ClusterView;
  /** Answers to what an earlier observation of this pass asked. Default: none. */
  readonly answers?: AnswerBook;
  readonly features: ObservationFeatures;
  /** The one clock reading of the pass, milliseconds since the epoch. */
  readonly now: number;
};
