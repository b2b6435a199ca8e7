// What evaluation reads of the objects that route traffic to a Service: Ingress and HTTPRoute (evaluation.md 11.3).
import * as read from '../../api/read.ts';
import type { HttpRouteView, IngressView } from '../view-objects.ts';
import { namesOf } from './names.ts';
import { loadBalancerAddresses } from './service.ts';

export function ingressView(object: unknown): IngressView {
  const spec = read.object(object, 'spec');
  const backends = [
    read.object(spec, 'defaultBackend'),
    ...read
      .list(spec, 'rules')
      .flatMap((rule) => read.list(read.object(rule, 'http'), 'paths'))
      .map((path) => read.object(path, 'backend')),
  ];
  return {
    ...namesOf(object),
    backends: backends.flatMap((backend) => {
      const service = read.object(backend, 'service');
      const name = read.string(service, 'name');
      if (name === undefined) return [];
      const port = read.object(service, 'port');
      return [
        {
          service: name,
          ...read.defined({ port: read.integer(port, 'number') ?? read.string(port, 'name') }),
        },
      ];
    }),
    addresses: loadBalancerAddresses(object),
  };
}

export function httpRouteView(object: unknown): HttpRouteView {
  const names = namesOf(object);
  return {
    ...names,
    backends: read
      .list(read.object(object, 'spec'), 'rules')
      .flatMap((rule) => read.list(rule, 'backendRefs'))
      .flatMap((reference) => {
        const service = read.string(reference, 'name');
        const group = read.string(reference, 'group') ?? '';
        const kind = read.string(reference, 'kind') ?? 'Service';
        if (service === undefined || kind !== 'Service' || group !== '') return [];
        return [{ namespace: read.string(reference, 'namespace') ?? names.namespace, service }];
      }),
  };
}
