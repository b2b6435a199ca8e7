// The Pacto and PactoRevision kinds as they stand on the wire. An absent key means the zero value.
import type { Finding } from './finding.ts';
import type { ContractStatus } from './contract-status.ts';
import type { Condition, ObjectMeta } from './meta.ts';

export const WORKLOAD_KINDS = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Job', 'CronJob'] as const;
export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

export type InterfaceBinding = {
  /** An `interfaces[].name` of the contract. */
  readonly interface: string;
  /** A number is the Service port's number, a string its name; a numeric string is still a name. */
  readonly servicePort: number | string;
};

export type ConfigBinding = {
  readonly configuration: string;
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly key?: string;
  readonly format?: 'yaml' | 'json';
};

export type PactoTarget = {
  readonly serviceName?: string;
  readonly workloadRef?: { readonly name: string; readonly kind?: WorkloadKind };
  readonly interfaceBindings?: readonly InterfaceBinding[];
  readonly configBindings?: readonly ConfigBinding[];
};

export type PactoSpec = {
  readonly contractRef: {
    readonly oci?: string;
    /** Contract text; wins over `oci` when both are set. */
    readonly inline?: string;
    readonly pullSecretRef?: string;
  };
  /** Absent or without Service and workload means reference-only. */
  readonly target?: PactoTarget;
  readonly overrides?: {
    readonly configurations?: readonly {
      readonly name: string;
      readonly values: Readonly<Record<string, string>>;
    }[];
  };
  /** Seconds between periodic checks. Default: 300, minimum 30. */
  readonly checkIntervalSeconds?: number;
};

export const WINDOW_KINDS = ['interface', 'dependency', 'configuration', 'capability'] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

/** Start of a streak of negative observations of one assertion. */
export type ObservationWindow = {
  readonly kind: WindowKind;
  readonly subject: string;
  /** RFC 3339, whole seconds. */
  readonly firstObservedNegativeAt: string;
};

export type EvaluationCoverage = {
  readonly evaluated: number;
  readonly required: number;
  /** Contract paths of complementary checks without a usable fact. */
  readonly unverified?: readonly string[];
};

export type Summary = {
  readonly errorCount: number;
  readonly warningCount: number;
  readonly infoCount: number;
  readonly unknownCount: number;
};

export type ValidationItem = { readonly code?: string; readonly path?: string; readonly message: string };

export type PropertyInfo = { readonly key: string; readonly value?: string; readonly type?: string };

export type OwnerContact = { readonly type: string; readonly value: string; readonly purpose?: string };

export type ContractInfo = {
  readonly serviceName: string;
  readonly version: string;
  readonly owner?: {
    readonly team?: string;
    readonly dri?: string;
    readonly contacts?: readonly OwnerContact[];
  };
  readonly ownerDisplay?: string;
  /** Full reference with tag or digest; absent for inline contracts. */
  readonly resolvedRef?: string;
};

export type ObservedRuntime = {
  readonly workloadKind?: string;
  readonly deploymentStrategy?: string;
  readonly podManagementPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  /** metadata.generation of the workload that was read. */
  readonly workloadGeneration?: number;
  readonly imageDigests?: readonly { readonly image: string; readonly digest: string }[];
  readonly containerImages?: readonly string[];
  /** Images of init containers; absent when there are none, or another operator wrote the status. */
  readonly initContainerImages?: readonly string[];
  /** Whether the rollout had ended when the workload was read; absent for kinds that do not roll out. */
  readonly rolloutComplete?: boolean;
  readonly hasPVC: boolean;
  readonly hasEmptyDir: boolean;
  readonly healthProbeInitialDelaySeconds?: number;
};

export type ReadinessClaim = {
  readonly id: string;
  readonly type: string;
  readonly category?: string;
  readonly status: 'done' | 'partial' | 'not-done' | 'deferred';
  readonly evidence?: string;
  readonly description?: string;
  readonly weight: number;
  /** Written always, 0 included; absent reads as 0. */
  readonly earnedWeight?: number;
  readonly excluded?: boolean;
};

export type ReadinessStatus = {
  readonly score?: number;
  readonly minScore?: number;
  readonly totalWeight?: number;
  readonly earnedWeight?: number;
  readonly doneCount?: number;
  readonly partialCount?: number;
  readonly notDoneCount?: number;
  readonly deferredCount?: number;
  readonly passing?: boolean;
  readonly expired?: boolean;
  readonly expires?: string;
  readonly daysRemaining?: number;
  readonly revisions?: readonly {
    readonly date: string;
    readonly version: string;
    readonly author: string;
    readonly description: string;
  }[];
  readonly claims?: readonly ReadinessClaim[];
};

export type ResourceRef = { readonly name: string; readonly kind?: string; readonly exists: boolean };

export type PactoStatus = {
  readonly contractStatus?: ContractStatus;
  readonly contractStatusSince?: string;
  readonly evaluationCoverage?: EvaluationCoverage;
  readonly observationWindows?: readonly ObservationWindow[];
  readonly stabilizationWindowSeconds?: number;
  readonly resolutionPolicy?: 'Latest' | 'PinnedTag' | 'PinnedDigest';
  readonly summary?: Summary;
  readonly contractVersion?: string;
  readonly contract?: ContractInfo;
  readonly validation?: {
    readonly valid: boolean;
    readonly errors?: readonly ValidationItem[];
    readonly warnings?: readonly ValidationItem[];
  };
  readonly findings?: readonly Finding[];
  readonly resources?: { readonly service?: ResourceRef; readonly workload?: ResourceRef };
  readonly interfaces?: readonly {
    readonly name: string;
    readonly type: 'openapi' | 'asyncapi' | 'grpc';
    readonly ref?: string;
    readonly visibility?: string;
  }[];
  readonly capabilities?: readonly { readonly type: string; readonly ref?: string }[];
  readonly configurations?: readonly {
    readonly name: string;
    readonly hasSchema: boolean;
    readonly ref?: string;
    readonly valueKeys?: readonly string[];
    readonly secretKeys?: readonly string[];
    readonly overriddenKeys?: readonly string[];
    readonly properties?: readonly PropertyInfo[];
  }[];
  readonly dependencies?: readonly {
    readonly name: string;
    readonly ref: string;
    readonly required: boolean;
    readonly compatibility?: string;
  }[];
  readonly policies?: readonly {
    readonly name: string;
    readonly hasSchema: boolean;
    readonly schema?: string;
    readonly ref?: string;
    readonly title?: string;
    readonly description?: string;
    readonly properties?: readonly PropertyInfo[];
  }[];
  readonly observedRuntime?: ObservedRuntime;
  readonly readiness?: ReadinessStatus;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly conditions?: readonly Condition[];
  readonly currentRevision?: string;
  readonly lastReconciledAt?: string;
  readonly observedGeneration?: number;
};

export type Pacto = {
  readonly apiVersion: string;
  readonly kind: 'Pacto';
  readonly metadata: ObjectMeta;
  readonly spec: PactoSpec;
  readonly status?: PactoStatus;
};

export type PactoRevision = {
  readonly apiVersion: string;
  readonly kind: 'PactoRevision';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly version: string;
    readonly source: { readonly oci?: string; readonly digest?: string; readonly inline?: boolean };
    readonly pactoRef: string;
    readonly serviceName?: string;
  };
  readonly status?: {
    readonly resolved: boolean;
    readonly contractHash?: string;
    readonly createdAt?: string;
    readonly conditions?: readonly Condition[];
  };
};
