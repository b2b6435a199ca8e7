// The repository part of contract references, by which a dependency finds its provider (evaluation.md 4.1).
import { parseReference, splitTag } from '../contract/oci-reference.ts';

/** Repository of a declared reference; undefined for a local one, which has none. */
export function declaredRepository(ref: string): string | undefined {
  const reference = parseReference(ref);
  return reference.kind === 'oci' ? repositoryOf(reference.location) : undefined;
}

/** Repository a contract was loaded from; undefined for an inline one. Written without scheme, by some with it. */
export function resolvedRepository(resolvedRef: string): string | undefined {
  const reference = parseReference(resolvedRef);
  return repositoryOf(reference.location);
}

/** Without digest and tag; the host in lower case. */
function repositoryOf(location: string): string | undefined {
  const at = location.lastIndexOf('@');
  const { repository } = splitTag(at === -1 ? location : location.slice(0, at));
  if (repository === '') return undefined;
  const slash = repository.indexOf('/');
  return slash === -1 ? repository : `${repository.slice(0, slash).toLowerCase()}${repository.slice(slash)}`;
}
