// What evaluation reads of another Pacto: which Service it stands for, and which contract it was loaded from.
import * as read from '../../api/read.ts';
import type { ProviderView } from '../view-objects.ts';
import { namesOf } from './names.ts';

/** From the raw Pacto, or from anything with its `spec` and `status` beside `metadata`. */
export function providerView(object: unknown): ProviderView {
  return providerOf(namesOf(object), read.object(object, 'spec'), read.object(object, 'status'));
}

export function providerOf(
  names: { readonly namespace: string; readonly name: string },
  spec: unknown,
  status: unknown,
): ProviderView {
  const contract = read.object(status, 'contract');
  return {
    namespace: names.namespace,
    name: names.name,
    serviceName: read.string(read.object(spec, 'target'), 'serviceName') ?? '',
    ...(contract === undefined
      ? {}
      : {
          contract: {
            serviceName: read.string(contract, 'serviceName') ?? '',
            version: read.string(contract, 'version') ?? '',
            resolvedRef: read.string(contract, 'resolvedRef') ?? '',
          },
        }),
  };
}
