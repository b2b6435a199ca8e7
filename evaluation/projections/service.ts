// What evaluation reads of a Service.
import * as read from '../../api/read.ts';
import { canonicalAddress } from '../address.ts';
import { READ_ANNOTATIONS } from '../read-annotations.ts';
import type { LoadBalancerAddress, ServicePort, ServiceView } from '../view-objects.ts';
import { namesOf, portReference } from './names.ts';

export function serviceView(object: unknown): ServiceView {
  const spec = read.object(object, 'spec');
  const metadata = read.object(object, 'metadata');
  const addresses = read.strings(spec, 'clusterIPs');
  const clusterIPs = addresses.length > 0 ? addresses : [read.string(spec, 'clusterIP') ?? ''];
  const annotations = read.stringMap(metadata, 'annotations');
  return {
    ...namesOf(object),
    type: read.string(spec, 'type') ?? 'ClusterIP',
    selector: read.stringMap(spec, 'selector'),
    ports: read.list(spec, 'ports').flatMap(servicePort),
    labels: read.stringMap(metadata, 'labels'),
    annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => READ_ANNOTATIONS.has(key))),
    // `None` of a headless Service is no address.
    clusterIPs: clusterIPs.flatMap((address) => canonicalAddress(address) ?? []),
    externalIPs: read.strings(spec, 'externalIPs').flatMap((address) => canonicalAddress(address) ?? []),
    loadBalancer: loadBalancerAddresses(object),
  };
}

/** The addresses in `status.loadBalancer.ingress` of a Service or an Ingress. */
export function loadBalancerAddresses(object: unknown): readonly LoadBalancerAddress[] {
  const loadBalancer = read.object(read.object(object, 'status'), 'loadBalancer');
  return read
    .list(loadBalancer, 'ingress')
    .map((entry) => read.defined({ ip: read.string(entry, 'ip'), hostname: read.string(entry, 'hostname') }));
}

function servicePort(raw: unknown): ServicePort[] {
  const port = read.integer(raw, 'port');
  if (port === undefined) return [];
  const targetPort = portReference(raw, 'targetPort');
  return [
    {
      name: read.string(raw, 'name') ?? '',
      port,
      ...(targetPort === undefined ? {} : { targetPort }),
      protocol: read.string(raw, 'protocol') ?? 'TCP',
    },
  ];
}
