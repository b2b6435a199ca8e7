// One thread for what must not run on an event loop that serves others: started when it is first needed, ended when a job
// takes longer or more memory than it may, and then started anew for the next.
import { Worker } from 'node:worker_threads';
import type { Timers } from '../registry/run-child.ts';
import type { CheckAnswer, CheckJob } from './check-job.ts';

export type CheckThreadOptions = {
  readonly timers: Timers;
  /** Longest time for one job in milliseconds, start of the thread included. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Heap of the thread in MiB. Default: 96. */
  readonly heapMb?: number;
};

export type ThreadAnswer =
  | { readonly kind: 'answer'; readonly answer: CheckAnswer }
  | { readonly kind: 'limit'; readonly reason: string };

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_HEAP_MB = 96;
/** A worker's file has the extension of this one: sources run as they are, compiled files beside each other. */
const ENTRY = import.meta.url.endsWith('.ts')
  ? new URL('./check-worker.ts', import.meta.url)
  : new URL('./check-worker.js', import.meta.url);

/** Jobs run one at a time, in order. */
export class CheckThread {
  readonly #options: CheckThreadOptions;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #starts = 0;

  constructor(options: CheckThreadOptions) {
    this.#options = options;
  }

  /** Threads started so far. */
  get starts(): number {
    return this.#starts;
  }

  run(job: CheckJob): Promise<ThreadAnswer> {
    const answer = this.#last.then(() => this.#run(job));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** Ends the thread when the jobs handed to it are done. */
  async close(): Promise<void> {
    await this.#last;
    await this.#end();
  }

  async #run(job: CheckJob): Promise<ThreadAnswer> {
    const worker = (this.#worker ??= this.#start());
    const timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    worker.ref();
    const answer = await new Promise<ThreadAnswer>((resolve) => {
      const settle = (value: ThreadAnswer): void => {
        cancel();
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        resolve(value);
      };
      const onMessage = (message: CheckAnswer): void => settle({ kind: 'answer', answer: message });
      const onError = (error: NodeJS.ErrnoException): void =>
        settle({ kind: 'limit', reason: this.#reason(error) });
      const onExit = (code: number): void =>
        settle({ kind: 'limit', reason: `checking it ended with ${code}` });
      const cancel = this.#options.timers.after(timeoutMs, () => {
        settle({ kind: 'limit', reason: `checking it took longer than ${timeoutMs} ms` });
      });
      worker.once('message', onMessage).once('error', onError).once('exit', onExit);
      // A thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(job);
    });
    // An idle thread keeps no process alive; a broken one is no use to the next job.
    if (answer.kind === 'answer') worker.unref();
    else await this.#end();
    return answer;
  }

  #start(): Worker {
    this.#starts += 1;
    const heapMb = this.#options.heapMb ?? DEFAULT_HEAP_MB;
    const worker = new Worker(ENTRY, {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      // It has nothing to read there.
      env: {},
      argv: [],
      execArgv: [],
    });
    // For its whole life: what befalls it between two jobs must neither end the process nor be met by the next job.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  #reason({ code, message }: NodeJS.ErrnoException): string {
    if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return `checking it failed: ${message}`;
    return `checking it took more than ${this.#options.heapMb ?? DEFAULT_HEAP_MB} MiB`;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
