// Reads a child process to its end.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export type Finished = {
  /** Exit status, or the name of the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
};

/** Everything a child writes, and how it ends. Rejects when it cannot be started. */
export async function finished(child: ChildProcess): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code: code ?? signal ?? 'unknown', ...output };
}
