// A kind that a cluster may lack, or serve in an older version only: watched in the best version that is served. Only what
// the API server says about itself makes it absent; everything else that keeps it from being read makes it unreadable.
import { KubeApiError } from '../../kube/api-error.ts';
import {
  Informer,
  type InformerListener,
  type InformerOptions,
  type ReadabilityListener,
} from '../../kube/informer.ts';
import type { GroupedInformer } from '../../kube/informer-group.ts';
import type { Lookup, Unreadable } from '../../kube/lookup.ts';
import { kindName, type ResourceType } from '../../kube/resource.ts';
import { isUnreachable } from '../../kube/transport.ts';
import type { MonotonicTime } from '../../runtime/clock.ts';
import { sleep } from '../../runtime/sleep.ts';
import { servedVersion, type ServedVersion } from './served-version.ts';

export type OptionalInformerOptions<T> = Omit<InformerOptions<T>, 'type'> & {
  /** The kind in each version that `project` understands, the best first. */
  readonly types: readonly [ResourceType, ...ResourceType[]];
};

type State<T> =
  | { readonly kind: 'starting' }
  | { readonly kind: 'none'; readonly confirmedAt: MonotonicTime }
  | { readonly kind: 'watched'; readonly informer: Informer<T> }
  | { readonly kind: 'unreadable'; readonly cause: 'forbidden' | 'notServed'; readonly reason: string };

/** A kind that is not there is looked for again after a random time between one and two of these. */
const AGAIN_MS = 30_000;
/** The same when the API server could not be asked, or a version that was followed for long is gone. */
const SOON_MS = 1_000;

export class OptionalInformer<T> implements GroupedInformer {
  readonly kind: string;
  readonly #options: OptionalInformerOptions<T>;
  readonly #maxAgeMs: number;
  readonly #listeners = new Set<InformerListener<T>>();
  readonly #readabilityListeners = new Set<ReadabilityListener>();
  readonly #settledWaiters = new Set<() => void>();
  #state: State<T> = { kind: 'starting' };
  /** Why the kind was unreadable when listeners were last told. */
  #told: string | undefined = 'not told yet';

  constructor(options: OptionalInformerOptions<T>) {
    this.#options = options;
    this.#maxAgeMs = options.maxAgeMs ?? 90_000;
    this.kind = kindName(options.types[0]);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.#look(signal);
      await sleep(this.#options.clock.timers, waitMs * (1 + Math.random()), signal);
    }
  }

  settled(): boolean {
    const state = this.#state;
    return state.kind === 'watched' ? state.informer.settled() : state.kind !== 'starting';
  }

  async whenSettled(signal: AbortSignal): Promise<void> {
    while (!this.settled()) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        this.#settledWaiters.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  ageMs(): number {
    const state = this.#state;
    if (state.kind === 'watched') return state.informer.ageMs();
    if (state.kind !== 'none') return Number.POSITIVE_INFINITY;
    return this.#options.clock.monotonic.now() - state.confirmedAt;
  }

  onReadability(listener: ReadabilityListener): () => void {
    this.#readabilityListeners.add(listener);
    return () => this.#readabilityListeners.delete(listener);
  }

  /** As an informer's; nothing is told of objects that go because their kind goes: it becomes readable anew then. */
  subscribe(listener: InformerListener<T>): () => void {
    this.#listeners.add(listener);
    const unsubscribe =
      this.#state.kind === 'watched' ? this.#state.informer.subscribe(listener) : () => undefined;
    return () => {
      this.#listeners.delete(listener);
      unsubscribe();
    };
  }

