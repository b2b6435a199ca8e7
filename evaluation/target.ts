// What a Pacto's target means: the workload it resolves to, whether that was asserted, the runtime identity.
import type { PactoTarget, WorkloadKind } from '../api/pacto.ts';
import { WORKLOAD_KINDS } from '../api/pacto.ts';

export type ResolvedWorkload = {
  readonly name: string;
  readonly kind: WorkloadKind;
  /** The author named the kind; only then may another type of workload be held against the contract. */
  readonly explicit: boolean;
};

/** Neither a Service nor a workload is named: the contract is kept for reference and nothing is observed. */
export function isReferenceOnly(target: PactoTarget | undefined): boolean {
  return serviceNameOf(target) === undefined && target?.workloadRef === undefined;
}

/** The named workload, else a Deployment called like the Service, else nothing (evaluation.md 2.2). */
export function resolveWorkload(target: PactoTarget | undefined): ResolvedWorkload | undefined {
  const reference = target?.workloadRef;
  if (reference !== undefined && reference.name !== '') {
    const kind = WORKLOAD_KINDS.find((known) => known === reference.kind);
    return { name: reference.name, kind: kind ?? 'Deployment', explicit: kind !== undefined };
  }
  const serviceName = serviceNameOf(target);
  return serviceName === undefined ? undefined : { name: serviceName, kind: 'Deployment', explicit: false };
}

/** The Service to look at; an empty name is none. */
export function serviceNameOf(target: PactoTarget | undefined): string | undefined {
  const name = target?.serviceName;
  return name === undefined || name === '' ? undefined : name;
}

/** `<namespace>/<service or workload>`. */
export function runtimeIdentity(namespace: string, target: PactoTarget | undefined): string {
  return `${namespace}/${serviceNameOf(target) ?? resolveWorkload(target)?.name ?? ''}`;
}
