// A folder of its own for a test, removed with it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pacto-gate-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
