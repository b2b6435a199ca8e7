// Keeps a picture of one kind current: list or streaming list, then watch, for as long as the signal lets it.
import type { Clock, MonotonicTime } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { sleep } from '../runtime/sleep.ts';
import { KubeApiError } from './api-error.ts';
import { Backoff } from './backoff.ts';
import type { CacheEntry, Stage } from './cache.ts';
import type { KubeClient, Selection } from './client.ts';
import { WatchStreamError } from './line-splitter.ts';
import { objectKey, readMeta } from './object-meta.ts';
import type { ReflectorMetrics } from './reflector-metrics.ts';
import { kindName, type ResourceType } from './resource.ts';
import { SilenceGuard } from './silence-guard.ts';
import { isUnreachable, KubeConnectionError } from './transport.ts';
import type { WatchEvent } from './watch-stream.ts';
import { WatchedVersion } from './watched-version.ts';

/** The receiver of a reflector's picture. Calls come in order and never overlap; those that take time are waited for. */
export type ReflectorSink<T> = {
  /** An empty picture, to be filled with a list. */
  stage(): Stage<T>;
  /** The whole picture, now. Keys that are not in it do not exist. */
  replace(stage: Stage<T>): Promise<void>;
  set(key: string, entry: CacheEntry<T>): void;
  delete(key: string): void;
  /** The picture was confirmed to be current. */
  confirm(): void;
  /** The server does not let us read the kind (403) or does not serve it (404); asked again from time to time. */
  refuse(cause: 'forbidden' | 'notServed'): void;
};

export type ReflectorOptions<T> = {
  readonly client: KubeClient;
  readonly type: ResourceType;
  readonly selection: Selection;
  /** Makes an entry of a raw object without managedFields. */
  readonly decode: (object: unknown, key: string) => T;
  readonly sink: ReflectorSink<T>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: ReflectorMetrics;
  /** Default: 65,000 where the connection is pinged, else 10,000. */
  readonly silenceMs?: number;
  /** Default: streamed where the server can, else paged. */
  readonly lists?: 'streamed' | 'paged';
  /** In [0, 1). Default: Math.random. */
  readonly random?: () => number;
};

/** Where the next session starts. `atLeast` is the last version seen, so that a list does not go back in time. */
type Start =
  | { readonly kind: 'resume'; readonly version: string }
  | { readonly kind: 'list'; readonly atLeast?: string };

/** The watch ends by itself after a random time in this range: reconnecting is a daily matter, not an emergency. */
const MIN_WATCH_SECONDS = 300;
const MAX_WATCH_SECONDS = 600;
/** A watch past its own end by this much is a dead connection. */
const OVERDUE_MS = 30_000;
/** A watch that ends sooner than this without an event counts as a failure, against hot loops. */
const SHORT_WATCH_MS = 1_000;
/** A refused kind is asked for again after a random time between one and two of these. */
const REFUSED_RETRY_MS = 30_000;
/** A server may ask for patience, not for days of it. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Streaming lists that may break off in a row before the kind is listed in pages. */
const MAX_UNFINISHED_LISTS = 3;
/**
 * Silence after which the server is asked whether there is nothing new. Bookmarks come once a minute; where dead
 * connections are not noticed by pings, silence is all there is to go by.
 */
const PINGED_SILENCE_MS = 65_000;
/** With half as long for the question a dead connection is noticed within 15 seconds. */
const UNPINGED_SILENCE_MS = 10_000;
/** API servers send a bookmark two seconds before a watch ends: a short watch gets a sign of life out of them. */
const SHORT_WATCH_SECONDS = 5;
/** With half as long for the question a short watch that is as good as dead is noticed within 15 seconds. */
const SHORT_WATCH_SILENCE_MS = 2 * SHORT_WATCH_SECONDS * 1_000;

/**
 * What the next watch is for. `follow`: it lasts. `check`: one after a failure is short, so that the server soon says how far
 * it has come; nothing else would show for a minute that the stream is alive and the picture current. `prove`: as short,
 * after a silence that was not explained; if this one says nothing either, the kind is listed.
 */
