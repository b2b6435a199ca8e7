// Exposure: can a Service port be reached from outside the cluster? (evaluation.md 11)
import type { Exposure } from '../evidence.ts';
import { canonicalAddress, isPublicAddress } from '../address.ts';
import { INTERNAL_LOAD_BALANCER } from '../read-annotations.ts';
import type { IngressView, LoadBalancerAddress, ServicePort, ServiceView } from '../view.ts';
import { noted, type ObserverContext } from './observer-context.ts';

/** external or internal when that is proven, else undefined. A failed read never hides what proves external. */
export function exposureOf(
  context: ObserverContext,
  service: ServiceView,
  port: ServicePort,
): Exposure | undefined {
  const { view } = context.input;
  const { namespace, name, type } = service;
  const ingresses = noted(context, 'Ingress', name, view.ingressesTo(namespace, name));
  const routes = noted(context, 'HTTPRoute', name, view.httpRoutesTo(namespace, name));
  const routed = ingresses.kind === 'found' ? ingresses.value : [];
  if (
    service.externalIPs.some(isPublicAddress) ||
    (type === 'LoadBalancer' && !isInternalLoadBalancer(service) && service.loadBalancer.some(isPublic)) ||
    routed.some((ingress) => routesTo(ingress, name, port) && ingress.addresses.some(isPublic))
  ) {
    return 'external';
  }
  if (ingresses.kind !== 'found' || routes.kind !== 'found') return undefined;
  const isRouted = ingresses.value.length > 0 || routes.value.length > 0;
  return type === 'ClusterIP' && !isRouted ? 'internal' : undefined;
}

function routesTo({ backends }: IngressView, service: string, { name, port }: ServicePort): boolean {
  return backends.some(
    (backend) =>
      backend.service === service &&
      (typeof backend.port === 'number' ? backend.port === port : name !== '' && backend.port === name),
  );
}

/** A hostname is public but for the names AWS gives to internal load balancers; an address in its place is an address. */
function isPublic({ ip, hostname }: LoadBalancerAddress): boolean {
  const literal = canonicalAddress(hostname ?? '');
  const isPublicName =
    literal === undefined
      ? hostname !== undefined && !hostname.startsWith('internal-')
      : isPublicAddress(literal);
  return isPublicName || isPublicAddress(canonicalAddress(ip ?? '') ?? '');
}

/** Whether an annotation asks for a load balancer without a public address. */
function isInternalLoadBalancer({ annotations }: ServiceView): boolean {
  return Object.entries(annotations).some(
    ([key, value]) => INTERNAL_LOAD_BALANCER.get(key)?.(value.toLowerCase()) === true,
  );
}
