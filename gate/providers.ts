// Rule 15: the Pactos of the services a contract depends on, found by the repository of their contract (evaluation 4.1).
import { byText } from '../api/by-text.ts';
import { repositoryOf } from './revision.ts';
import type { MissingVerdict, Verdict } from './verdict.ts';

/**
 * Verdicts that stand for the declared dependencies of one verdict, depth one. A dependency without a Pacto is missing;
 * one with several Pactos is vouched for by all of them, in the order of their names.
 */
export function providersOf(verdict: Verdict, all: readonly Verdict[]): (Verdict | MissingVerdict)[] {
  return verdict.dependencies.flatMap((dependency): (Verdict | MissingVerdict)[] => {
    const repository = contractRepository(dependency.ref);
    const found = all.filter(
      (v) =>
        repository !== undefined &&
        v.resolvedRef !== undefined &&
        contractRepository(`oci://${stripScheme(v.resolvedRef)}`) === repository,
    );
    if (found.length > 0)
      return found.sort((a, b) => byText(a.namespace, b.namespace) || byText(a.name, b.name));
    return [
      {
        kind: 'missing',
        namespace: verdict.namespace,
        why: `no Pacto stands for dependency ${dependency.name} of Pacto ${verdict.namespace}/${verdict.name}`,
      },
    ];
  });
}

const SCHEME = 'oci://';

function stripScheme(ref: string): string {
  return ref.startsWith(SCHEME) ? ref.slice(SCHEME.length) : ref;
}

/** Repository of an OCI contract reference, host in lower case; a local reference has none. */
function contractRepository(ref: string): string | undefined {
  if (!ref.startsWith(SCHEME)) return undefined;
  const repository = repositoryOf(stripScheme(ref));
  const slash = repository.indexOf('/');
  return slash === -1
    ? repository.toLowerCase()
    : repository.slice(0, slash).toLowerCase() + repository.slice(slash);
}
