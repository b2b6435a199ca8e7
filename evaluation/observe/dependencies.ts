// Dependencies: is anything ready behind the Service of the Pacto that provides each? (evaluation.md 4)
import type { ContractDependency } from '../../contract/model.ts';
import type { EndpointSliceView } from '../view.ts';
import { mergeDependency, type DependencyStage } from './kernel/merge-dependency.ts';
import { type AddressPorts, providerAddresses } from './kernel/provider-addresses.ts';
import { noted, type Observer, type ObserverContext } from './observer-context.ts';
import { chooseProvider, type ChosenProvider } from './providers.ts';
import type { RawObservation } from './raw-observation.ts';
import { isReady } from './service-port.ts';

const KIND = 'DependencyReachable';

export const observeDependencies: Observer = (context) =>
  context.input.contract.dependencies.map((declared) => observeOne(context, declared));

function observeOne(context: ObserverContext, declared: ContractDependency): RawObservation {
  const { make } = context;
  const provider = chooseProvider(context, declared);
  if (provider.kind !== 'chosen') {
    const outcomes = { unreadable: 'Failed', none: 'Unsupported', ambiguous: 'Insufficient' } as const;
    return make.without(KIND, declared.name, outcomes[provider.kind]);
  }
  if (provider.serviceName === '') return make.without(KIND, declared.name, 'Insufficient');
  const read = readProvider(context, provider);
  // A name outside the cluster cannot be judged here, whatever the kernel sees of it.
  if (read.kind === 'external') return make.without(KIND, declared.name, 'Unsupported');
  const merged = mergeDependency(context, read.stage, read.addresses);
  const { version } = provider;
  const value = (reachable: boolean): { reachable: boolean; version?: string } => ({
    reachable,
    ...(version !== undefined && { version }),
  });
  switch (merged.kind) {
    case 'reachable':
      return make.positive(KIND, declared.name, value(true), merged.collector);
    case 'negative':
      return make.negative(KIND, declared.name, value(false), merged.collector);
    case 'undecided':
      return make.without(KIND, declared.name, merged.outcome, { collector: merged.collector });
    default:
      return merged satisfies never;
  }
}

type ReadProvider =
  | { readonly kind: 'external' }
  | { readonly kind: 'read'; readonly stage: DependencyStage; readonly addresses: AddressPorts };

/** Rows D5 to D10; the port is of no matter. */
function readProvider(
  context: ObserverContext,
  { namespace, serviceName }: Extract<ChosenProvider, { kind: 'chosen' }>,
): ReadProvider {
  const { view } = context.input;
  const service = noted(context, 'Service', serviceName, view.service(namespace, serviceName), namespace);
  if (service.kind === 'found' && service.value.type === 'ExternalName') return { kind: 'external' };
  const slices = noted(
    context,
    'EndpointSlice',
    serviceName,
    view.endpointSlices(namespace, serviceName),
    namespace,
  );
  const known = slices.kind === 'found' ? slices.value : [];
  const addresses = providerAddresses(service.kind === 'found' ? service.value : undefined, known);
  return { kind: 'read', stage: stageOf(service.kind, slices.kind, known), addresses };
}

function stageOf(
  service: 'found' | 'absent' | 'unreadable',
  slices: 'found' | 'absent' | 'unreadable',
  known: readonly EndpointSliceView[],
): DependencyStage {
  if (service === 'unreadable') return { kind: 'undecided', outcome: 'Failed' };
  if (service === 'absent') return { kind: 'negative' };
  if (slices === 'unreadable') return { kind: 'undecided', outcome: 'Failed' };
  return { kind: known.some(({ endpoints }) => endpoints.some(isReady)) ? 'reachable' : 'negative' };
}
