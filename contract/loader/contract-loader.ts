// Loads the contract of a resource, inline or from a registry, and says everything there is to say about it. Unchanged
// bytes are parsed once; answers of registries are kept for a while (controller 6).
import type { BundleFiles } from '../bundle-files.ts';
import { sha256 } from '../bundle/digest.ts';
import type { Bundle, ParseCheck } from '../bundle/read-bundle.ts';
import type { BundleTree } from '../bundle/unpack-layer.ts';
import type { CheckedContract, CheckRequest } from '../check/check-contract.ts';
import type { ContractChecker } from '../check/contract-checker.ts';
import type { Contract } from '../model.ts';
import { resolutionPolicy } from '../oci-reference.ts';
import type { ConfigurationOverride } from '../overrides.ts';
import { BundleRegistry, type FetchedBundle } from '../registry/bundle-registry.ts';
import type { CredentialSource, RegistryCredentials } from '../registry/credentials.ts';
import type { LoadFailure } from '../registry/load-failure.ts';
import type { OrasClient, RegistryAnswer } from '../registry/oras-client.ts';
import {
  normalizeReference,
  parseRegistryReference,
  type RegistryReference,
  repositoryKey,
} from '../registry/registry-reference.ts';
import type { Timers } from '../registry/run-child.ts';
import type { ValidationResult } from '../validate.ts';
import { SizedCache } from './sized-cache.ts';
import { type CacheClock, TimedCache } from './timed-cache.ts';

export type ContractSource = {
  /** Text of a contract; wins over `oci`. */
  readonly inline?: string | undefined;
  /** Reference of a bundle, with or without `oci://`. */
  readonly oci?: string | undefined;
  readonly overrides?: readonly ConfigurationOverride[];
  /** Credentials of the resource's own pull secret. They alone are tried, and every cache is bypassed. */
  readonly credentials?: RegistryCredentials | undefined;
};

export type LoadedSource = {
  /** With overrides applied. Shared: not to be changed. */
  readonly contract: Contract;
  readonly validation: ValidationResult;
  /** Sorted keys by configuration name. */
  readonly overriddenKeys: ReadonlyMap<string, readonly string[]>;
  /** `sha256:<hex>` of the contract's bytes before overrides. */
  readonly contentHash: string;
  /** Only for bundles. */
  readonly files?: BundleFiles;
  readonly digest?: string;
  readonly resolvedRef?: string;
  readonly resolutionPolicy?: 'Latest' | 'PinnedTag' | 'PinnedDigest';
};

export type ContractOutcome =
  | { readonly kind: 'loaded'; readonly source: LoadedSource }
  | { readonly kind: 'failed'; readonly failure: LoadFailure };

/** What whoever judges contracts needs of a loader. */
export interface ContractLoading {
  /** Rejects only with the reason of the signal. */
  load(source: ContractSource, signal: AbortSignal): Promise<ContractOutcome>;
  /** Tags of the repository that are semantic versions, highest first; none for no reference. */
  versions(
    source: Pick<ContractSource, 'oci' | 'credentials'>,
    signal: AbortSignal,
  ): Promise<RegistryAnswer<readonly string[]>>;
}

export type ContractLoaderOptions = {
  readonly oras: OrasClient;
  readonly checker: ContractChecker;
  /** Tried in order for resources without a pull secret. */
  readonly sources: readonly CredentialSource[];
  /** Monotonic. */
  readonly clock: CacheClock;
  readonly timers: Timers;
  /** Longest load in milliseconds. Default: 120,000. */
  readonly loadTimeoutMs?: number;
};

const LOAD_LIFETIME_MS = 30_000;
const TAGS_LIFETIME_MS = 300_000;
const DEFAULT_LOAD_TIMEOUT_MS = 120_000;
const BUNDLE_CACHE_BYTES = 64 * 1024 * 1024;
/** Contracts kept with what was found in them; a usual one takes some 50 KiB. */
const CHECKED_CONTRACTS = 2_000;

type Fetched = RegistryAnswer<FetchedBundle>;

