// From a bound Service port to the endpoints behind it (evaluation.md 3.1, 3.3, 3.4).
import type { InterfaceBinding } from '../../api/pacto.ts';
import type { EndpointSliceView, EndpointView, ServicePort, ServiceView, SlicePort } from '../view.ts';

/** The binding of a contract interface: the first entry with its name. */
export function bindingOf(
  bindings: readonly InterfaceBinding[] | undefined,
  name: string,
): InterfaceBinding | undefined {
  return bindings?.find((binding) => binding.interface === name);
}

/** The port a binding means: a number is a port number, text is a port name even when it looks like a number. */
export function boundPort(service: ServiceView, servicePort: number | string): ServicePort | undefined {
  return service.ports.find((port) =>
    typeof servicePort === 'number' ? port.port === servicePort : port.name === servicePort,
  );
}

/** A ready endpoint and the number its pod listens on for the port. */
export type ReadyEndpoint = { readonly endpoint: EndpointView; readonly containerPort: number };

/** Endpoints that are ready for `port`, of all slices. A pod of two address families is there twice. */
export function readyEndpoints(
  port: ServicePort,
  slices: readonly EndpointSliceView[],
): readonly ReadyEndpoint[] {
  const ready: ReadyEndpoint[] = [];
  for (const slice of slices) {
    const containerPort = slice.ports.find((candidate) => matches(port, candidate))?.port;
    if (containerPort === undefined) continue;
    for (const endpoint of slice.endpoints) if (isReady(endpoint)) ready.push({ endpoint, containerPort });
  }
  return ready;
}

/** The API says that unset means ready; the other reading could make up an absence. */
export function isReady({ ready }: EndpointView): boolean {
  return ready ?? true;
}

/** The name under which a Service is reached inside the cluster. */
export function hostOf({ namespace, name }: ServiceView): string {
  return `${name}.${namespace}.svc`;
}

/**
 * Whether a slice port carries a Service port: by name, since numbers differ whenever targetPort does. A slice written
 * by hand may leave the name out; then the number decides.
 */
function matches(port: ServicePort, candidate: SlicePort): boolean {
  if (candidate.port === undefined || candidate.protocol !== port.protocol) return false;
  if (candidate.name === port.name) return true;
  return candidate.name === '' && candidate.port === (port.targetPort ?? port.port);
}
