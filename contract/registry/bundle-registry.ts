// Bundles from registries: a reference resolved to a digest, fetched, verified and unpacked.
import { BUNDLE_LIMITS } from '../bundle/bundle-limits.ts';
import { sha256 } from '../bundle/digest.ts';
import { type Descriptor, readManifest } from '../bundle/manifest.ts';
import { type Bundle, type ParseCheck, readBundle } from '../bundle/read-bundle.ts';
import type { CredentialSource } from './credentials.ts';
import type { LoadFailure } from './load-failure.ts';
import type { OrasClient, RegistryAnswer } from './oras-client.ts';
import { type RegistryReference, referenceText } from './registry-reference.ts';
import { selectTag, versionTags } from './select-tag.ts';

export type FetchedBundle = {
  readonly bundle: Bundle;
  /** Digest of the manifest. */
  readonly digest: string;
  /** `<repository>:<tag>`, or the digest form that was asked for. */
  readonly resolvedRef: string;
};

/** Bundles already unpacked, by repository and digest. */
export type BundleStore = {
  get(key: string): Bundle | undefined;
  set(key: string, bundle: Bundle): void;
};

export type FetchOptions = {
  /** Tried in order; one that is rejected gives way to the next. */
  readonly sources: readonly CredentialSource[];
  /** Range of versions to choose from when the reference names none. */
  readonly range?: string;
  /** Absent: nothing is remembered. */
  readonly store?: BundleStore;
  readonly signal: AbortSignal;
};

/** Fetches through one {@link OrasClient}. */
export class BundleRegistry {
  readonly #oras: OrasClient;
  readonly #parse: ParseCheck;

  constructor(oras: OrasClient, parse: ParseCheck) {
    this.#oras = oras;
    this.#parse = parse;
  }

  /** The bundle of a reference. Rejects only with the reason of the signal. */
  async fetch(reference: RegistryReference, options: FetchOptions): Promise<RegistryAnswer<FetchedBundle>> {
    const { digest } = reference;
    if (digest !== undefined) {
      const resolvedRef = referenceText(reference, { digest });
      const known = options.store?.get(resolvedRef);
      if (known !== undefined) return { kind: 'answer', value: { bundle: known, digest, resolvedRef } };
    }
    return withSources(options.sources, (source) => this.#fetchWith(reference, source, options));
  }

  /** Tags that are semantic versions, highest first. */
  async versions(
    reference: RegistryReference,
    { sources, signal }: Pick<FetchOptions, 'sources' | 'signal'>,
  ): Promise<RegistryAnswer<readonly string[]>> {
    const tags = await withSources(sources, (source) => this.#oras.tags(reference, source, signal));
    return tags.kind === 'failed' ? tags : { kind: 'answer', value: versionTags(tags.value) };
  }

  async #fetchWith(
    asked: RegistryReference,
    source: CredentialSource,
    options: FetchOptions,
  ): Promise<RegistryAnswer<FetchedBundle>> {
    const resolved = await this.#resolve(asked, source, options);
    if (resolved.kind === 'failed') return resolved;
    const reference = resolved.value;
    const manifest = await this.#oras.manifest(reference, source, options.signal);
    if (manifest.kind === 'failed') return manifest;
    const digest = reference.digest ?? sha256(manifest.value);
    const resolvedRef = referenceText(reference, reference);
    const key = referenceText(reference, { digest });
    const known = options.store?.get(key);
    if (known !== undefined) return { kind: 'answer', value: { bundle: known, digest, resolvedRef } };
    const layer = await this.#layerOf(manifest.value, reference, source, options.signal);
    if (layer.kind === 'failed') return layer;
    const bytes = await this.#oras.blob(reference, layer.value, source, options.signal);
    if (bytes.kind === 'failed') return bytes;
    const read = await readBundle(bytes.value, this.#parse);
    if (read.kind === 'invalid') return invalidBundle(resolvedRef, read.reason);
    options.store?.set(key, read.bundle);
    return { kind: 'answer', value: { bundle: read.bundle, digest, resolvedRef } };
  }

  /** A reference without tag and digest gets the tag of the highest version. */
  async #resolve(
    reference: RegistryReference,
    source: CredentialSource,
    { range, signal }: FetchOptions,
  ): Promise<RegistryAnswer<RegistryReference>> {
    if (reference.policy !== 'Latest') return { kind: 'answer', value: reference };
    const tags = await this.#oras.tags(reference, source, signal);
    if (tags.kind === 'failed') return tags;
    const selected = selectTag(tags.value, range);
    const name = referenceText(reference);
    switch (selected.kind) {
      case 'tag':
        return { kind: 'answer', value: { ...reference, tag: selected.tag } };
      case 'none':
        return failed({ kind: 'not-found', message: `artifact not found: ${name} has no semver tags` });
      case 'no-match':
        return failed({ kind: 'no-match', message: `no version of ${name}: ${selected.reason}` });
      default:
        return selected satisfies never;
    }
  }

  async #layerOf(
    bytes: Buffer,
    reference: RegistryReference,
    source: CredentialSource,
    signal: AbortSignal,
  ): Promise<RegistryAnswer<Descriptor>> {
    const text = referenceText(reference, reference);
    let manifest = readManifest(bytes);
    if (manifest.kind === 'index') {
      const inner = await this.#oras.manifest(
        { ...reference, digest: manifest.manifest.digest },
        source,
        signal,
      );
      if (inner.kind === 'failed') return inner;
      manifest = readManifest(inner.value);
    }
    if (manifest.kind === 'index') return invalidBundle(text, 'an index within an index');
    if (manifest.kind === 'invalid') return invalidBundle(text, manifest.reason);
    if (manifest.layer.size > BUNDLE_LIMITS.layerBytes) {
      return invalidBundle(text, `its layer is larger than ${BUNDLE_LIMITS.layerBytes} bytes`);
    }
    return { kind: 'answer', value: manifest.layer };
  }
}

async function withSources<T>(
  sources: readonly CredentialSource[],
  ask: (source: CredentialSource) => Promise<RegistryAnswer<T>>,
): Promise<RegistryAnswer<T>> {
  let answer: RegistryAnswer<T> = failed({
    kind: 'authentication',
    message: 'there are no credentials to try',
  });
  for (const source of sources) {
    answer = await ask(source);
    if (answer.kind === 'answer' || answer.failure.kind !== 'authentication') return answer;
  }
  return answer;
}

function invalidBundle(text: string, reason: string): RegistryAnswer<never> {
  return failed({
    kind: 'invalid-bundle',
    message: `artifact at ${text} is not a valid Pacto bundle: ${reason}`,
  });
}

function failed(failure: LoadFailure): RegistryAnswer<never> {
  return { kind: 'failed', failure };
}