/** One per process. */
export class ContractLoader implements ContractLoading {
  readonly #options: ContractLoaderOptions;
  readonly #registry: BundleRegistry;
  readonly #loads: TimedCache<Fetched>;
  readonly #tags: TimedCache<RegistryAnswer<readonly string[]>>;
  readonly #bundles = new SizedCache<Bundle>(BUNDLE_CACHE_BYTES, bundleBytes);
  readonly #checked = new SizedCache<Promise<CheckedContract>>(CHECKED_CONTRACTS, one);
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: ContractLoaderOptions) {
    this.#options = options;
    this.#loads = new TimedCache(LOAD_LIFETIME_MS, options.clock);
    this.#tags = new TimedCache(TAGS_LIFETIME_MS, options.clock);
    const parse: ParseCheck = async (contract) => {
      const parsed = await options.checker.parse(contract);
      // What nobody had the time to read is not known to be wrong; it is read again when it is checked.
      return parsed.kind === 'failed' && parsed.fault !== 'starved' ? parsed.error : undefined;
    };
    this.#registry = new BundleRegistry(options.oras, parse);
  }

  async load(source: ContractSource, signal: AbortSignal): Promise<ContractOutcome> {
    const { inline = '', oci = '', overrides = [] } = source;
    if (inline !== '') return this.#finish({ contract: inline, overrides }, {});
    if (oci === '') return failed({ kind: 'no-source', message: NO_SOURCE });
    const fetched = await this.fetch(oci, source.credentials, signal);
    if (fetched.kind === 'failed') {
      const message = `failed to pull ${JSON.stringify(normalizeReference(oci))}: ${fetched.failure.message}`;
      return failed({ ...fetched.failure, message });
    }
    const { bundle, digest, resolvedRef } = fetched.value;
    const request = { contract: bundle.contract, tree: bundle.tree, overrides };
    return this.#finish(request, {
      files: bundle.files,
      digest,
      resolvedRef,
      resolutionPolicy: resolutionPolicy(normalizeReference(oci)),
    });
  }

  /** A bundle by its reference, without checking it any further. */
  async fetch(
    oci: string,
    credentials: RegistryCredentials | undefined,
    signal: AbortSignal,
  ): Promise<Fetched> {
    signal.throwIfAborted();
    const text = normalizeReference(oci);
    const parsed = parseRegistryReference(text);
    if (parsed.kind === 'invalid') return invalidReference(text, parsed.reason);
    if (credentials !== undefined) {
      const sources = [{ kind: 'credentials', credentials } as const];
      return orAborted(
        this.#within(
          (limit) => this.#registry.fetch(parsed.reference, { sources, signal: limit }),
          text,
          signal,
        ),
        signal,
      );
    }
    return orAborted(
      this.#loads.get(`oci:${text}`, () => this.#pull(parsed.reference, text)),
      signal,
    );
  }

  async versions(
    { oci = '', credentials }: Pick<ContractSource, 'oci' | 'credentials'>,
    signal: AbortSignal,
  ): Promise<RegistryAnswer<readonly string[]>> {
    const text = normalizeReference(oci);
    if (text === '') return { kind: 'answer', value: [] };
    const parsed = parseRegistryReference(text);
    if (parsed.kind === 'invalid') return invalidReference(text, parsed.reason);
    const list = (
      sources: readonly CredentialSource[],
      own?: AbortSignal,
    ): Promise<RegistryAnswer<readonly string[]>> =>
      this.#within(
        (limit) => this.#registry.versions(parsed.reference, { sources, signal: limit }),
        text,
        own,
      );
    if (credentials !== undefined)
      return orAborted(list([{ kind: 'credentials', credentials }], signal), signal);
    return orAborted(
      this.#tags.get(repositoryKey(text), () => list(this.#options.sources)),
      signal,
    );
  }

  /** Ends what is being fetched and waits for it. Loads that were asked for come out as unreachable. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('the loader is closed'));
    await Promise.allSettled(this.#running);
  }

  #pull(reference: RegistryReference, text: string): Promise<Fetched> {
    const { sources } = this.#options;
    const store = this.#bundles;
    return this.#within((signal) => this.#registry.fetch(reference, { sources, store, signal }), text);
  }

  /** Runs `work` with the time limit of a load; what several wait for ends for none of them alone. */
  async #within<T>(
    work: (signal: AbortSignal) => Promise<RegistryAnswer<T>>,
    text: string,
    own?: AbortSignal,
  ): Promise<RegistryAnswer<T>> {
    const limit = new AbortController();
    const timeoutMs = this.#options.loadTimeoutMs ?? DEFAULT_LOAD_TIMEOUT_MS;
    const cancel = this.#options.timers.after(timeoutMs, () =>
      limit.abort(new Error(`no bundle within ${timeoutMs} ms`)),
    );
    const signal = AbortSignal.any([limit.signal, this.#stop.signal, ...(own === undefined ? [] : [own])]);
    const running = work(signal);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      if (!signal.aborted) throw error;
      const cause = signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
      return {
        kind: 'failed',
        failure: { kind: 'unreachable', message: `registry unreachable for ${text}: ${cause}` },
      };
    } finally {
      cancel();
      this.#running.delete(running);
    }
  }

  async #finish(request: CheckRequest, where: Partial<LoadedSource>): Promise<ContractOutcome> {
    const contentHash = sha256(request.contract);
    const checked = await this.#check(request, contentHash);
    if (checked.kind === 'failed') return failed(failureOf(checked, request));
    const { contract, validation, overriddenKeys } = checked;
    return { kind: 'loaded', source: { contract, validation, overriddenKeys, contentHash, ...where } };
  }

  /** Once for the same bytes, files and overrides. What failed for taking too long, or broke, is tried again. */
  #check(request: CheckRequest, contentHash: string): Promise<CheckedContract> {
    const key = keyOf(request, contentHash);
    const known = this.#checked.get(key);
    if (known !== undefined) return known;
    const checked = this.#options.checker.check(request);
    this.#checked.set(key, checked);
    const forget = (): void => this.#checked.delete(key);
    checked.then((result) => {
      if (result.kind === 'failed' && (result.fault === 'limit' || result.fault === 'starved')) forget();
    }, forget);
    return checked;
  }
}

