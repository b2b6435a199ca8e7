// Services of other Pactos that the workload connects to and no dependency declares (evaluation.md 12.7).
import { byText } from '../../../api/by-text.ts';
import { serviceNameOf } from '../../target.ts';
import type { ProviderView } from '../../view.ts';
import { providersOf } from '../providers.ts';
import { noted, type Observer, type ObserverContext } from '../observer-context.ts';
import type { RawObservation } from '../raw-observation.ts';
import { succeedingAddresses } from './connections.ts';
import { targetEvidence } from './merge-dependency.ts';
import type { PodEvidence } from './pod-evidence.ts';
import { type AddressPorts, providerAddresses } from './provider-addresses.ts';

type ServiceKey = { readonly namespace: string; readonly name: string };

export const observeUndeclaredPeers: Observer = (context) => {
  const evidence = targetEvidence(context);
  if (evidence === undefined || evidence === 'unreadable') return [];
  const declared = declaredServices(context);
  // An unresolved dependency may be exactly the peer that was seen.
  if (declared === undefined) return [];
  const declaredAddresses = new Set(
    declared.flatMap((service) => [...(addressesOf(context, service)?.keys() ?? [])]),
  );
  const own = serviceNameOf(context.input.target);
  const excluded = new Set([
    ...declared.map(textOf),
    ...(own === undefined ? [] : [textOf({ namespace: context.input.namespace, name: own })]),
  ]);
  const peers = connectedServices(context, evidence)
    .filter((service) => !excluded.has(textOf(service)))
    .flatMap((service) => {
      const provider = providerOn(context, service);
      const addresses = addressesOf(context, service);
      if (provider === undefined || addresses === undefined) return [];
      const seen = succeedingAddresses(evidence, addresses, context.input.now);
      return seen.some((address) => !declaredAddresses.has(address)) ? [{ service, provider }] : [];
    })
    .sort((a, b) => byText(textOf(a.service), textOf(b.service)));
  return peers.map(({ service, provider }): RawObservation => {
    const name = provider.contract?.serviceName ?? '';
    const shared = peers.filter((peer) => peer.provider.contract?.serviceName === name).length > 1;
    const subject = name === '' || shared ? textOf(service) : name;
    return context.make.value('DependencyReachable', subject, { reachable: true }, 'ebpf');
  });
};

/** Services of every declared dependency, however it resolves; undefined when one resolves to none. */
function declaredServices(context: ObserverContext): readonly ServiceKey[] | undefined {
  const services: ServiceKey[] = [];
  for (const dependency of context.input.contract.dependencies) {
    const byRef = providersOf(context, dependency);
    const byName = noted(context, 'Pacto', dependency.name, context.input.view.pactosNamed(dependency.name));
    if (byRef.kind !== 'found' || byName.kind !== 'found') return undefined;
    const providers = [...byRef.value, ...byName.value];
    if (providers.length === 0) return undefined;
    for (const { namespace, serviceName } of providers) services.push({ namespace, name: serviceName });
  }
  return services;
}

/** Services at the addresses the pods connect to, found by address and never by going through all of them. */
function connectedServices(
  context: ObserverContext,
  evidence: readonly PodEvidence[],
): readonly ServiceKey[] {
  const { view } = context.input;
  const found = new Map<string, ServiceKey>();
  const addresses = new Set(
    evidence.flatMap(({ sockets }) => (sockets?.peers ?? []).map(({ address }) => address)),
  );
  for (const address of addresses) {
    // By their owner's name: an address belongs in no log.
    const services = noted(context, 'Service', 'peers', view.servicesAt(address));
    const slices = noted(context, 'EndpointSlice', 'peers', view.endpointSlicesAt(address));
    const keys = [
      ...(services.kind === 'found'
        ? services.value.map(({ namespace, name }) => ({ namespace, name }))
        : []),
      ...(slices.kind === 'found'
        ? slices.value.map(({ namespace, serviceName }) => ({ namespace, name: serviceName }))
        : []),
    ];
    for (const key of keys) found.set(textOf(key), key);
  }
  return [...found.values()];
}

function addressesOf(context: ObserverContext, { namespace, name }: ServiceKey): AddressPorts | undefined {
  const { view } = context.input;
  const found = noted(context, 'Service', name, view.service(namespace, name), namespace);
  const slices = noted(context, 'EndpointSlice', name, view.endpointSlices(namespace, name), namespace);
  if (found.kind !== 'found' || slices.kind !== 'found') return undefined;
  return providerAddresses(found.value, slices.value);
}

/** The Pacto that speaks for a Service: the first by name, one with a contract before one without. */
function providerOn(context: ObserverContext, { namespace, name }: ServiceKey): ProviderView | undefined {
  const pactos = noted(context, 'Pacto', name, context.input.view.pactosOn(namespace, name), namespace);
  if (pactos.kind !== 'found') return undefined;
  return pactos.value.find(({ contract }) => contract !== undefined) ?? pactos.value[0];
}

function textOf({ namespace, name }: ServiceKey): string {
  return `${namespace}/${name}`;
}
