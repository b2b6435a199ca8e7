// A program in the place of oras that a test can look into: it says how it was called, and can hang.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a shell script with this body and returns its path. */
export async function script(folder: string, body: string): Promise<string> {
  const path = join(folder, 'oras');
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}