const NO_SOURCE = 'no contract source specified: set either spec.contractRef.oci or spec.contractRef.inline';

/** Digests of trees, which are made once for each. */
const TREE_DIGESTS = new WeakMap<BundleTree, string>();

function keyOf({ tree, overrides = [] }: CheckRequest, contentHash: string): string {
  const parts = [contentHash, tree === undefined ? 'inline' : treeDigest(tree)];
  if (overrides.length > 0) parts.push(sha256(JSON.stringify(overrides)));
  return parts.join(' ');
}

function treeDigest(tree: BundleTree): string {
  const known = TREE_DIGESTS.get(tree);
  if (known !== undefined) return known;
  const lines = [...tree].map(([path, bytes]) => `${sha256(bytes)} ${JSON.stringify(path)}`);
  const digest = sha256(lines.join('\n'));
  TREE_DIGESTS.set(tree, digest);
  return digest;
}

function one(): number {
  return 1;
}

function bundleBytes({ tree }: Bundle): number {
  return tree.values().reduce((sum, { length }) => sum + length, 0);
}

function failureOf(
  { fault, error }: Extract<CheckedContract, { readonly kind: 'failed' }>,
  { tree }: CheckRequest,
): LoadFailure {
  if (fault === 'override') return { kind: 'override', message: error.message, path: 'spec.overrides' };
  if (fault === 'limit') return { kind: 'unclassified', message: error.message };
  if (fault === 'starved') return { kind: 'unreachable', message: error.message };
  if (tree !== undefined) return { kind: 'invalid-bundle', message: error.message };
  return { kind: 'invalid-inline', message: `failed to parse inline contract: ${error.message}` };
}

function invalidReference(text: string, reason: string): RegistryAnswer<never> {
  return {
    kind: 'failed',
    failure: {
      kind: 'invalid-reference',
      message: `invalid OCI reference ${JSON.stringify(text)}: ${reason}`,
    },
  };
}

function failed(failure: LoadFailure): ContractOutcome {
  return { kind: 'failed', failure };
}

/** The answer, or the signal's reason as soon as it aborts; the work itself goes on for whoever else waits for it. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort: (reason: unknown) => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => (abort = reject));
  const onAbort = (): void => abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