  /** As an informer's; a kind that is not served has no objects. */
  byIndex(name: string, key: string): Lookup<readonly T[]> {
    if (this.#state.kind === 'watched') return this.#state.informer.byIndex(name, key);
    return this.#unreadable() ?? { kind: 'found', value: [] };
  }

  /** Looks once, and follows the kind as long as it is served. Resolves to how long to wait before looking again. */
  async #look(signal: AbortSignal): Promise<number> {
    const { client, clock, types } = this.#options;
    let served: ServedVersion;
    try {
      served = await servedVersion(client, types, signal);
    } catch (error) {
      if (signal.aborted) return 0;
      return this.#unasked(error, signal);
    }
    switch (served.kind) {
      case 'served': {
        const started = clock.monotonic.now();
        await this.#follow(served.type, signal);
        return clock.monotonic.now() - started < AGAIN_MS ? AGAIN_MS : SOON_MS;
      }
      case 'none':
        this.#become({ kind: 'none', confirmedAt: clock.monotonic.now() });
        return AGAIN_MS;
      case 'foreign': {
        const versions = served.versions.join(', ');
        const reason = `${this.kind} is served in ${versions} only, which is not understood`;
        this.#become({ kind: 'unreadable', cause: 'notServed', reason });
        return AGAIN_MS;
      }
    }
  }

  /** Nothing new is known: what was known grows old, and a refusal ends it. */
  async #unasked(error: unknown, signal: AbortSignal): Promise<number> {
    const { log, client } = this.#options;
    if (error instanceof KubeApiError && (error.isForbidden || error.isUnauthorized)) {
      const reason = `which versions of ${this.kind} are served is not told (${error.status})`;
      this.#become({ kind: 'unreadable', cause: 'forbidden', reason });
      return AGAIN_MS;
    }
    log.debug('the API server does not say which kinds it serves', { kind: this.kind, error });
    this.#tell();
    if (isUnreachable(error)) await client.gate.pass(signal);
    return SOON_MS;
  }

  /** Until the signal aborts or the version is served no longer. */
  async #follow(type: ResourceType, signal: AbortSignal): Promise<void> {
    const { types: _types, ...options } = this.#options;
    const gone = new AbortController();
    const informer = new Informer<T>({ ...options, type });
    for (const listener of this.#listeners) {
      // Whoever unsubscribes later does not know of this informer.
      informer.subscribe((change) => this.#listeners.has(listener) && listener(change));
    }
    informer.onReadability((unreadable) => {
      if (unreadable?.cause === 'notServed') gone.abort();
      this.#tell(unreadable);
    });
    void informer.whenSettled(AbortSignal.any([signal, gone.signal])).then(
      () => this.#wakeWaiters(),
      () => undefined,
    );
    this.#become({ kind: 'watched', informer });
    await informer.run(AbortSignal.any([signal, gone.signal]));
    if (signal.aborted) return;
    const reason = `${this.kind} is said to be served in ${type.version} and is not`;
    this.#become({ kind: 'unreadable', cause: 'notServed', reason });
  }

  #become(state: State<T>): void {
    const { log } = this.#options;
    if (state.kind === 'unreadable')
      log.info('a kind cannot be read, asking again later', { kind: this.kind, reason: state.reason });
    this.#state = state;
    this.#tell();
    if (this.settled()) this.#wakeWaiters();
  }

  #wakeWaiters(): void {
    for (const resolve of this.#settledWaiters) resolve();
    this.#settledWaiters.clear();
  }

  #unreadable(): Unreadable | undefined {
    const state = this.#state;
    switch (state.kind) {
      case 'watched':
        return state.informer.unreadable();
      case 'unreadable':
        return { kind: 'unreadable', cause: state.cause, reason: state.reason };
      case 'starting':
        return { kind: 'unreadable', cause: 'notSynced', reason: `${this.kind} has not been looked for yet` };
      case 'none': {
        if (this.ageMs() <= this.#maxAgeMs) return undefined;
        const reason = `that ${this.kind} is not served was not confirmed for too long`;
        return { kind: 'unreadable', cause: 'stale', reason };
      }
    }
  }

  #tell(unreadable = this.#unreadable()): void {
    if (unreadable?.cause === this.#told) return;
    this.#told = unreadable?.cause;
    for (const listener of this.#readabilityListeners) {
      try {
        listener(unreadable);
      } catch (error) {
        this.#options.log.error('a listener failed', { kind: this.kind, error });
      }
    }
  }
}
