// Health: does the declared endpoint answer, or does Kubernetes vouch for it? (evaluation.md 5)
import type { ContractCapability } from '../../contract/model.ts';
import { resolveWorkload } from '../target.ts';
import type { ContainerView, ServicePort, WorkloadView } from '../view.ts';
import { type CapabilityPort, capabilityPort } from './capability-port.ts';
import { noted, type Observer, type ObserverContext } from './observer-context.ts';
import type { RawObservation } from './raw-observation.ts';
import { requestPath } from './request-path.ts';
import { hostOf, readyEndpoints } from './service-port.ts';

const KIND = 'CapabilityObserved';
const NAME = 'health';

export const observeHealth: Observer = (context) =>
  context.input.contract.capabilities
    .filter(({ type }) => type === 'health')
    .map((capability) => observeOne(context, capability));

function observeOne(context: ObserverContext, capability: ContractCapability): RawObservation {
  const { make, input } = context;
  const place = capabilityPort(context, capability);
  if (place.kind === 'none') return make.without(KIND, NAME, place.outcome);
  if (!input.features.probing) return passive(context, place);
  const { service, port, path = '/' } = place;
  const asked = context.ask({
    kind: 'http',
    host: hostOf(service),
    port: port.port,
    path: requestPath(path),
  });
  if (asked === undefined) return make.without(KIND, NAME, 'Insufficient');
  if (asked.answer.kind === 'unanswered') return passive(context, place);
  const { status } = asked.answer;
  if (status >= 200 && status < 400) return make.positive(KIND, NAME, { present: true });
  // Only 404 denies: the server answered, and said that the declared path does not exist.
  if (status === 404) return make.negative(KIND, NAME, { present: false });
  return make.without(KIND, NAME, 'Insufficient');
}

/** A readiness probe on the same path, and an endpoint it has let through. It can confirm and never denies. */
function passive(
  context: ObserverContext,
  { service, port, path }: Extract<CapabilityPort, { kind: 'port' }>,
): RawObservation {
  const { make, input } = context;
  const { namespace, target, view } = input;
  const insufficient = make.without(KIND, NAME, 'Insufficient');
  const resolved = resolveWorkload(target);
  if (resolved === undefined) return insufficient;
  const { kind, name } = resolved;
  const workload = noted(context, kind, name, view.workload(kind, namespace, name));
  if (workload.kind !== 'found' || !isProbed(workload.value, port, path)) return insufficient;
  const slices = noted(context, 'EndpointSlice', service.name, view.endpointSlices(namespace, service.name));
  const ready = slices.kind === 'found' && readyEndpoints(port, slices.value).length > 0;
  return ready ? make.positive(KIND, NAME, { present: true }) : insufficient;
}

/** Whether a container that serves the port has an HTTP readiness probe, on the declared path where one is declared. */
function isProbed({ containers }: WorkloadView, servicePort: ServicePort, path: string | undefined): boolean {
  const port = containerPort(containers, servicePort);
  return containers.some(
    ({ ports, readiness }) =>
      readiness?.kind === 'http' &&
      ports.some((own) => own.port === port) &&
      (path === undefined || readiness.path === path),
  );
}

/** The number behind a Service port; a name means the first container port so called. */
function containerPort(
  containers: readonly ContainerView[],
  { port, targetPort = port }: ServicePort,
): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  return containers.flatMap(({ ports }) => ports).find(({ name }) => name === targetPort)?.port;
}
