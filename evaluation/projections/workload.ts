// What evaluation reads of a workload, whatever its kind.
import type { LabelSelector } from '../../api/meta.ts';
import { WORKLOAD_KINDS, type WorkloadKind } from '../../api/pacto.ts';
import * as read from '../../api/read.ts';
import { rolloutComplete, templateImages } from '../../api/rollout.ts';
import type { ContainerView, WorkloadView } from '../view-objects.ts';
import { namesOf } from './names.ts';
import { volumeViews } from './volumes.ts';

/** Kinds whose pods are replaced step by step. */
const ROLLED_OUT: ReadonlySet<WorkloadKind> = new Set(['Deployment', 'StatefulSet']);

/** Makes the projection for one workload kind; objects of a watch do not name their kind. */
export function workloadView(kind: WorkloadKind): (object: unknown) => WorkloadView {
  return (object) => {
    const metadata = read.object(object, 'metadata');
    const spec = read.object(object, 'spec');
    const holder = kind === 'CronJob' ? read.object(read.object(spec, 'jobTemplate'), 'spec') : spec;
    const pod = read.object(read.object(holder, 'template'), 'spec');
    const volumes = volumeViews(pod);
    const hasClaimTemplates = read.list(spec, 'volumeClaimTemplates').length > 0;
    const images = templateImages(pod);
    const owners = read.list(metadata, 'ownerReferences');
    const counts = kind === 'Job' || kind === 'CronJob' ? 'parallelism' : 'replicas';
    return {
      kind,
      ...namesOf(object),
      ownerNames: owners.filter(isWorkload).flatMap((owner) => read.string(owner, 'name') ?? []),
      ...(kind === 'Job' ? { ownerUids: owners.flatMap((owner) => read.string(owner, 'uid') ?? []) } : {}),
      podsAtOnce: read.integer(holder, counts) ?? 1,
      containers: read.list(pod, 'containers').map(containerView),
      volumes,
      hasClaimTemplates,
      containerImages: images.containers,
      ...(images.initContainers.length === 0 ? {} : { initContainerImages: images.initContainers }),
      hasPVC: hasClaimTemplates || volumes.some((volume) => volume.kind === 'claim'),
      hasEmptyDir: read.list(pod, 'volumes').some((v) => read.object(v, 'emptyDir') !== undefined),
      ...read.defined({
        uid: kind === 'CronJob' ? read.string(metadata, 'uid') : undefined,
        podSelector: kind === 'CronJob' ? undefined : labelSelector(read.object(spec, 'selector')),
        generation: read.integer(metadata, 'generation'),
        deploymentStrategy: read.string(read.object(spec, 'strategy'), 'type'),
        podManagementPolicy: read.string(spec, 'podManagementPolicy'),
        terminationGracePeriodSeconds: read.integer(pod, 'terminationGracePeriodSeconds'),
        rolloutComplete: ROLLED_OUT.has(kind) ? rolloutComplete(object) : undefined,
        healthProbeInitialDelaySeconds: probeDelay(read.list(pod, 'containers')[0]),
      }),
    };
  };
}

function isWorkload(owner: unknown): boolean {
  return WORKLOAD_KINDS.some((kind) => kind === read.string(owner, 'kind'));
}

function containerView(raw: unknown): ContainerView {
  const readiness = read.object(raw, 'readinessProbe');
  return {
    ports: read.list(raw, 'ports').flatMap((port) => {
      const number = read.integer(port, 'containerPort');
      return number === undefined ? [] : [{ name: read.string(port, 'name') ?? '', port: number }];
    }),
    ...(readiness === undefined ? {} : { readiness: readinessView(readiness) }),
  };
}

function readinessView(probe: read.Json): NonNullable<ContainerView['readiness']> {
  const http = read.object(probe, 'httpGet');
  return http === undefined ? { kind: 'other' } : { kind: 'http', path: read.string(http, 'path') ?? '/' };
}

function labelSelector(raw: read.Json | undefined): LabelSelector | undefined {
  if (raw === undefined) return undefined;
  const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;
  const matchExpressions = read.list(raw, 'matchExpressions').map((requirement) => ({
    key: read.string(requirement, 'key') ?? '',
    // One that is not known never holds, so that no pod is taken for one of the workload's.
    operator: operators.find((known) => known === read.string(requirement, 'operator')) ?? ('In' as const),
    values: read.strings(requirement, 'values'),
  }));
  return { matchLabels: read.stringMap(raw, 'matchLabels'), matchExpressions };
}

/** Of the readiness probe when there is one, else of the liveness probe. A probe without the field waits 0 s. */
function probeDelay(container: unknown): number | undefined {
  const probe = read.object(container, 'readinessProbe') ?? read.object(container, 'livenessProbe');
  return probe === undefined ? undefined : (read.integer(probe, 'initialDelaySeconds') ?? 0);
}
