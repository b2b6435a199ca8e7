// Where a Service can be reached inside the cluster: its cluster IPs and its endpoints, with their ports (evaluation.md 12.4).
import type { EndpointSliceView, ServiceView } from '../../view.ts';

/** Ports by canonical address. */
export type AddressPorts = ReadonlyMap<string, ReadonlySet<number>>;

/** Addresses of every family, ready or not; external and load-balancer addresses are no way for a pod in the cluster. */
export function providerAddresses(
  service: ServiceView | undefined,
  slices: readonly EndpointSliceView[],
): AddressPorts {
  const addresses = new Map<string, Set<number>>();
  const add = (address: string, ports: readonly number[]): void => {
    const known = addresses.get(address) ?? new Set<number>();
    for (const port of ports) known.add(port);
    addresses.set(address, known);
  };
  const servicePorts = (service?.ports ?? []).filter(({ protocol }) => protocol === 'TCP');
  for (const address of service?.clusterIPs ?? []) {
    add(
      address,
      servicePorts.map(({ port }) => port),
    );
  }
  for (const slice of slices) {
    const ports = slice.ports.flatMap(({ port, protocol }) =>
      port === undefined || protocol !== 'TCP' ? [] : [port],
    );
    for (const { addresses: own } of slice.endpoints) for (const address of own) add(address, ports);
  }
  return addresses;
}
