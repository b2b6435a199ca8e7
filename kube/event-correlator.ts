// Decides what becomes of an event: a new object, a count on one that exists, or nothing because there were too many.
import type { Clock, MonotonicTime, WallTime } from '../runtime/clock.ts';

/** The object an event is about. */
export type EventSubject = {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects, whose events go to `default`. */
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
};

export type EventInput = {
  readonly subject: EventSubject;
  readonly type: 'Normal' | 'Warning';
  /** Machine word in upper camel case. */
  readonly reason: string;
  readonly message: string;
  /** What was done or attempted, upper camel case; events.k8s.io needs it. Default: the reason. */
  readonly action?: string;
};

export type Correlated =
  | { readonly kind: 'create' | 'repeat'; readonly event: EventInput; readonly series: EventSeries }
  | { readonly kind: 'drop' };

/** An event object and how often it happened. */
export type EventSeries = {
  readonly name: string;
  readonly count: number;
  readonly first: WallTime;
  readonly last: WallTime;
};

/** Events per object that may be written at once, and how fast the allowance comes back. */
const BURST = 25;
const REFILL_MS = 300_000;
/** More different messages than this with one reason within {@link AGGREGATE_MS} become one event. */
const MAX_SIMILAR = 10;
const AGGREGATE_MS = 600_000;
/** Longest time an event is counted on before a new object is made. API servers drop events after an hour. */
const SERIES_MS = 3_000_000;
/** Least recently used entries beyond this are forgotten. */
const MAX_ENTRIES = 4_096;
const MAX_MESSAGE = 1_024;

type Similar = { readonly messages: Set<string>; since: MonotonicTime };
type Bucket = { tokens: number; at: MonotonicTime };

export class EventCorrelator {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();
  readonly #similar = new Map<string, Similar>();
  readonly #series = new Map<string, { series: EventSeries; startedAt: MonotonicTime }>();
  readonly #suffix: () => string;

  /** `suffix` makes the unique end of an event's name. */
  constructor(clock: Clock, suffix: () => string) {
    this.#clock = clock;
    this.#suffix = suffix;
  }

  correlate(input: EventInput): Correlated {
    const now = this.#clock.monotonic.now();
    const { subject, type, reason } = input;
    const subjectKey = [
      subject.apiVersion,
      subject.kind,
      subject.namespace,
      subject.name,
      subject.uid ?? '',
    ].join('\n');
    if (!this.#allowed(subjectKey, now)) return { kind: 'drop' };
    const message = this.#aggregate(`${subjectKey}\n${type}\n${reason}`, cut(input.message), now);
    const event = { ...input, message };
    const key = `${subjectKey}\n${type}\n${reason}\n${message}`;
    const known = touch(this.#series, key);
    const wall = this.#clock.wall.now();
    if (known !== undefined && now - known.startedAt < SERIES_MS) {
      known.series = { ...known.series, count: known.series.count + 1, last: wall };
      return { kind: 'repeat', event, series: known.series };
    }
    // A name is at most 253 characters; the object's own may be as long.
    const name = `${subject.name.slice(0, 230)}.${this.#suffix()}`;
    const series = { name, count: 1, first: wall, last: wall };
    keep(this.#series, key, { series, startedAt: now });
    return { kind: 'create', event, series };
  }

  #allowed(key: string, now: MonotonicTime): boolean {
    const bucket = touch(this.#buckets, key) ?? { tokens: BURST, at: now };
    bucket.tokens = Math.min(BURST, bucket.tokens + (now - bucket.at) / REFILL_MS);
    bucket.at = now;
    keep(this.#buckets, key, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  #aggregate(key: string, message: string, now: MonotonicTime): string {
    let similar = touch(this.#similar, key);
    if (similar === undefined || now - similar.since > AGGREGATE_MS) {
      similar = { messages: new Set(), since: now };
      keep(this.#similar, key, similar);
    }
    if (similar.messages.has(message)) return message;
    if (similar.messages.size >= MAX_SIMILAR)
      return 'this and similar messages came too often to be listed one by one';
    similar.messages.add(message);
    return message;
  }
}

function cut(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE - 1)}…`;
}

/** Reads an entry and makes it the most recently used. */
function touch<V>(map: Map<string, V>, key: string): V | undefined {
  const value = map.get(key);
  if (value === undefined) return undefined;
  map.delete(key);
  map.set(key, value);
  return value;
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  if (map.size <= MAX_ENTRIES) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
