// Leader election over a Lease: one of several replicas leads, and stops for certain before another starts.
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Counter, Gauge, Metrics } from '../runtime/metrics.ts';
import { sleep } from '../runtime/sleep.ts';
import { KubeApiError } from './api-error.ts';
import type { KubeClient } from './client.ts';
import { isRecord, type JsonRecord, numberAt, recordAt, stringAt } from './json.ts';
import { DEFAULT_TIMINGS, type LeaseRecord, LeaseState, type LeaseTimings } from './lease-state.ts';
import { microTime } from './micro-time.ts';
import type { ResourceType } from './resource.ts';

export const LEASE: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export type LeaderElectorOptions = {
  /** Best on a connection of its own, which large answers do not hold up. */
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  /** Unique to this process: pod name and something random. */
  readonly identity: string;
  readonly fieldManager?: string;
  readonly timings?: LeaseTimings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** In [0, 1). Default: Math.random. */
  readonly random?: () => number;
};

/** The lease could not be renewed in time or was taken. Whatever was led must be presumed led by another: exit. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  readonly code = 'LEASE_LOST';
}

type Attempt = 'held' | 'heldByOther' | 'failed';

export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #timings: LeaseTimings;
  readonly #state: LeaseState;
  readonly #log: Logger;
  readonly #random: () => number;
  readonly #status: Gauge<'name'>;
  readonly #slowPath: Counter<'name'>;
  /** The Lease as last read or written; written back whole, so that fields we do not know survive. */
  #lease: JsonRecord | undefined;
  /** Why the last attempt failed, for who has to mend it. */
  #failure: unknown;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#timings = options.timings ?? DEFAULT_TIMINGS;
    this.#state = new LeaseState(options.identity, this.#timings);
    this.#log = options.log.child({ component: 'leader-election', identity: options.identity });
    this.#random = options.random ?? Math.random;
    const labels = ['name'] as const;
    const zero = [{ name: options.name }];
    this.#status = options.metrics.gauge({
      name: 'leader_election_master_status',
      help: 'Whether this process leads: 1, or stands by: 0, by lease.',
      labels,
      zero,
    });
    this.#slowPath = options.metrics.counter({
      name: 'leader_election_slowpath_total',
      help: 'Number of renewals that had to read the lease first.',
      labels,
      zero,
    });
  }

  /** Whether this process may act as the leader at this instant. */
  leading(): boolean {
    return this.#state.leftMs(this.#options.clock.monotonic.now()) > 0;
  }

  /**
   * For the moment before a write: throws {@link LeaseLostError} when the lease ran out, even if a blocked event loop
   * has kept the abort from being delivered yet.
   */
  assertLeading(): void {
    if (!this.leading())
      throw new LeaseLostError(`${this.#options.identity} does not hold the lease at this time`);
  }

  /** Who was last seen to lead; empty for nobody. */
  get holder(): string {
    return this.#state.holder;
  }

  /**
   * Waits for the lease, then calls `lead` and keeps renewing while it works. When `signal` aborts, so does the signal
   * of `lead`; once `lead` has ended the lease is released and the promise resolves. When the lease is lost the signal
   * of `lead` aborts and the promise rejects with {@link LeaseLostError} at once: the process is to exit.
   */
  async run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if ((await this.#acquire(signal)) === 'aborted') return;
    const { name } = this.#options;
    this.#log.info('became the leader', { name });
    this.#status.set({ name }, 1);
    const leading = new AbortController();
    const renewing = new AbortController();
    const onAbort = (): void => leading.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const renewal = this.#renew(renewing.signal);
    // Losing the lease may be noticed while nobody waits for it any more.
    renewal.catch(() => undefined);
    try {
      await Promise.race([lead(leading.signal), renewal]);
    } catch (error) {
      leading.abort(error);
      throw error;
    } finally {
      renewing.abort();
      await this.#release(renewal);
      this.#status.set({ name }, 0);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #acquire(signal: AbortSignal): Promise<'leading' | 'aborted'> {
    const { clock, name } = this.#options;
    let told = '';
    let forbidden = false;
    while (!signal.aborted) {
      const attempt = await this.#attempt(signal);
      if (attempt === 'held') return 'leading';
      if (this.#state.holder !== told) {
        told = this.#state.holder;
        this.#log.info('another process leads', { holder: told });
      }
      // Other failures pass by themselves; a right that is missing waits for a person.
      const before = forbidden;
      forbidden = this.#failure instanceof KubeApiError && this.#failure.isForbidden;
      if (forbidden && !before) {
        this.#log.warn('the lease is forbidden; grant get, create and update on leases', {
          name,
          error: this.#failure,
        });
      }
      await sleep(clock.timers, this.#timings.retryPeriodMs * (1 + this.#random() * 1.2), signal);
    }
    return 'aborted';
  }

  /** Rejects when the lease is lost; resolves never but by abort. */
  async #renew(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const left = this.#left();
      await sleep(clock.timers, Math.min(this.#timings.retryPeriodMs, left), signal);
      if (signal.aborted) return;
      // Looked at again: the process may have stood still, and another may have led and gone meanwhile.
      this.#left();
      // An attempt is never called off halfway: whether it was stored would not be known.
      if ((await this.#attempt(new AbortController().signal)) === 'heldByOther') {
        throw new LeaseLostError(`the lease was taken by ${this.#state.holder}`);
      }
    }
  }

  /** Milliseconds left to act as the leader. Throws {@link LeaseLostError} when there are none. */
  #left(): number {
    const left = this.#state.leftMs(this.#options.clock.monotonic.now());
    if (left > 0) return left;
    throw new LeaseLostError(`the lease was not renewed within ${this.#timings.renewDeadlineMs} ms`, {
      cause: this.#failure,
    });
  }

  /** One try to write our name. Bounded in time by what is left of our lease. */
  async #attempt(signal: AbortSignal): Promise<Attempt> {
    const { clock } = this.#options;
    const started = clock.monotonic.now();
    const left = this.#state.leftMs(started);
    const half = this.#timings.renewDeadlineMs / 2;
    const request = new AbortController();
    const onAbort = (): void => request.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const cancel = clock.timers.after(left > 0 ? Math.min(half, left) : half, () => {
      request.abort(new Error('the lease request took too long'));
    });
    try {
      const attempt = await this.#write(request.signal);
      this.#failure = undefined;
      return attempt;
    } catch (error) {
      this.#lease = undefined;
      this.#failure = error;
      if (!signal.aborted) this.#log.debug('an attempt on the lease failed', { error });
      return 'failed';
    } finally {
      cancel();
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #write(signal: AbortSignal): Promise<Attempt> {
    const { clock } = this.#options;
    const leads = this.leading();
    // The fast path: while leading, the last version we wrote is most likely still the newest.
    if (!leads || this.#lease === undefined) {
      this.#slowPath.inc({ name: this.#options.name });
      await this.#read(signal);
    }
    if (!this.#state.mayTake(clock.monotonic.now())) return 'heldByOther';
    const started = clock.monotonic.now();
    try {
      await this.#put(signal);
    } catch (error) {
      // Somebody wrote in between: what they wrote decides, so read it before the next try.
      if (error instanceof KubeApiError && error.isConflict) {
        await this.#read(signal);
        return this.#state.mayTake(clock.monotonic.now()) ? 'failed' : 'heldByOther';
      }
      throw error;
    }
    this.#state.renewed(started);
    return 'held';
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { client, namespace, name, clock } = this.#options;
    const found = await client.find(LEASE, { namespace, name }, { signal });
    this.#lease = isRecord(found) ? found : undefined;
    if (this.#lease !== undefined) this.#state.see(readLease(this.#lease), clock.monotonic.now());
  }

  async #put(signal: AbortSignal): Promise<void> {
    const { client, namespace, name, identity, clock, fieldManager } = this.#options;
    const now = microTime(clock.wall.now());
    const before = this.#lease;
    const spec = before === undefined ? {} : (recordAt(before, 'spec') ?? {});
    const mine = stringAt(spec, 'holderIdentity') === identity;
    const next = {
      ...before,
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: before === undefined ? { namespace, name } : recordAt(before, 'metadata'),
      spec: {
        ...spec,
        holderIdentity: identity,
        leaseDurationSeconds: Math.ceil(this.#timings.leaseDurationMs / 1_000),
        acquireTime: mine ? (stringAt(spec, 'acquireTime') ?? now) : now,
        renewTime: now,
        leaseTransitions: (numberAt(spec, 'leaseTransitions') ?? 0) + (mine || before === undefined ? 0 : 1),
      },
    };
    const options = { signal, ...(fieldManager === undefined ? {} : { fieldManager }) };
    const written =
      before === undefined
        ? await client.create(LEASE, next, options)
        : await client.update(LEASE, { namespace, name }, next, options);
    this.#lease = isRecord(written) ? written : undefined;
    if (this.#lease !== undefined) this.#state.see(readLease(this.#lease), clock.monotonic.now());
  }

  /**
   * Clears our name, so that another can lead at once. Best effort: without it the lease runs out by itself. From its
   * first step on this process does not lead, whatever becomes of the request.
   */
  async #release(renewal: Promise<void>): Promise<void> {
    const { client, namespace, name, clock, fieldManager } = this.#options;
    // A renewal under way ends first, else it would write our name again or leave a version we do not know.
    const lost = await renewal.then(
      () => false,
      () => true,
    );
    const held = !lost && this.leading();
    this.#state.gone();
    const lease = this.#lease;
    if (lease === undefined || !held) return;
    const now = microTime(clock.wall.now());
    const spec = { ...recordAt(lease, 'spec'), holderIdentity: '', leaseDurationSeconds: 1, renewTime: now };
    const request = new AbortController();
    const cancel = clock.timers.after(this.#timings.renewDeadlineMs / 2, () => request.abort());
    try {
      const options = { signal: request.signal, ...(fieldManager === undefined ? {} : { fieldManager }) };
      await client.update(LEASE, { namespace, name }, { ...lease, spec }, options);
      this.#log.info('released the lease', { name });
    } catch (error) {
      this.#log.warn('could not release the lease', { name, error });
    } finally {
      cancel();
    }
  }
}

function readLease(lease: JsonRecord): LeaseRecord {
  const spec = recordAt(lease, 'spec') ?? {};
  return {
    holder: stringAt(spec, 'holderIdentity') ?? '',
    durationMs: (numberAt(spec, 'leaseDurationSeconds') ?? 0) * 1_000,
    transitions: numberAt(spec, 'leaseTransitions') ?? 0,
    renewTime: stringAt(spec, 'renewTime') ?? '',
  };
}
