// Start and stop order of a process: components start one after the other and stop in reverse, within a deadline.
import { aborted } from './aborted.ts';
import type { Timers } from './clock.ts';
import type { Logger } from './logger.ts';

/** Something that runs until its signal aborts, and has stopped all it started when its promise settles. */
export type Component = {
  /** Shown in logs and errors. */
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
  /**
   * Resolves when what comes after may start. Default: at once. When `run` ends first, starting fails.
   */
  ready?(signal: AbortSignal): Promise<void>;
};

export type RunAllOptions = {
  readonly log: Logger;
  readonly timers: Timers;
  /** Longest time all components together may take to stop, in milliseconds. Default: 30,000. */
  readonly drainMs?: number;
};

/** Components did not stop in time; the process should exit without waiting for them. */
export class DrainTimeoutError extends Error {
  readonly code = 'DRAIN_TIMEOUT';
  override readonly name = 'DrainTimeoutError';
}

/** A component's `run` returned although nobody asked it to stop. */
export class ComponentEndedError extends Error {
  readonly code = 'COMPONENT_ENDED';
  override readonly name = 'ComponentEndedError';
}

type Running = {
  readonly component: Component;
  readonly controller: AbortController;
  readonly done: Promise<void>;
};

/**
 * Starts `components` in order, each when the one before is ready, and keeps them running until `signal` aborts or one
 * of them ends. Then stops them in reverse order, each fully before the next, and resolves; rejects with the first
 * failure, or with {@link DrainTimeoutError} when stopping took longer than `drainMs`.
 */
export async function runAll(
  signal: AbortSignal,
  components: readonly Component[],
  options: RunAllOptions,
): Promise<void> {
  const stop = new AbortController();
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    // Only the first one is thrown; none is lost.
    if (failures.length > 0) options.log.error('another component failed', { error });
    failures.push(error);
    stop.abort();
  };
  const ended = AbortSignal.any([signal, stop.signal]);
  const running: Running[] = [];
  for (const component of components) {
    if (ended.aborted) break;
    running.push(start(component, fail));
    try {
      await untilAborted(ended, component.ready?.(ended));
    } catch (error) {
      if (!ended.aborted) fail(error);
    }
    if (!ended.aborted) options.log.debug('component is ready', { component: component.name });
  }
  await aborted(ended);
  try {
    await drain(running, options);
  } catch (error) {
    fail(error);
  }
  if (failures.length > 0) throw failures[0];
}

function start(component: Component, fail: (error: unknown) => void): Running {
  const controller = new AbortController();
  const running = async (): Promise<void> => component.run(controller.signal);
  const done = running().then(
    () => {
      if (!controller.signal.aborted) fail(new ComponentEndedError(`${component.name} ended unexpectedly`));
    },
    (error: unknown) => fail(error),
  );
  return { component, controller, done };
}

async function drain(running: readonly Running[], options: RunAllOptions): Promise<void> {
  const drainMs = options.drainMs ?? 30_000;
  let cancel = (): void => undefined;
  let late = '';
  const deadline = new Promise<never>((_resolve, reject) => {
    cancel = options.timers.after(drainMs, () => {
      reject(new DrainTimeoutError(`${late} did not stop within ${drainMs} ms`));
    });
  });
  // Without a stop that takes too long nobody waits for this promise.
  deadline.catch(() => undefined);
  try {
    for (const { component, controller, done } of running.toReversed()) {
      late = component.name;
      controller.abort(new Error(`${component.name} was asked to stop`));
      await Promise.race([done, deadline]);
      options.log.debug('component has stopped', { component: component.name });
    }
  } catch (error) {
    for (const { controller } of running) controller.abort();
    throw error;
  } finally {
    cancel();
  }
}

/** Waits for `work` or for the abort, whichever comes first, and leaves no listener behind. */
async function untilAborted(signal: AbortSignal, work: Promise<unknown> | undefined): Promise<void> {
  if (signal.aborted || work === undefined) {
    work?.catch(() => undefined);
    return;
  }
  let release = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    release = () => resolve();
    signal.addEventListener('abort', release, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', release);
  }
}
