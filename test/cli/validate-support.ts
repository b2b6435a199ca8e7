// Runs a command line within this process and keeps what it says.
import type { TestContext } from 'node:test';
import { run } from '../../cli/main.ts';
import { systemClock } from '../../runtime/clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

export type Said = { readonly code: number; readonly out: string; readonly err: string };

/** Runs pacto-gate with an empty home and this environment beside PATH. */
export async function pactoGate(
  t: TestContext,
  words: readonly string[],
  {
    env = {},
    columns = 80,
  }: { readonly env?: Readonly<Record<string, string>>; readonly columns?: number } = {},
): Promise<Said> {
  const said = { out: '', err: '' };
  const terminal = (stream: 'out' | 'err') => ({
    write: (text: string) => void (said[stream] += text),
    isTerminal: false,
    columns,
  });
  const code = await run(words, {
    stdout: terminal('out'),
    stderr: terminal('err'),
    env: { PATH: process.env['PATH'], ...env },
    home: await temporaryFolder(t),
    version: '1.2.3',
    clock: systemClock,
    signal: t.signal,
  });
  return { code, ...said };
}
