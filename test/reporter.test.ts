// The reporter tells of every failure, also of one that is no test's own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { finished } from './helpers/finished.ts';
import { temporaryFolder } from './helpers/temporary-folder.ts';

const REPORTER = fileURLToPath(new URL('reporter.ts', import.meta.url));

/** What is printed about a test file with this text, in a run of its own. */
async function reported(t: TestContext, text: string): Promise<string> {
  const file = path.join(await temporaryFolder(t), 'some.test.mjs');
  await writeFile(file, `import { after, suite, test } from 'node:test';\n${text}`);
  const { ['NODE_TEST_CONTEXT']: _, ...env } = process.env;
  const words = ['--test', `--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout', file];
  return (await finished(spawn(process.execPath, words, { env }))).stdout;
}

test('reporter/ counts a failure once, and a skip with its reason', async (t) => {
  const said = await reported(
    t,
    `suite('s', () => { test('a', () => { throw new Error('no'); }); test('b', () => {}); });
test('c', (t) => t.skip('this machine lacks it'));`,
  );
  assert.match(said, /^FAIL a\n/);
  assert.match(said, /skipped 1: this machine lacks it\nFAIL a \(/);
  assert.match(said, /1 passed, 1 failed, 1 skipped\n$/);
});

for (const [what, text, reason] of [
  ['a file that cannot be loaded', `throw new Error('no');`, /FAIL .*some\.test\.mjs/],
  ['a hook of a suite', `suite('s', () => { after(() => { throw new Error('no'); }); });`, /FAIL s\n[^]*no/],
  ['a hook of a file', `after(() => { throw new Error('no'); }); test('a', () => {});`, /FAIL .*mjs\n[^]*no/],
] as const) {
  test(`reporter/ tells of the failure of ${what}`, async (t) => {
    const said = await reported(t, text);
    assert.match(said, reason);
    assert.match(said, /1 failed, 0 skipped\n$/);
  });
}
