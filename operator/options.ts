// Options of `pacto-gate operator`.
import type { CredentialSource } from '../contract/registry/credentials.ts';
import type { OrasOptions } from '../contract/registry/oras-client.ts';
import type { ObservationFeatures } from '../evaluation/observe/observe-input.ts';
import type { ClusterConfig } from '../kube/cluster-config.ts';
import type { ListenAddress } from '../runtime/health-server.ts';

export type OperatorOptions = {
  readonly cluster: ClusterConfig;
  /** Namespace the operator runs in; its Lease is there. */
  readonly namespace: string;
  /** Unique to this process; shown as holder of the Lease. */
  readonly identity: string;
  /** The one namespace to look at. Default: all. */
  readonly watchNamespace?: string;
  /** Milliseconds an absence must last before it is a violation. Default: 120,000. */
  readonly windowMs: number;
  /** Opt-in parts of observation. Default: none. */
  readonly features: ObservationFeatures;
  /** Namespace of the node agents whose evidence is merged; only read with kernel evidence on. */
  readonly agentNamespace: string;
  /** Default: true in the chart, false on the command line. */
  readonly leaderElection: 'lease' | 'none';
  /** Pactos judged at once. Default: 4. */
  readonly workers: number;
  readonly registries: RegistryOptions;
  /** Address of /healthz and /readyz. Default: :8081. */
  readonly health: ListenAddress;
  /** Address of /metrics; absent disables it. Default: :8080. */
  readonly metricsAddress?: ListenAddress;
  readonly version: string;
};

/** How bundles are fetched. */
export type RegistryOptions = Pick<OrasOptions, 'program' | 'env' | 'insecureRegistries'> & {
  /** Tried in order for Pactos without a pull secret. */
  readonly sources: readonly CredentialSource[];
};
