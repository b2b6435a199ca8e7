// The Service port a capability is asked at: that of the interface which owns it (evaluation.md 5.1).
import type { ContractCapability } from '../../contract/model.ts';
import type { UnobservedOutcome } from '../evidence.ts';
import { serviceNameOf } from '../target.ts';
import type { ServicePort, ServiceView } from '../view.ts';
import { noted, type ObserverContext } from './observer-context.ts';
import { bindingOf, boundPort } from './service-port.ts';

export type CapabilityPort =
  | {
      readonly kind: 'port';
      readonly service: ServiceView;
      readonly port: ServicePort;
      /** As declared; absent when the contract names none. */
      readonly path?: string;
    }
  | { readonly kind: 'none'; readonly outcome: UnobservedOutcome };

const UNSUPPORTED = { kind: 'none', outcome: 'Unsupported' } as const;

/** The port, or why there is none to ask at (rows H1 to H6, M2 to M4). */
export function capabilityPort(context: ObserverContext, { binding }: ContractCapability): CapabilityPort {
  const { target, namespace, view } = context.input;
  if (binding === undefined || binding.type !== 'http') return UNSUPPORTED;
  const bound = bindingOf(target.interfaceBindings, binding.interface);
  const serviceName = serviceNameOf(target);
  if (bound === undefined || serviceName === undefined) return UNSUPPORTED;
  const service = noted(context, 'Service', serviceName, view.service(namespace, serviceName));
  if (service.kind === 'unreadable') return { kind: 'none', outcome: 'Failed' };
  if (service.kind === 'absent') return UNSUPPORTED;
  const port = boundPort(service.value, bound.servicePort);
  if (port === undefined) return UNSUPPORTED;
  const { path } = binding;
  const isDeclared = path !== undefined && path !== '';
  return { kind: 'port', service: service.value, port, ...(isDeclared && { path }) };
}
