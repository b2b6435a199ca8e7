// A readable, always current copy of one kind: a reflector filling a cache that answers, and says when it cannot.
import type { Clock, MonotonicTime } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Gauge, Metrics } from '../runtime/metrics.ts';
import { Cache, type CacheChange, type Indexes } from './cache.ts';
import type { KubeClient, Selection } from './client.ts';
import type { Lookup, Unreadable, UnreadableCause } from './lookup.ts';
import { Reflector, type ReflectorSink } from './reflector.ts';
import { ReflectorMetrics } from './reflector-metrics.ts';
import { kindName, type ResourceType } from './resource.ts';

/** Which objects; by default all of all namespaces, in full. */
export type InformerOptions<T> = Selection & {
  readonly client: KubeClient;
  readonly type: ResourceType;
  /**
   * Makes what is kept of a raw object. Must not throw: an object it throws for is logged and unreadable, and so are
   * lists and indexes as long as it is there, because nobody knows whether it belongs to them. managedFields are gone
   * already.
   */
  readonly project: (object: unknown) => T;
  /** Ways to find objects, each from a value to its index keys. */
  readonly indexes?: Indexes<T>;
  /** Called on each value before it is stored, for a freeze in tests. Default: none. */
  readonly seal?: (value: NoInfer<T>) => void;
  /** Past this age since the last word from the server the cache does not answer, in milliseconds. Default: 90,000; infinite: always answers. */
  readonly maxAgeMs?: number;
  /**
   * Silence after which the server is asked whether there is nothing new, in milliseconds. Default: 65,000 where dead
   * connections are noticed by pings (HTTP/2), else 10,000.
   */
  readonly silenceMs?: number;
  /** How the present objects are read. Default: streamed where the server can, else in pages. */
  readonly lists?: 'streamed' | 'paged';
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** Stands for an object that cannot be understood. */
class Undecodable<T> {
  /** What listeners know of it. */
  readonly last: T | undefined;

  constructor(last: T | undefined) {
    this.last = last;
  }
}

/** What is held of one object: nothing but the value of one that is understood, since there are very many of them. */
type Decoded<T> = T | Undecodable<T>;

type State =
  | { readonly kind: 'starting' }
  | { readonly kind: 'synced' }
  | { readonly kind: 'refused'; readonly cause: 'forbidden' | 'notServed' };

export type InformerListener<T> = (change: CacheChange<T>) => void;
export type ReadabilityListener = (unreadable: Unreadable | undefined) => void;

/** Index of the objects that cannot be understood; no name a caller would choose. */
const UNDECODABLE = '\u0000undecodable';

const REASONS: Readonly<Record<UnreadableCause, string>> = {
  notSynced: 'has not been read yet',
  forbidden: 'is forbidden (403)',
  notServed: 'is not served by the API server (404)',
  stale: 'was not confirmed by the API server for too long',
  undecodable: 'has an object that cannot be understood',
};

export class Informer<T> {
  readonly #options: InformerOptions<T>;
  readonly #kind: string;
  readonly #cache: Cache<Decoded<T>>;
  readonly #reflector: Reflector<Decoded<T>>;
  readonly #listeners = new Set<InformerListener<T>>();
  readonly #settledWaiters = new Set<() => void>();
  readonly #readabilityListeners = new Set<ReadabilityListener>();
  readonly #objects: Gauge<'kind'>;
  readonly #maxAgeMs: number;
  #state: State = { kind: 'starting' };
  #confirmedAt: MonotonicTime | undefined;
  /** Why the kind was unreadable when listeners were last told. */
  #cause: UnreadableCause | undefined = 'notSynced';
  #cancelAgeCheck: () => void = () => undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#kind = kindName(options.type);
    this.#maxAgeMs = options.maxAgeMs ?? 90_000;
    this.#cache = new Cache(wrapIndexes(options.indexes ?? {}));
    this.#objects = options.metrics.gauge({
      name: 'kube_cache_objects',
      help: 'Number of objects in the cache, by kind.',
      labels: ['kind'],
      zero: [{ kind: this.#kind }],
    });
    this.#reflector = new Reflector({
      client: options.client,
      type: options.type,
      selection: selectionOf(options),
      decode: (object, key) => this.#decode(object, key),
      sink: this.#sink(),
      ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
      ...(options.lists === undefined ? {} : { lists: options.lists }),
      clock: options.clock,
      log: options.log.child({ component: 'reflector' }),
      metrics: new ReflectorMetrics(options.metrics, this.#kind),
    });
  }

  get kind(): string {
    return this.#kind;
  }

  /** Number of objects held. */
  get size(): number {
    return this.#cache.size;
  }

  /** Keeps the copy current until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#watchAge();
    try {
      await this.#reflector.run(signal);
    } finally {
      this.#cancelAgeCheck();
    }
  }

  /** True once the kind was read in full or the server refused it: nothing more is to be waited for. */
  settled(): boolean {
    return this.#state.kind !== 'starting';
  }

  /** Resolves when {@link settled}; rejects with the signal's reason when that aborts first. */
  whenSettled(signal: AbortSignal): Promise<void> {
    if (this.settled()) return Promise.resolve();
    if (signal.aborted) return Promise.reject(abortReason(signal));
    return new Promise((resolve, reject) => {
      const onSettled = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => {
        this.#settledWaiters.delete(onSettled);
        reject(abortReason(signal));
      };
      this.#settledWaiters.add(onSettled);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Milliseconds since the server last confirmed the picture; infinite before it did. */
  ageMs(): number {
    if (this.#confirmedAt === undefined) return Number.POSITIVE_INFINITY;
    return this.#options.clock.monotonic.now() - this.#confirmedAt;
  }

  /** Why the kind cannot be read at present; undefined when it can. */
  unreadable(): Unreadable | undefined {
    if (this.#state.kind === 'refused') return this.#cannot(this.#state.cause);
    if (this.#state.kind === 'starting') return this.#cannot('notSynced');
    return this.ageMs() > this.#maxAgeMs ? this.#cannot('stale') : undefined;
  }

  /** One object by `namespace/name` (`name` for a cluster-scoped kind). */
  lookup(key: string): Lookup<T> {
    const unreadable = this.unreadable();
    if (unreadable !== undefined) return unreadable;
    const entry = this.#cache.get(key);
    if (entry === undefined) return { kind: 'absent' };
    return entry.value instanceof Undecodable
      ? this.#cannot('undecodable')
      : { kind: 'found', value: entry.value };
  }

  /**
   * Objects under an index key, ordered by object key; none is found as an empty list. Unreadable while there is an
   * object that cannot be understood: left out, it would read as absent.
   */
  byIndex(name: string, key: string): Lookup<readonly T[]> {
    return this.#incomplete() ?? { kind: 'found', value: values(this.#cache.byIndex(name, key)) };
  }

  /** All objects; unreadable as in {@link byIndex}. */
  list(): Lookup<readonly T[]> {
    return this.#incomplete() ?? { kind: 'found', value: values(this.#cache.values()) };
  }

  /**
   * Keys of all objects that are there, those that cannot be understood included; none while the kind is unreadable. For
   * looking at each of them again.
   */
  keys(): readonly string[] {
    return this.unreadable() === undefined ? [...this.#cache.keys()] : [];
  }

  /**
   * Objects under an index key, whatever else there may be; none while the kind is unreadable. For looking at each of
   * them again: unlike {@link byIndex} it says nothing about what is not there.
   */
  known(name: string, key: string): readonly T[] {
    return this.unreadable() === undefined ? values(this.#cache.byIndex(name, key)) : [];
  }

  /**
   * Calls `listener` for each change from now on, after the cache has it. Listeners only enqueue: they are called
   * between two events of the stream. One that throws is logged and hurts nobody. Returns the way to unsubscribe.
   */
  subscribe(listener: InformerListener<T>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls `listener` whenever lists of the kind become readable (undefined) or unreadable, growing stale and objects that
   * cannot be understood included: what was concluded from the cache may have to be looked at again. Returns the way to
   * unsubscribe.
   */
  onReadability(listener: ReadabilityListener): () => void {
    this.#readabilityListeners.add(listener);
    return () => this.#readabilityListeners.delete(listener);
  }

  /** Why lists cannot be read at present. */
  #incomplete(): Unreadable | undefined {
    const unreadable = this.unreadable();
    if (unreadable !== undefined) return unreadable;
    return this.#cache.byIndex(UNDECODABLE, '').length > 0 ? this.#cannot('undecodable') : undefined;
  }

  #cannot(cause: UnreadableCause): Unreadable {
    return { kind: 'unreadable', cause, reason: `${this.#kind} ${REASONS[cause]}` };
  }

  #decode(object: unknown, key: string): Decoded<T> {
    try {
      const value = this.#options.project(object);
      this.#options.seal?.(value);
      // An index that fails must fail here, not halfway through storing.
      for (const keysOf of Object.values(this.#options.indexes ?? {})) keysOf(value);
      return value;
    } catch (error) {
      this.#options.log.error('an object cannot be understood', { kind: this.#kind, key, error });
      return new Undecodable(told(this.#cache.get(key)?.value));
    }
  }

  #sink(): ReflectorSink<Decoded<T>> {
    return {
      stage: () => this.#cache.stage(),
      replace: async (stage) => {
        const changes = this.#cache.adopt(stage);
        this.#objects.set({ kind: this.#kind }, this.#cache.size);
        this.#confirm();
        this.#settle({ kind: 'synced' });
        const { pace } = this.#options.client;
        // Who subscribes in one of the breaks has the new picture already.
        const listeners = new Set(this.#listeners);
        for (const change of changes) {
          this.#notify(change, listeners);
          // A whole cluster of changes must not hold the event loop up.
          if (pace.due()) await pace.rest();
        }
      },
      set: (key, entry) => this.#notify(this.#cache.set(key, entry)),
      delete: (key) => this.#notify(this.#cache.delete(key)),
      confirm: () => this.#confirm(),
      refuse: (cause) => this.#settle({ kind: 'refused', cause }),
    };
  }

  #confirm(): void {
    this.#confirmedAt = this.#options.clock.monotonic.now();
    if (this.#cause !== undefined) this.#checkReadability();
  }

  /** Notices that the picture grew stale, for those who must be told rather than ask. */
  #watchAge(): void {
    // A picture without a limit of age never grows stale.
    if (!Number.isFinite(this.#maxAgeMs)) return;
    const ageMs = this.ageMs();
    // One more millisecond, so that the age is beyond the limit when the timer fires.
    const dueMs = ageMs > this.#maxAgeMs ? this.#maxAgeMs : this.#maxAgeMs - ageMs + 1;
    this.#cancelAgeCheck = this.#options.clock.timers.after(dueMs, () => {
      this.#checkReadability();
      this.#watchAge();
    });
  }

  #checkReadability(): void {
    const unreadable = this.#incomplete();
    if (unreadable?.cause === this.#cause) return;
    this.#cause = unreadable?.cause;
    for (const listener of this.#readabilityListeners) {
      try {
        listener(unreadable);
      } catch (error) {
        this.#options.log.error('a listener failed', { kind: this.#kind, error });
      }
    }
  }

  #settle(state: State): void {
    this.#state = state;
    this.#checkReadability();
    const waiters = [...this.#settledWaiters];
    this.#settledWaiters.clear();
    for (const waiter of waiters) waiter();
  }

  #notify(change: CacheChange<Decoded<T>> | undefined, listeners = this.#listeners): void {
    if (change === undefined) return;
    this.#objects.set({ kind: this.#kind }, this.#cache.size);
    if (involvesUndecodable(change)) this.#checkReadability();
    const news = unwrap(change);
    if (news === undefined) return;
    for (const listener of listeners) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener(news);
      } catch (error) {
        this.#options.log.error('a listener failed', { kind: this.#kind, key: change.key, error });
      }
    }
  }
}

function selectionOf({ namespace, labelSelector, fieldSelector, representation }: Selection): Selection {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(representation === undefined ? {} : { representation }),
  };
}

function wrapIndexes<T>(indexes: Indexes<T>): Indexes<Decoded<T>> {
  const wrapped: Record<string, (decoded: Decoded<T>) => readonly string[]> = {
    [UNDECODABLE]: (decoded) => (decoded instanceof Undecodable ? [''] : []),
  };
  for (const [name, keysOf] of Object.entries(indexes)) {
    wrapped[name] = (decoded) => (decoded instanceof Undecodable ? [] : keysOf(decoded));
  }
  return wrapped;
}

function values<T>(decoded: readonly Decoded<T>[]): readonly T[] {
  const found: T[] = [];
  for (const item of decoded) if (!(item instanceof Undecodable)) found.push(item);
  return found;
}

/** What listeners know of an object. */
function told<T>(decoded: Decoded<T> | undefined): T | undefined {
  return decoded instanceof Undecodable ? decoded.last : decoded;
}

function involvesUndecodable<T>(change: CacheChange<Decoded<T>>): boolean {
  return (
    ('value' in change && change.value instanceof Undecodable) ||
    ('previous' in change && change.previous instanceof Undecodable)
  );
}

/**
 * What listeners are told. An object that cannot be understood any more is there still: they hear of it when it can be
 * again, or is deleted.
 */
function unwrap<T>(change: CacheChange<Decoded<T>>): CacheChange<T> | undefined {
  const { key } = change;
  const previous = 'previous' in change ? told(change.previous) : undefined;
  if (change.kind === 'deleted')
    return previous === undefined ? undefined : { kind: 'deleted', key, previous };
  if (change.value instanceof Undecodable) return undefined;
  const { value } = change;
  return previous === undefined ? { kind: 'added', key, value } : { kind: 'updated', key, value, previous };
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason });
}
