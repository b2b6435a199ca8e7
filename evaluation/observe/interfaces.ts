// Interfaces: is anything ready behind the Service port each interface is bound to? (evaluation.md 3)
import type { ContractInterface } from '../../contract/model.ts';
import { serviceNameOf } from '../target.ts';
import { noted, type Observer, type ObserverContext } from './observer-context.ts';
import type { RawObservation } from './raw-observation.ts';
import { bindingOf, boundPort, readyEndpoints } from './service-port.ts';

const KIND = 'InterfaceObserved';

export const observeInterfaces: Observer = (context) =>
  context.input.contract.interfaces.flatMap((declared) => observeOne(context, declared) ?? []);

/** The observation of one interface, or undefined when there is nothing to report (rows I1 to I11). */
function observeOne(context: ObserverContext, declared: ContractInterface): RawObservation | undefined {
  const { input, make } = context;
  const binding = bindingOf(input.target.interfaceBindings, declared.name);
  if (binding === undefined) return discover(context, declared);
  const serviceName = serviceNameOf(input.target);
  if (serviceName === undefined) return undefined;
  const service = noted(context, 'Service', serviceName, input.view.service(input.namespace, serviceName));
  if (service.kind === 'unreadable') return make.without(KIND, declared.name, 'Failed');
  if (service.kind === 'absent') return undefined;
  const port = boundPort(service.value, binding.servicePort);
  if (service.value.type === 'ExternalName' || isSelectorless(service.value) || port === undefined) {
    return make.without(KIND, declared.name, 'Insufficient');
  }
  const slices = noted(
    context,
    'EndpointSlice',
    serviceName,
    input.view.endpointSlices(input.namespace, serviceName),
  );
  if (slices.kind === 'unreadable') return make.without(KIND, declared.name, 'Failed');
  const ready = slices.kind === 'found' ? readyEndpoints(port, slices.value) : 0;
  const value = { type: declared.type, present: ready > 0 };
  return ready > 0 ? make.positive(KIND, declared.name, value) : make.negative(KIND, declared.name, value);
}

/** Without a binding, a port of the interface's own name may confirm it; it never denies and never touches a streak. */
function discover({ input, make }: ObserverContext, declared: ContractInterface): RawObservation {
  const unsupported = make.without(KIND, declared.name, 'Unsupported');
  const serviceName = serviceNameOf(input.target);
  if (!input.features.interfaceNameMatchDiscovery || serviceName === undefined) return unsupported;
  const service = input.view.service(input.namespace, serviceName);
  if (service.kind !== 'found' || isSelectorless(service.value)) return unsupported;
  const port = boundPort(service.value, declared.name);
  const slices = input.view.endpointSlices(input.namespace, serviceName);
  if (port === undefined || slices.kind !== 'found' || readyEndpoints(port, slices.value) === 0)
    return unsupported;
  return make.value(KIND, declared.name, { type: declared.type, present: true });
}

function isSelectorless(service: { readonly selector: Readonly<Record<string, string>> }): boolean {
  return Object.keys(service.selector).length === 0;
}
