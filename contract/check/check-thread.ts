// One thread for what must not run on an event loop that serves others: started when it is first needed, ended when a job
// takes longer or more memory than it may, and then started anew for the next.
import { Worker } from 'node:worker_threads';
import type { Timers } from '../registry/run-child.ts';
import type { CheckAnswer, CheckJob } from './check-job.ts';

export type CheckThreadOptions = {
  readonly timers: Timers;
  /** Most processor time for one job in milliseconds, start of the thread included. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Longest wait for one job in milliseconds, however little of a busy machine it got. Default: six times `timeoutMs`. */
  readonly patienceMs?: number;
  /** Heap of the thread in MiB. Default: 96. */
  readonly heapMb?: number;
};

export type ThreadAnswer =
  | { readonly kind: 'answer'; readonly answer: CheckAnswer }
  /** The job takes more than it may. */
  | { readonly kind: 'limit'; readonly reason: string }
  /** The machine gave it too little time to tell. */
  | { readonly kind: 'starved'; readonly reason: string };

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_HEAP_MB = 96;
/** Processor time is asked for again after this long at the least, in milliseconds. */
const LOOK_AGAIN_MS = 50;
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
    const { timers, timeoutMs = DEFAULT_TIMEOUT_MS, patienceMs = 6 * timeoutMs } = this.#options;
    const before = this.#worker === undefined ? 0 : processorMs(this.#worker);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const answer = await new Promise<ThreadAnswer>((resolve) => {
      let isSettled = false;
      const settle = (value: ThreadAnswer): void => {
        isSettled = true;
        cancel();
        endPatience();
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        resolve(value);
      };
      const onMessage = (message: CheckAnswer): void => settle({ kind: 'answer', answer: message });
      const onError = (error: NodeJS.ErrnoException): void =>
        settle({ kind: 'limit', reason: this.#reason(error) });
      const onExit = (code: number): void =>
        settle({ kind: 'limit', reason: `checking it ended with ${code}` });
      // Time alone proves nothing about the job: on a busy machine it may have had no processor.
      const look = async (): Promise<void> => {
        const [then = 0, now] = await Promise.all([before, processorMs(worker)]);
        if (isSettled) return;
        // One that cannot tell has ended, which is told by itself, or is left to patience.
        const leftMs = timeoutMs - ((now ?? 0) - then);
        if (leftMs > 0) cancel = timers.after(Math.max(leftMs, LOOK_AGAIN_MS), () => void look());
        else settle({ kind: 'limit', reason: `checking it took longer than ${timeoutMs} ms` });
      };
      let cancel = timers.after(timeoutMs, () => void look());
      const endPatience = timers.after(patienceMs, () => {
        settle({ kind: 'starved', reason: `this machine was too busy for ${patienceMs} ms` });
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

/** Processor time a thread has used, in milliseconds; undefined when it has ended, or before Node.js 24.6. */
async function processorMs(worker: Worker): Promise<number | undefined> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return undefined;
  }
}
