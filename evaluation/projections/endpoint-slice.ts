// What evaluation reads of an EndpointSlice.
import * as read from '../../api/read.ts';
import { canonicalAddress } from '../address.ts';
import type { EndpointSliceView, EndpointView } from '../view-objects.ts';
import { namesOf } from './names.ts';

const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';

export function endpointSliceView(object: unknown): EndpointSliceView {
  const labels = read.stringMap(read.object(object, 'metadata'), 'labels');
  return {
    ...namesOf(object),
    serviceName: labels[SERVICE_NAME_LABEL] ?? '',
    ports: read.list(object, 'ports').map((raw) => ({
      name: read.string(raw, 'name') ?? '',
      ...read.defined({ port: read.integer(raw, 'port') }),
      protocol: read.string(raw, 'protocol') ?? 'TCP',
    })),
    endpoints: read.list(object, 'endpoints').map(endpoint),
  };
}

function endpoint(raw: unknown): EndpointView {
  const ready = read.field(read.object(raw, 'conditions'), 'ready');
  const target = read.object(raw, 'targetRef');
  const pod = read.string(target, 'kind') === 'Pod' ? read.string(target, 'name') : undefined;
  return {
    ...(typeof ready === 'boolean' ? { ready } : {}),
    // A slice of names has none.
    addresses: read.strings(raw, 'addresses').flatMap((address) => canonicalAddress(address) ?? []),
    ...(pod === undefined ? {} : { pod }),
  };
}
