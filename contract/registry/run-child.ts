// Runs one child process to its end, with a limit on its time and on what it may say. No shell is involved.
import { type ChildProcess, spawn } from 'node:child_process';

export type Timers = {
  /** Calls `callback` after so many milliseconds unless the returned function was called before. */
  after(delayMs: number, callback: () => void): () => void;
};

export type ChildRequest = {
  /** Path, or a name to be found on the PATH of `env`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Largest standard output in bytes; a child that writes more is ended. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  readonly timers: Timers;
};

export type ChildOutcome =
  | { readonly kind: 'done'; readonly output: Buffer }
  | { readonly kind: 'failed'; readonly code: number | string; readonly errors: string }
  | { readonly kind: 'not-started'; readonly reason: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'too-much-output' };

const MAX_ERROR_BYTES = 16 * 1024;

/** Resolves when the child is gone. Rejects with the signal's reason when that ended it. */
export async function runChild(request: ChildRequest): Promise<ChildOutcome> {
  const { program, args, env, timeoutMs, maxOutputBytes, signal, timers } = request;
  signal.throwIfAborted();
  let child: ChildProcess;
  try {
    child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  } catch (error) {
    // Some obstacles come as an event, others at once: E2BIG, a NUL byte in a word.
    const { code, message } = error as NodeJS.ErrnoException;
    return { kind: 'not-started', reason: code ?? message };
  }
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  let outputBytes = 0;
  let errorBytes = 0;
  let ended: ChildOutcome | undefined;
  const end = (outcome?: ChildOutcome): void => {
    ended ??= outcome;
    child.kill('SIGKILL');
  };
  const onAbort = (): void => end();
  const onExit = (): void => end();
  // Where there is no file descriptor left, there are no pipes, only an error that is still to come.
  child.stdout?.on('data', (piece: Buffer) => {
    outputBytes += piece.length;
    if (outputBytes > maxOutputBytes) end({ kind: 'too-much-output' });
    else output.push(piece);
  });
  child.stderr?.on('data', (piece: Buffer) => {
    if (errorBytes < MAX_ERROR_BYTES) errors.push(piece.subarray(0, MAX_ERROR_BYTES - errorBytes));
    errorBytes += piece.length;
  });
  const cancel = timers.after(timeoutMs, () => end({ kind: 'timed-out' }));
  signal.addEventListener('abort', onAbort, { once: true });
  process.once('exit', onExit);
  try {
    const outcome = await new Promise<ChildOutcome>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        resolve({ kind: 'not-started', reason: error.code ?? error.message });
      });
      child.once('close', (code, killedBy) => {
        if (code === 0) resolve({ kind: 'done', output: Buffer.concat(output) });
        else
          resolve({
            kind: 'failed',
            code: code ?? killedBy ?? 'unknown',
            errors: Buffer.concat(errors).toString('utf8'),
          });
      });
    });
    signal.throwIfAborted();
    return ended ?? outcome;
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
    process.removeListener('exit', onExit);
  }
}
