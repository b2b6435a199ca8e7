// A contract of language version 2.0 in its typed reading. Required text that the document left out reads as '', lists
// as empty; fields with a closed list of words hold one of them once the contract is validated.
import type { Json, JsonObject } from './json.ts';

export type OwnerContact = { readonly type: string; readonly value: string; readonly purpose?: string };

export type Owner = {
  readonly team?: string;
  /** Directly responsible individual. */
  readonly dri?: string;
  readonly contacts: readonly OwnerContact[];
};

export type InterfaceType = 'openapi' | 'asyncapi' | 'grpc';
export type Visibility = 'public' | 'internal';

export type ContractInterface = {
  readonly name: string;
  readonly type: InterfaceType;
  /** Bundle-relative path of the specification file. */
  readonly ref: string;
  /** As declared; absent means internal to whoever judges it. */
  readonly visibility?: Visibility;
};

export type ContractConfiguration = {
  readonly name: string;
  readonly required: boolean;
  /** Bundle-relative path of a JSON Schema. */
  readonly schema?: string;
  /** Contract that owns the schema. */
  readonly ref?: string;
  readonly values?: JsonObject;
};

export type ContractPolicyEntry = {
  readonly name: string;
  readonly schema?: string;
  readonly ref?: string;
  readonly target?: string;
};

export type ContractDependency = {
  readonly name: string;
  readonly ref: string;
  readonly required: boolean;
  /** Range of accepted provider versions. */
  readonly compatibility: string;
};

export type CapabilityBinding = {
  readonly type: string;
  /** Name of a declared interface. */
  readonly interface: string;
  readonly path?: string;
};

export type ContractCapability = {
  readonly type: 'health' | 'metrics' | 'extension';
  /** Only on extensions. */
  readonly ref?: string;
  readonly binding?: CapabilityBinding;
};

export type WorkloadType = 'service' | 'job' | 'scheduled';

export type ContractState = {
  readonly type: 'stateless' | 'stateful' | 'hybrid';
  readonly persistence: {
    readonly scope: 'local' | 'shared';
    readonly durability: 'ephemeral' | 'persistent';
  };
  readonly dataCriticality: 'low' | 'medium' | 'high';
};

export type ReadinessRevision = {
  readonly date: string;
  readonly version: string;
  readonly author: string;
  readonly description: string;
};

export type ClaimStatus = 'done' | 'partial' | 'not-done' | 'deferred';

export type ReadinessClaimEntry = {
  readonly id: string;
  readonly type: string;
  readonly category?: string;
  readonly status: ClaimStatus;
  readonly evidence: string;
  /** 0 to 100. */
  readonly weight: number;
  readonly description?: string;
};

export type ContractReadiness = {
  /** Last valid day, YYYY-MM-DD, UTC. */
  readonly expires: string;
  readonly claims: readonly ReadinessClaimEntry[];
  /** Default: 100. */
  readonly minScore?: number;
  /** Share of its weight a partial claim earns. Default: 0.5. */
  readonly partialCredit?: number;
  readonly history: readonly ReadinessRevision[];
};

export type Contract = {
  readonly pactoVersion: string;
  readonly service: { readonly name: string; readonly version: string; readonly owner?: Owner };
  readonly interfaces: readonly ContractInterface[];
  readonly configurations: readonly ContractConfiguration[];
  readonly policies: readonly ContractPolicyEntry[];
  readonly dependencies: readonly ContractDependency[];
  readonly workload?: WorkloadType;
  readonly state?: ContractState;
  readonly capabilities: readonly ContractCapability[];
  readonly readiness?: ContractReadiness;
  readonly metadata: Readonly<Record<string, Json>>;
  readonly extensions: Readonly<Record<string, Json>>;
};

/** Identity of a capability: its reference for extensions, else its type (contract.md 9.3). */
export function capabilityKey(capability: ContractCapability): string {
  return capability.type === 'extension' ? (capability.ref ?? '') : capability.type;
}
