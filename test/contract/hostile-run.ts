// Runs one hostile case in a process of its own, below a folder in which nothing may be left.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Memory a process may take at its peak, MiB. */
const MAX_MIB = 256;
/** A process that takes longer is killed, and its case fails. */
const DEADLINE_MS = 60_000;

/** The outcome the program tells. Fails when it took too much memory or time, or wrote anything. */
export async function hostileOutcome(
  t: TestContext,
  program: string,
  words: readonly string[],
): Promise<string> {
  const root = await temporaryFolder(t);
  const folder = path.join(root, 'a', 'b', 'c');
  await mkdir(folder, { recursive: true });
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (said += piece.toString()));
  assert.deepEqual(await once(child, 'close'), [0, null], said.slice(0, 2_000));
  const { outcome, peakMib } = JSON.parse(said) as { readonly outcome: string; readonly peakMib: number };
  t.diagnostic(`${peakMib} MiB at the peak`);
  assert.ok(peakMib < MAX_MIB, `${peakMib} MiB at the peak`);
  assert.deepEqual(await readdir(folder), [], 'nothing is written');
  await assert.rejects(access(path.join(root, 'a', 'escaped')));
  return outcome;
}
