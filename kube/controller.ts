// The controller loop: workers take keys from a queue, reconcile them one at a time per key, and retry what failed.
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { ControllerMetrics } from './controller-metrics.ts';
import { splitKey } from './object-meta.ts';
import type { WorkQueue } from './workqueue.ts';

/** How a pass ended. Throwing means: failed, try again with growing delays. */
export type ReconcileResult =
  /** The key is as it should be, until something changes. */
  | { readonly kind: 'done' }
  /** As done, but look again in `ms`. Failures are forgotten. */
  | { readonly kind: 'requeueAfter'; readonly ms: number }
  /** Failed in a way that trying again does not mend; logged and counted, not retried. */
  | { readonly kind: 'terminal'; readonly error: Error };

export type ReconcileContext = {
  /** Aborts when the controller stops or leadership is lost; every write carries it. */
  readonly signal: AbortSignal;
  /** Adds controller, object and pass to each line. */
  readonly log: Logger;
  /** Identifies this pass in logs. */
  readonly passId: string;
};

/** Works on one object, known by its key alone: whatever happened, make things as they should be now. */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<ReconcileResult>;

export type ControllerOptions = {
  /** Label of metrics and logs. */
  readonly name: string;
  readonly queue: WorkQueue;
  /** Keys worked on at the same time. Default: 1. */
  readonly workers?: number;
  readonly reconcile: Reconcile;
  /** Keys this instance is responsible for; others are dropped when their turn comes. Default: all. */
  readonly owns?: (key: string) => boolean;
  /** Longest time one pass may take before its signal aborts, in milliseconds. Default: none. */
  readonly passTimeoutMs?: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** A pass took longer than it may. */
export class PassTimeoutError extends Error {
  override readonly name = 'PassTimeoutError';
  readonly code = 'PASS_TIMEOUT';
}

export class Controller {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #metrics: ControllerMetrics;
  #passes = 0;

  constructor(options: ControllerOptions) {
    const workers = options.workers ?? 1;
    if (!Number.isInteger(workers) || workers < 1) {
      throw new RangeError(
        `controller ${options.name}: workers must be a whole number from 1 on, not ${workers}`,
      );
    }
    this.name = options.name;
    this.#options = options;
    this.#metrics = new ControllerMetrics(options.metrics, options.name, workers);
  }

  /** Works until `signal` aborts, then waits for the passes that run (their signal has aborted too). */
  async run(signal: AbortSignal): Promise<void> {
    const workers = Array.from({ length: this.#options.workers ?? 1 }, () => this.#work(signal));
    await Promise.all(workers);
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { queue } = this.#options;
    for (let key = await queue.get(signal); key !== undefined; key = await queue.get(signal)) {
      try {
        await this.#pass(key, signal);
      } finally {
        queue.done(key);
      }
    }
  }

  async #pass(key: string, signal: AbortSignal): Promise<void> {
    const { queue, owns, clock } = this.#options;
    if (owns !== undefined && !owns(key)) {
      queue.forget(key);
      return;
    }
    const started = clock.monotonic.now();
    this.#passes += 1;
    const passId = `${this.name}-${this.#passes.toString(36)}`;
    const log = this.#options.log.child({ controller: this.name, ...nameFields(key), passId });
    this.#metrics.started();
    const outcome = await this.#reconcile(key, { signal, log, passId });
    const durationMs = clock.monotonic.now() - started;
    this.#metrics.finished(outcome.kind, durationMs / 1_000);
    switch (outcome.kind) {
      case 'done':
        queue.forget(key);
        log.debug('pass ended', { result: 'done', durationMs });
        return;
      case 'requeueAfter':
        // Forget first: the wait that was asked for is not a failure and must not add to one.
        queue.forget(key);
        queue.addAfter(key, outcome.ms);
        log.debug('pass ended', { result: 'requeueAfter', durationMs, delayMs: outcome.ms });
        return;
      case 'terminal':
        queue.forget(key);
        log.error('pass failed for good', { result: 'terminal', durationMs, error: outcome.error });
        return;
      case 'failed':
        // A pass that was called off by the stop says nothing about its key.
        if (signal.aborted) return;
        queue.addRateLimited(key);
        log.error('pass failed', {
          result: 'error',
          durationMs,
          error: outcome.error,
          attempt: queue.failures(key),
        });
        return;
    }
  }

  async #reconcile(
    key: string,
    context: ReconcileContext,
  ): Promise<ReconcileResult | { readonly kind: 'failed'; readonly error: unknown }> {
    const { reconcile, passTimeoutMs, clock } = this.#options;
    const pass = new AbortController();
    const onAbort = (): void => pass.abort(context.signal.reason);
    context.signal.addEventListener('abort', onAbort, { once: true });
    const cancel =
      passTimeoutMs === undefined
        ? () => undefined
        : clock.timers.after(passTimeoutMs, () =>
            pass.abort(new PassTimeoutError(`the pass took longer than ${passTimeoutMs} ms`)),
          );
    try {
      if (context.signal.aborted) pass.abort(context.signal.reason);
      return await reconcile(key, { ...context, signal: pass.signal });
    } catch (error) {
      return { kind: 'failed', error };
    } finally {
      cancel();
      context.signal.removeEventListener('abort', onAbort);
    }
  }
}

function nameFields(key: string): { readonly namespace?: string; readonly name: string } {
  const { namespace, name } = splitKey(key);
  return namespace === '' ? { name } : { namespace, name };
}
