// References to other contracts: which kind a text is, and the grammar of OCI locations (contract.md 3.6).

export type ContractReference =
  | { readonly kind: 'oci'; readonly location: string }
  | { readonly kind: 'local'; readonly location: string };

export type OciLocation = {
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
};

export type ParsedOciLocation =
  | { readonly kind: 'location'; readonly location: OciLocation }
  | { readonly kind: 'invalid'; readonly reason: string };

const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;
const OCI_SCHEME = 'oci://';
const FILE_SCHEME = 'file://';

/** Whether a text is a digest as the language takes them: sha256 or sha512 in lower-case hexadecimal. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/** `oci://` exactly as written makes an OCI reference; everything else is local. */
export function parseReference(text: string): ContractReference {
  if (text.startsWith(OCI_SCHEME)) return { kind: 'oci', location: text.slice(OCI_SCHEME.length) };
  return { kind: 'local', location: text.startsWith(FILE_SCHEME) ? text.slice(FILE_SCHEME.length) : text };
}

/** Splits an OCI location (without scheme) and checks tag and digest. An empty tag or digest counts as absent. */
export function parseOciLocation(text: string): ParsedOciLocation {
  if (text === '') return { kind: 'invalid', reason: 'the reference is empty' };
  const at = text.indexOf('@');
  const digest = at === -1 ? '' : text.slice(at + 1);
  const { repository: path, tag } = splitTag(at === -1 ? text : text.slice(0, at));
  const slash = path.indexOf('/');
  if (slash === -1) return { kind: 'invalid', reason: 'the repository is missing' };
  const registry = path.slice(0, slash);
  const repository = path.slice(slash + 1);
  if (registry === '') return { kind: 'invalid', reason: 'the registry is empty' };
  if (repository === '') return { kind: 'invalid', reason: 'the repository is empty' };
  if (tag !== '' && !TAG.test(tag)) return { kind: 'invalid', reason: `${JSON.stringify(tag)} is no tag` };
  if (digest !== '' && !DIGEST.test(digest)) {
    return { kind: 'invalid', reason: `${JSON.stringify(digest)} is no sha256 or sha512 digest` };
  }
  return {
    kind: 'location',
    location: { registry, repository, ...(tag !== '' && { tag }), ...(digest !== '' && { digest }) },
  };
}

/** Cuts a tag off: the part after the last colon, when that colon comes after the last slash. */
export function splitTag(text: string): { readonly repository: string; readonly tag: string } {
  const colon = text.lastIndexOf(':');
  if (colon === -1 || colon < text.lastIndexOf('/')) return { repository: text, tag: '' };
  return { repository: text.slice(0, colon), tag: text.slice(colon + 1) };
}

/** How a reference picks its version, judged by its text alone (contract.md 3.6). */
export function resolutionPolicy(location: string): 'Latest' | 'PinnedTag' | 'PinnedDigest' {
  if (location.includes('@')) return 'PinnedDigest';
  // The port of a registry is no tag.
  const colon = location.lastIndexOf(':');
  return colon !== -1 && colon > location.lastIndexOf('/') ? 'PinnedTag' : 'Latest';
}