type Purpose = 'follow' | 'check' | 'prove';

/** What a watch brought: `unfinished` is a streaming list that ended before it was whole. */
type Progress = 'some' | 'none' | 'unfinished';

export class Reflector<T> {
  readonly #options: ReflectorOptions<T>;
  readonly #backoff: Backoff;
  readonly #random: () => number;
  readonly #kind: string;
  readonly #version: WatchedVersion;
  #start: Start = { kind: 'list' };
  /** Connection failures since the picture was last confirmed by an event or a bookmark. */
  #failures = 0;
  /** Streaming lists in a row that ended without their closing bookmark. */
  #unfinishedLists = 0;
  /** Whether this kind is listed in pages, because the server cannot stream its list, or never finishes. */
  #paged: boolean;
  #purpose: Purpose = 'follow';
  /** When the picture was last known to be current. */
  #confirmedAt: MonotonicTime | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#kind = kindName(options.type);
    this.#paged = options.lists === 'paged';
    this.#version = new WatchedVersion(options.clock.monotonic);
    this.#backoff = new Backoff({ monotonic: options.clock.monotonic, random: this.#random });
  }

  /** Runs until `signal` aborts; nothing else ends it. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const started = this.#options.clock.monotonic.now();
      try {
        const progress = await this.#session(signal);
        const lasted = this.#options.clock.monotonic.now() - started;
        if (progress === 'none' && lasted < SHORT_WATCH_MS) await this.#pause(this.#backoff.next(), signal);
        if (progress === 'unfinished') await this.#pause(this.#backoff.next(), signal);
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error, signal);
      }
    }
  }

  /** One watch, with the list in front of it when one is due. Returns when the server ends the watch. */
  async #session(signal: AbortSignal): Promise<Progress> {
    const { metrics } = this.#options;
    if (this.#start.kind === 'list' && this.#paged) {
      metrics.count('lists');
      try {
        this.#start = { kind: 'resume', version: await this.#list(this.#start.atLeast, signal) };
      } catch (error) {
        metrics.count('unfinishedLists');
        throw error;
      }
      // Nobody would end a watch that begins after the call to stop: that is heard only while it happens.
      signal.throwIfAborted();
    }
    const start = this.#start;
    const staged = start.kind === 'list' ? this.#options.sink.stage() : undefined;
    metrics.count(start.kind === 'list' ? 'streamingLists' : 'watches');
    try {
      return await this.#watch(start, staged, signal);
    } catch (error) {
      // Once the list is whole the start is a version to go on from.
      if (this.#start.kind !== 'list') throw error;
      if (isInvalid(error)) {
        // A version it may not be older than may be what is not understood.
        if (this.#start.atLeast === undefined) this.#paged = true;
        else this.#start = { kind: 'list' };
        return 'some';
      }
      this.#unfinished();
      throw error;
    }
  }

  /** A streaming list that broke off: something in between may cut long answers, which pages are short enough for. */
  #unfinished(): void {
    this.#options.metrics.count('unfinishedLists');
    this.#unfinishedLists += 1;
    if (this.#unfinishedLists >= MAX_UNFINISHED_LISTS) this.#paged = true;
  }

  async #watch(start: Start, staged: Stage<T> | undefined, signal: AbortSignal): Promise<Progress> {
    const { client, type, selection } = this.#options;
    // A list takes the time it takes.
    const purpose = start.kind === 'list' ? 'follow' : this.#purpose;
    const seconds = purpose === 'follow' ? this.#watchSeconds() : SHORT_WATCH_SECONDS;
    const stream = new AbortController();
    const onAbort = (): void => stream.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    // Another watch begins, the silence does not: cuts in a row must not put the question off until the picture is stale.
    const heardAt = start.kind === 'resume' && purpose === 'follow' ? this.#confirmedAt : undefined;
    const guard = this.#guard(stream, purpose, heardAt);
    let initial = staged;
    let progress: Progress = 'none';
    try {
      const events = client.watch(type, {
        ...selection,
        managedFields: 'drop',
        signal: stream.signal,
        timeoutSeconds: seconds,
        silenceMs: seconds * 1_000 + OVERDUE_MS,
        ...(start.kind === 'resume' ? { resourceVersion: start.version } : { initialEvents: 'send' }),
        ...(start.kind === 'list' && start.atLeast !== undefined ? { resourceVersion: start.atLeast } : {}),
      });
      for await (const event of events) {
        progress = 'some';
        this.#purpose = 'follow';
        guard.heard();
        initial = await this.#take(event, initial);
        // Events of a list that is not whole yet confirm nothing.
        if (initial === undefined) this.#confirmed();
      }
    } finally {
      guard.stop();
      stream.abort();
      signal.removeEventListener('abort', onAbort);
    }
    // A short watch without even a bookmark at its end: this server confirms nothing by watching.
    if (purpose !== 'follow' && progress === 'none') this.#purpose = 'follow';
    if (purpose === 'prove' && progress === 'none') {
      this.#relist();
      return 'some';
    }
    if (initial === undefined) return progress;
    this.#unfinished();
    return 'unfinished';
  }

  #confirm(): void {
    this.#confirmedAt = this.#options.clock.monotonic.now();
    this.#options.sink.confirm();
  }

  #confirmed(): void {
    if (this.#failures > 0) this.#options.log.info('a watch is connected again', { kind: this.#kind });
    this.#failures = 0;
    this.#unfinishedLists = 0;
  }

  #watchSeconds(): number {
    return MIN_WATCH_SECONDS + Math.floor(this.#random() * (MAX_WATCH_SECONDS - MIN_WATCH_SECONDS + 1));
  }

  /** Applies one event; `initial` gathers the streaming list until its closing bookmark. */
  async #take(event: WatchEvent, initial: Stage<T> | undefined): Promise<Stage<T> | undefined> {
    const { sink, metrics } = this.#options;
    if (event.kind === 'error') {
      if (initial === undefined) this.#version.refused(event.error);
      throw event.error;
    }
    if (event.kind === 'bookmark') {
      if (initial !== undefined) {
        if (event.marks !== 'initial-events-end') return initial;
        await sink.replace(initial);
        this.#version.listed();
      } else this.#version.wentOn();
      this.#start = { kind: 'resume', version: event.resourceVersion };
      this.#confirm();
      return undefined;
    }
    metrics.count('events');
    const { key, entry } = this.#entry(event.object);
    if (initial !== undefined) {
      if (event.kind === 'deleted') initial.delete(key);
      else initial.set(key, entry);
      return initial;
    }
    if (event.kind === 'deleted') sink.delete(key);
    else sink.set(key, entry);
    this.#version.wentOn();
    this.#start = { kind: 'resume', version: entry.resourceVersion };
    this.#confirm();
    return undefined;
  }

  async #list(atLeast: string | undefined, signal: AbortSignal): Promise<string> {
    const { client, type, selection, sink } = this.#options;
    let stage = sink.stage();
    const version = await client.listEach(
      type,
      {
        ...selection,
        managedFields: 'drop',
        signal,
        ...(atLeast === undefined ? {} : { resourceVersion: atLeast, resourceVersionMatch: 'NotOlderThan' }),
      },
      {
        begin: () => {
          stage = sink.stage();
        },
        item: (object) => {
          const { key, entry } = this.#entry(object);
          stage.set(key, entry);
        },
      },
    );
    await sink.replace(stage);
    this.#version.listed();
    this.#confirm();
    return version;
  }

  #entry(object: unknown): { readonly key: string; readonly entry: CacheEntry<T> } {
    const meta = readMeta(object);
    if (meta === undefined) throw new WatchStreamError('a list has an item without a name');
    const key = objectKey(meta.namespace, meta.name);
    return {
      key,
      entry: { value: this.#options.decode(object, key), resourceVersion: meta.resourceVersion },
    };
  }

  /** Decides what an error means for the next start, and waits as long as it asks for. */
  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { client, sink, log, metrics } = this.#options;
    metrics.failed(error);
    const fields = { kind: this.#kind, error };
    if (error instanceof WatchStreamError) {
      log.warn('a watch was malformed, listing again', fields);
      this.#relist();
      return this.#pause(this.#backoff.next(), signal);
    }
    if (isUnreachable(error)) {
      // The first is usual, when a server is replaced; from the second on people want to know why nothing moves.
      if (this.#failures === 1) log.warn('a watch cannot be connected', fields);
      else log.debug('a watch lost its connection', fields);
      this.#failures += 1;
      if (this.#purpose === 'follow') this.#purpose = 'check';
      if ((await client.gate.pass(signal)) === 'aborted') return;
      // The server answers, yet this watch fails again: something in between cuts it, so slow down.
      if (this.#failures > 2) await this.#pause(this.#backoff.next(), signal);
      return;
    }
    if (!(error instanceof KubeApiError)) {
      log.error('a watch failed in a way nobody foresaw', fields);
      this.#relist();
      return this.#pause(this.#backoff.next(), signal);
    }
    if (error.isGone || error.isTooLargeResourceVersion) {
      log.info('the version of a watch is no longer served, listing again', { kind: this.#kind });
      // A list that fails with the version it insisted on goes on without one.
      if (this.#start.kind === 'resume') {
        this.#relist();
        if (this.#version.isStuck) await this.#pause(this.#backoff.next(), signal);
        return;
      }
      this.#start = { kind: 'list' };
      return this.#pause(this.#backoff.next(), signal);
    }
    if (error.isForbidden || error.isNotFound || error.status === 405) {
      sink.refuse(error.isForbidden ? 'forbidden' : 'notServed');
      log.info('a kind cannot be read, asking again later', { kind: this.#kind, reason: error.reason });
      this.#relist();
      return this.#pause(REFUSED_RETRY_MS * (1 + this.#random()), signal);
    }
    if (this.#start.kind === 'resume' && this.#version.isHopeless(error)) {
      log.warn('a watch is refused at its version, listing again', fields);
      this.#relist();
      if (this.#version.isStuck) return this.#pause(REFUSED_RETRY_MS * (1 + this.#random()), signal);
      return this.#pause(this.#backoff.next(), signal);
    }
    log.warn('a watch was refused', fields);
    // What a list may not be older than is not understood either.
    if (error.isInvalid) this.#start = { kind: 'list' };
    const atLeastMs = Math.min((error.retryAfterSeconds ?? 0) * 1_000, MAX_RETRY_AFTER_MS);
    return this.#pause(Math.max(atLeastMs, this.#backoff.next()), signal);
  }

  #relist(): void {
    if (this.#start.kind === 'resume') this.#start = { kind: 'list', atLeast: this.#start.version };
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(this.#options.clock.timers, ms, signal);
  }

  #guard(stream: AbortController, purpose: Purpose, heardAt: MonotonicTime | undefined): SilenceGuard {
    const { clock, client, type, selection, silenceMs } = this.#options;
    return new SilenceGuard({
      clock,
      ...(heardAt === undefined ? {} : { heardAt }),
      silenceMs: () => {
        if (silenceMs !== undefined) return silenceMs;
        // Once it has said something it need not end soon: a server may allow no watch to be that short.
        if (purpose !== 'follow' && this.#purpose !== 'follow') return SHORT_WATCH_SILENCE_MS;
        // The protocol, and with it the pings, is known only once the connection stands.
        return client.liveness === 'pinged' ? PINGED_SILENCE_MS : UNPINGED_SILENCE_MS;
      },
      ask: async (asking) => {
        const start = this.#start;
        const page = await client.list(type, { ...selection, limit: 1, signal: asking });
        return start.kind === 'resume' && page.resourceVersion === start.version ? 'current' : 'unknown';
      },
      onCurrent: () => this.#confirm(),
      onSuspect: () => {
        this.#purpose = 'prove';
        stream.abort(new KubeConnectionError(`the watch of ${this.#kind} fell silent`));
      },
    });
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof KubeApiError && error.isInvalid;
}
