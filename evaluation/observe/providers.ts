// Who provides a dependency: Pactos whose contract comes from its repository, and which of them is meant (evaluation.md 4).
import type { ContractDependency } from '../../contract/model.ts';
import { satisfiesText } from '../../contract/range.ts';
import { parseVersion } from '../../contract/version.ts';
import { declaredRepository } from '../repository.ts';
import type { Lookup, ProviderView } from '../view.ts';
import { noted, type ObserverContext } from './observer-context.ts';

export type ChosenProvider =
  | {
      readonly kind: 'chosen';
      readonly namespace: string;
      /** Empty when the provider names no Service. */
      readonly serviceName: string;
      /** Version of its contract; absent when it has none that parses. */
      readonly version?: string;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'unreadable' };

/** Candidates by repository, whatever their version. A local reference has none. */
export function providersOf(
  context: ObserverContext,
  { ref }: Pick<ContractDependency, 'ref'>,
): Lookup<readonly ProviderView[]> {
  const repository = declaredRepository(ref);
  if (repository === undefined) return { kind: 'found', value: [] };
  return noted(context, 'Pacto', repository, context.input.view.pactosOfRepository(repository), '');
}

/** The one target of a dependency; among several, the only one whose version is accepted. */
export function chooseProvider(context: ObserverContext, dependency: ContractDependency): ChosenProvider {
  const candidates = providersOf(context, dependency);
  if (candidates.kind === 'unreadable') return { kind: 'unreadable' };
  const targets = new Map<string, ProviderView[]>();
  for (const candidate of candidates.kind === 'found' ? candidates.value : []) {
    const key = `${candidate.namespace}/${candidate.serviceName}`;
    const known = targets.get(key);
    if (known === undefined) targets.set(key, [candidate]);
    else known.push(candidate);
  }
  // A Pacto that only keeps a contract for reference stands back where another runs it.
  const running = [...targets.values()].filter(([first]) => first?.serviceName !== '');
  const distinct = running.length > 0 ? running : [...targets.values()];
  const accepts = ({ contract }: ProviderView): boolean =>
    satisfiesText(contract?.version ?? '', dependency.compatibility);
  const fitting = distinct.filter((pactos) => pactos.some(accepts));
  const [chosen] = distinct.length === 1 ? distinct : fitting;
  if (distinct.length === 0) return { kind: 'none' };
  if (chosen === undefined || (distinct.length > 1 && fitting.length > 1)) return { kind: 'ambiguous' };
  // Several Pactos may stand for one Service; the version that fits is no reason to complain about another.
  const provider = chosen.find(accepts) ?? chosen[0];
  if (provider === undefined) return { kind: 'none' };
  const { namespace, serviceName, contract } = provider;
  const version = contract?.version ?? '';
  return {
    kind: 'chosen',
    namespace,
    serviceName,
    ...(parseVersion(version) !== undefined && { version }),
  };
}
