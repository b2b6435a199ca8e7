// References as they are sent to a registry: normalized, completed for Docker Hub, and held to the registry's grammar.
import { parseOciLocation, splitTag } from '../oci-reference.ts';

export type RegistryReference = {
  /** Host with port: `registry.example.com:5000`, `docker.io`. */
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
  readonly policy: 'Latest' | 'PinnedTag' | 'PinnedDigest';
};

export type ParsedRegistryReference =
  | { readonly kind: 'reference'; readonly reference: RegistryReference }
  | { readonly kind: 'invalid'; readonly reason: string };

const DOCKER_HUB = 'docker.io';
const DOCKER_HUB_NAMES = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);
const HOST =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?$/;
const REPOSITORY = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const MAX_LENGTH = 1_024;

/** The text of a reference without scheme, percent-decoded as a query component where it holds a `%`. */
export function normalizeReference(text: string): string {
  const decoded = text.includes('%') ? decodeQuery(text) : text;
  return decoded.startsWith('oci://') ? decoded.slice('oci://'.length) : decoded;
}

/** Parses a normalized reference for use with a registry. */
export function parseRegistryReference(text: string): ParsedRegistryReference {
  if (text.length > MAX_LENGTH) return invalid('it is too long');
  const parsed = parseOciLocation(completed(text));
  if (parsed.kind === 'invalid') return parsed;
  const { registry, repository, tag, digest } = parsed.location;
  if (!HOST.test(registry)) return invalid(`${JSON.stringify(registry)} is no registry host`);
  if (!REPOSITORY.test(repository)) return invalid(`${JSON.stringify(repository)} is no repository name`);
  const policy = digest === undefined ? (tag === undefined ? 'Latest' : 'PinnedTag') : 'PinnedDigest';
  const version = { ...(tag !== undefined && { tag }), ...(digest !== undefined && { digest }) };
  return { kind: 'reference', reference: { registry, repository, policy, ...version } };
}

/** `<registry>/<repository>` with a digest or a tag. */
export function referenceText(
  { registry, repository }: RegistryReference,
  version: { readonly tag?: string | undefined; readonly digest?: string | undefined } = {},
): string {
  const { tag, digest } = version;
  const name = `${registry}/${repository}`;
  return digest === undefined ? (tag === undefined ? name : `${name}:${tag}`) : `${name}@${digest}`;
}

/** Key of a repository's tag list: the reference without tag and digest, the registry's port kept. */
export function repositoryKey(text: string): string {
  const [location = ''] = normalizeReference(text).split('@', 1);
  return splitTag(location).repository;
}

/** The registry a pull secret must be for (controller 6.5): without a dot or a colon in its host it is Docker Hub. */
export function registryHostOf(reference: string): string {
  const [location = ''] = reference.replace(/^oci:\/\//, '').split('@', 1);
  const slash = location.indexOf('/');
  const first = slash === -1 ? '' : location.slice(0, slash);
  return first.includes('.') || first.includes(':') ? first : DOCKER_HUB;
}

/** Host in the form in which two are compared: no scheme, path or trailing slash; Docker Hub by its one name. */
export function normalizeHost(host: string): string {
  const [bare = ''] = host
    .trim()
    .replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\//, '')
    .split('/', 1);
  return bare === 'index.docker.io' ? DOCKER_HUB : bare;
}

/** Docker Hub's own shorthand: `org/name` and `name`. */
function completed(text: string): string {
  const slash = text.indexOf('/');
  const first = slash === -1 ? '' : text.slice(0, slash);
  if (slash === -1 || text === '') return text;
  if (!first.includes('.') && !first.includes(':') && first !== '') return `${DOCKER_HUB}/${text}`;
  if (!DOCKER_HUB_NAMES.has(first)) return text;
  const rest = text.slice(slash + 1);
  return rest.includes('/') || rest === '' ? `${DOCKER_HUB}/${rest}` : `${DOCKER_HUB}/library/${rest}`;
}

/** Text that does not decode is kept as it is. */
function decodeQuery(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function invalid(reason: string): ParsedRegistryReference {
  return { kind: 'invalid', reason };
}
