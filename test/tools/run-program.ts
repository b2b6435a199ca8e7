// Runs one child process to its end: arguments as an array, never a shell, output line by line.
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ToolError } from './tool-error.ts';

const KEPT_LINES = 40;

export type RunOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** Working folder. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Ends the child by SIGTERM. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every line of standard output and standard error. */
  readonly onLine?: ((line: string) => void) | undefined;
};

export type RunResult = {
  /** Exit status; null when a signal ended it. */
  readonly code: number | null;
  /** Whole standard output. */
  readonly stdout: string;
  /** Last lines of standard error. */
  readonly lastLines: readonly string[];
};

/**
 * @param file absolute path, or a name that is looked up on the PATH of `options.env`
 * @throws ToolError `aborted` when the signal ended it; Error when it cannot be started
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const { env, cwd, signal, onLine } = options;
  const path = file.includes('/') ? file : findProgram(file, env);
  if (path === undefined) throw new Error(`there is no program ${file} on the PATH`);
  if (signal?.aborted) throw new ToolError('aborted', `${path} was not started: a stop was requested`);
  const child = spawn(path, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (): void => void child.kill('SIGTERM');
  // Without these the child would go on alone, filling a disk for nobody.
  process.once('exit', end);
  signal?.addEventListener('abort', end, { once: true });
  const out: string[] = [];
  const lastLines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    out.push(line);
    onLine?.(line);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (lastLines.push(line) > KEPT_LINES) lastLines.shift();
    onLine?.(line);
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (cause) => reject(new Error(`cannot start ${path}`, { cause })));
      child.once('close', resolve);
    });
    if (signal?.aborted) throw new ToolError('aborted', `${path} was stopped on request`);
    return { code, stdout: out.join('\n'), lastLines };
  } finally {
    process.removeListener('exit', end);
    signal?.removeEventListener('abort', end);
  }
}

/** Absolute path of a program on the PATH of `env`, or undefined. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (folder !== '' && statSync(path).isFile()) return path;
    } catch {
      // not here
    }
  }
  return undefined;
}
