// Interfaces: is anything ready behind the Service port each interface is bound to? (evaluation.md 3)
import type { ContractInterface } from '../../contract/model.ts';
import type { Payloads } from '../evidence.ts';
import { serviceNameOf } from '../target.ts';
import type { ServicePort, ServiceView } from '../view.ts';
import { exposureOf } from './exposure.ts';
import { mergeInterface } from './kernel/merge-interface.ts';
import { noted, type Observer, type ObserverContext } from './observer-context.ts';
import type { RawObservation } from './raw-observation.ts';
import { bindingOf, boundPort, hostOf, readyEndpoints } from './service-port.ts';

const KIND = 'InterfaceObserved';

export const observeInterfaces: Observer = (context) =>
  context.input.contract.interfaces.flatMap((declared) => observeOne(context, declared) ?? []);

/** The observation of one interface, or undefined when there is nothing to report (rows I1 to I11). */
function observeOne(context: ObserverContext, declared: ContractInterface): RawObservation | undefined {
  const { input, make } = context;
  const { name } = declared;
  const binding = bindingOf(input.target.interfaceBindings, name);
  if (binding === undefined) return discover(context, declared);
  const serviceName = serviceNameOf(input.target);
  if (serviceName === undefined) return undefined;
  const service = noted(context, 'Service', serviceName, input.view.service(input.namespace, serviceName));
  if (service.kind === 'unreadable') return make.without(KIND, name, 'Failed');
  if (service.kind === 'absent') return undefined;
  const port = boundPort(service.value, binding.servicePort);
  if (service.value.type === 'ExternalName' || isSelectorless(service.value) || port === undefined) {
    return make.without(KIND, name, 'Insufficient');
  }
  const slices = noted(
    context,
    'EndpointSlice',
    serviceName,
    input.view.endpointSlices(input.namespace, serviceName),
  );
  if (slices.kind === 'unreadable') return make.without(KIND, name, 'Failed');
  const ready = slices.kind === 'found' ? readyEndpoints(port, slices.value) : [];
  const absent = { type: declared.type, present: false };
  if (ready.length === 0) return make.negative(KIND, name, absent);
  const kernel = mergeInterface(context, port, ready);
  switch (kernel.kind) {
    case 'negative':
      return make.negative(KIND, name, absent, kernel.collector);
    case 'undecided':
      return make.without(KIND, name, kernel.outcome, { collector: kernel.collector });
    case 'present':
      return make.positive(KIND, name, presence(context, declared, service.value, port), kernel.collector);
    default:
      return kernel satisfies never;
  }
}

/** Without a binding, a port of the interface's own name may confirm it; it never denies and never touches a streak. */
function discover(context: ObserverContext, declared: ContractInterface): RawObservation {
  const { input, make } = context;
  const unsupported = make.without(KIND, declared.name, 'Unsupported');
  const serviceName = serviceNameOf(input.target);
  if (!input.features.interfaceNameMatchDiscovery || serviceName === undefined) return unsupported;
  const service = noted(context, 'Service', serviceName, input.view.service(input.namespace, serviceName));
  if (service.kind !== 'found' || isSelectorless(service.value)) return unsupported;
  const port = boundPort(service.value, declared.name);
  const slices = noted(
    context,
    'EndpointSlice',
    serviceName,
    input.view.endpointSlices(input.namespace, serviceName),
  );
  if (port === undefined || slices.kind !== 'found' || readyEndpoints(port, slices.value).length === 0)
    return unsupported;
  return make.value(KIND, declared.name, presence(context, declared, service.value, port));
}

/** An interface that is there, with what can be told about its protocol and exposure. */
function presence(
  context: ObserverContext,
  { type }: ContractInterface,
  service: ServiceView,
  port: ServicePort,
): Payloads['InterfaceObserved'] {
  const asked =
    context.input.features.probing && port.protocol === 'TCP'
      ? context.ask({ kind: 'protocol', host: hostOf(service), port: port.port })
      : undefined;
  const exposure = exposureOf(context, service, port);
  return {
    type,
    present: true,
    ...(asked?.answer !== undefined && { protocol: asked.answer }),
    ...(exposure !== undefined && { exposure }),
  };
}

function isSelectorless({ selector }: ServiceView): boolean {
  return Object.keys(selector).length === 0;
}
