// The informational picture of the targets: whether they exist and what the workload looks like (controller.md 7.2).
import type { ObservedRuntime, PactoStatus, PactoTarget, ResourceRef } from '../api/pacto.ts';
import { resolveWorkload, serviceNameOf } from './target.ts';
import type { ClusterView, Lookup, WorkloadView } from './view.ts';

export type RuntimeSnapshot = {
  readonly resources?: PactoStatus['resources'];
  readonly observedRuntime?: ObservedRuntime;
  /** Text of a read that failed; every `exists` is then false, because nothing is known. */
  readonly failure?: string;
};

/** Looks at the target Service and workload once more, independent of evidence. */
export function snapshotRuntime(namespace: string, target: PactoTarget, view: ClusterView): RuntimeSnapshot {
  const serviceName = serviceNameOf(target);
  const workload = resolveWorkload(target);
  const service = serviceName === undefined ? undefined : view.service(namespace, serviceName);
  const found = workload === undefined ? undefined : view.workload(workload.kind, namespace, workload.name);
  const failure = [service, found].map(failureOf).find((reason) => reason !== undefined);
  const exists = (lookup: Lookup<unknown> | undefined): boolean =>
    failure === undefined && lookup?.kind === 'found';
  const resources: { service?: ResourceRef; workload?: ResourceRef } = {
    ...(serviceName !== undefined && { service: { name: serviceName, exists: exists(service) } }),
    ...(workload !== undefined && {
      workload: { name: workload.name, kind: workload.kind, exists: exists(found) },
    }),
  };
  return {
    ...(Object.keys(resources).length > 0 && { resources }),
    ...(failure === undefined &&
      found?.kind === 'found' && { observedRuntime: observedRuntimeOf(found.value) }),
    ...(failure !== undefined && { failure }),
  };
}

function failureOf(lookup: Lookup<unknown> | undefined): string | undefined {
  return lookup?.kind === 'unreadable' ? lookup.reason : undefined;
}

function observedRuntimeOf(workload: WorkloadView): ObservedRuntime {
  const { kind, generation, deploymentStrategy, podManagementPolicy, containerImages } = workload;
  const { terminationGracePeriodSeconds, healthProbeInitialDelaySeconds, hasPVC, hasEmptyDir } = workload;
  const { initContainerImages = [], rolloutComplete } = workload;
  const imageDigests = containerImages.flatMap(pinnedDigest);
  return {
    workloadKind: kind,
    ...(kind === 'Deployment' && deploymentStrategy !== undefined && { deploymentStrategy }),
    ...(kind === 'StatefulSet' && podManagementPolicy !== undefined && { podManagementPolicy }),
    ...(terminationGracePeriodSeconds !== undefined && { terminationGracePeriodSeconds }),
    ...(generation !== undefined && { workloadGeneration: generation }),
    ...(imageDigests.length > 0 && { imageDigests }),
    ...(containerImages.length > 0 && { containerImages }),
    ...(initContainerImages.length > 0 && { initContainerImages }),
    ...(rolloutComplete !== undefined && { rolloutComplete }),
    hasPVC,
    hasEmptyDir,
    ...(healthProbeInitialDelaySeconds !== undefined && { healthProbeInitialDelaySeconds }),
  };
}

/** The digest of an image that is referenced by digest. */
function pinnedDigest(image: string): readonly { readonly image: string; readonly digest: string }[] {
  const digest = /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1];
  return digest === undefined ? [] : [{ image, digest }];
}
