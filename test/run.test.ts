// The program that runs tests takes patterns, as many as there are, and refuses one that matches nothing.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Finished, finished } from './helpers/finished.ts';
import { temporaryFolder } from './helpers/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function run(...patterns: readonly string[]): Promise<Finished> {
  const { ['NODE_TEST_CONTEXT']: _, ...env } = process.env;
  const words = ['test/run.ts', ...patterns];
  return finished(spawn(process.execPath, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

test('run/ takes several patterns, and a file that matches two of them once', async (t) => {
  const folder = await temporaryFolder(t);
  for (const name of ['a', 'b'])
    await writeFile(
      join(folder, `${name}.mjs`),
      `import { test } from 'node:test';\ntest('${name}', () => {});`,
    );
  const { code, stdout } = await run(join(folder, 'a.mjs'), join(folder, '*.mjs'));
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^2 files in/m);
  assert.match(stdout, /^2 passed, 0 failed/m);
});

test('run/ refuses a pattern that matches no file, whichever it is', async () => {
  const { code, stderr } = await run('test/run.test.ts', 'test/no-such/*.test.ts');
  assert.equal(code, 2);
  assert.match(stderr, /matches "test\/no-such\/\*\.test\.ts"/);
});
