// What the operator keeps of the objects it observes: the fields evaluation looks at, and nothing else.
import type { WorkloadKind } from '../../api/pacto.ts';
import * as read from '../../api/read.ts';
import { rolloutComplete, templateImages } from '../../api/rollout.ts';
import type { EndpointSliceView, ServicePort, ServiceView, WorkloadView } from '../../evaluation/view.ts';

/** Kinds whose pods are replaced step by step. */
const ROLLED_OUT: ReadonlySet<WorkloadKind> = new Set(['Deployment', 'StatefulSet']);

const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';

export function serviceView(object: unknown): ServiceView {
  const spec = read.object(object, 'spec');
  return {
    ...names(object),
    type: read.string(spec, 'type') ?? 'ClusterIP',
    selector: read.stringMap(spec, 'selector'),
    ports: read.list(spec, 'ports').flatMap(servicePort),
  };
}

function servicePort(raw: unknown): ServicePort[] {
  const port = read.integer(raw, 'port');
  if (port === undefined) return [];
  const targetPort = read.integer(raw, 'targetPort') ?? read.string(raw, 'targetPort');
  return [
    {
      name: read.string(raw, 'name') ?? '',
      port,
      ...(targetPort === undefined ? {} : { targetPort }),
      protocol: read.string(raw, 'protocol') ?? 'TCP',
    },
  ];
}

/** Addresses are left out: only whether an endpoint is ready matters, and no finding may carry one. */
export function endpointSliceView(object: unknown): EndpointSliceView {
  const labels = read.stringMap(read.object(object, 'metadata'), 'labels');
  return {
    ...names(object),
    serviceName: labels[SERVICE_NAME_LABEL] ?? '',
    ports: read.list(object, 'ports').map((raw) => {
      const port = read.integer(raw, 'port');
      return {
        name: read.string(raw, 'name') ?? '',
        ...(port === undefined ? {} : { port }),
        protocol: read.string(raw, 'protocol') ?? 'TCP',
      };
    }),
    endpoints: read.list(object, 'endpoints').map((raw) => {
      const ready = read.field(read.object(raw, 'conditions'), 'ready');
      return typeof ready === 'boolean' ? { ready } : {};
    }),
  };
}

/** Makes the projection for one workload kind; objects of a watch do not name their kind. */
export function workloadView(kind: WorkloadKind): (object: unknown) => WorkloadView {
  return (object) => {
    const spec = read.object(object, 'spec');
    const pod = podSpec(kind, spec);
    const volumes = read.list(pod, 'volumes');
    const claims = read.list(spec, 'volumeClaimTemplates');
    const images = templateImages(pod);
    return {
      kind,
      ...names(object),
      containerImages: images.containers,
      ...(images.initContainers.length === 0 ? {} : { initContainerImages: images.initContainers }),
      hasPVC: claims.length > 0 || volumes.some((v) => read.object(v, 'persistentVolumeClaim') !== undefined),
      hasEmptyDir: volumes.some((v) => read.object(v, 'emptyDir') !== undefined),
      ...read.defined({
        generation: read.integer(read.object(object, 'metadata'), 'generation'),
        deploymentStrategy: read.string(read.object(spec, 'strategy'), 'type'),
        podManagementPolicy: read.string(spec, 'podManagementPolicy'),
        terminationGracePeriodSeconds: read.integer(pod, 'terminationGracePeriodSeconds'),
        rolloutComplete: ROLLED_OUT.has(kind) ? rolloutComplete(object) : undefined,
        healthProbeInitialDelaySeconds: probeDelay(read.list(pod, 'containers')[0]),
      }),
    };
  };
}

function podSpec(kind: WorkloadKind, spec: read.Json | undefined): read.Json | undefined {
  const holder = kind === 'CronJob' ? read.object(read.object(spec, 'jobTemplate'), 'spec') : spec;
  return read.object(read.object(holder, 'template'), 'spec');
}

/** Of the readiness probe when there is one, else of the liveness probe. A probe without the field waits 0 s. */
function probeDelay(container: unknown): number | undefined {
  const probe = read.object(container, 'readinessProbe') ?? read.object(container, 'livenessProbe');
  return probe === undefined ? undefined : (read.integer(probe, 'initialDelaySeconds') ?? 0);
}

function names(object: unknown): { namespace: string; name: string } {
  const metadata = read.object(object, 'metadata');
  return { namespace: read.string(metadata, 'namespace') ?? '', name: read.string(metadata, 'name') ?? '' };
}
