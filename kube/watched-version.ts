// The version a watch goes on from, and when to stop believing in it.
import type { MonotonicClock, MonotonicTime } from '../runtime/clock.ts';
import type { KubeApiError } from './api-error.ts';

/** ERROR events for this long without anything else: a server in trouble, one without a leader for instance, has found itself by then. */
const REFUSED_MS = 15_000;

/**
 * No watch may ever go on from a version: etcd cannot tell a change whose predecessor was compacted, and another server may not
 * understand what this one called a version.
 */
export class WatchedVersion {
  readonly #monotonic: MonotonicClock;
  /** Lists since a watch last brought something. */
  #lists = 0;
  /** When the first of the ERROR events came that are all there was since. */
  #refusedAt: MonotonicTime | undefined;
  #lastRefusal: KubeApiError | undefined;

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /** No watch went on from the version of the list before this one either: yet another will hardly bring a better one. */
  get isStuck(): boolean {
    return this.#lists >= 2;
  }

  listed(): void {
    this.#refusedAt = undefined;
    this.#lists += 1;
  }

  /** A watch brought an event or a bookmark. */
  wentOn(): void {
    this.#refusedAt = undefined;
    this.#lists = 0;
  }

  /** A watch brought an ERROR event. */
  refused(error: KubeApiError): void {
    this.#refusedAt ??= this.#monotonic.now();
    this.#lastRefusal = error;
  }

  /** Whether an error with which a watch ended is of its version rather than of its server. */
  isHopeless(error: KubeApiError): boolean {
    if (error.isInvalid) return true;
    if (error !== this.#lastRefusal || error.isTooManyRequests || this.#refusedAt === undefined) return false;
    return this.#monotonic.now() - this.#refusedAt >= REFUSED_MS;
  }
}
