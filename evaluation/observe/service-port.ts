// From a bound Service port to the endpoints behind it (evaluation.md 3.1, 3.3, 3.4).
import type { InterfaceBinding } from '../../api/pacto.ts';
import type { EndpointSliceView, ServicePort, ServiceView } from '../view.ts';

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

/** Endpoints that are ready for `port`, summed over all slices; only zero or not zero means anything. */
export function readyEndpoints(port: ServicePort, slices: readonly EndpointSliceView[]): number {
  let ready = 0;
  for (const slice of slices) {
    if (!slice.ports.some((candidate) => matches(port, candidate))) continue;
    // The API says that unset means ready; the other reading could make up an absence.
    ready += slice.endpoints.filter((endpoint) => endpoint.ready ?? true).length;
  }
  return ready;
}

/**
 * Whether a slice port carries a Service port: by name, since numbers differ whenever targetPort does. A slice written
 * by hand may leave the name out; then the number decides.
 */
function matches(port: ServicePort, candidate: EndpointSliceView['ports'][number]): boolean {
  if (candidate.port === undefined || candidate.protocol !== port.protocol) return false;
  if (candidate.name === port.name) return true;
  return candidate.name === '' && candidate.port === (port.targetPort ?? port.port);
}
