// bin/pacto-gate.js as it is shipped: compiled into few files, with its thread beside them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const BIN = fileURLToPath(new URL('../../bin/pacto-gate.js', import.meta.url));

function run(...args: readonly string[]): { readonly code: number | null; readonly text: string } {
  // As a runner of continuous integration starts it: libraries for colour look at CI.
  const env = { ...process.env, CI: 'true' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8', env });
  return { code: status, text: stdout + stderr };
}

const head = (name: string): string => `pactoVersion: "2.0"\nservice: { name: ${name}, version: 1.0.0 }\n`;

test('the shipped program says its version and its commands', () => {
  assert.match(run('--version').text, /\b0\.\d+\.\d+\b/);
  const help = run('--help');
  assert.equal(help.code, 0);
  for (const command of ['operator', 'webhook', 'check', 'status', 'validate', 'pack', 'push']) {
    assert.match(help.text, new RegExp(`\\b${command}\\b`));
    assert.equal(run(command, '--help').code, 0, command);
  }
});

test('the shipped program checks a large contract on its thread', async (t) => {
  const file = join(await temporaryFolder(t), 'pacto.yaml');
  // Texts of more than 256 KiB go to the thread.
  await writeFile(file, `${head('large')}metadata: { note: "${'x'.repeat(300_000)}" }\n`);
  const valid = run('validate', '--inline', file);
  assert.equal(valid.code, 0, valid.text);
  assert.match(valid.text, /large 1\.0\.0 is valid/);
  await writeFile(file, `${head('Not a name')}metadata: { note: "${'x'.repeat(300_000)}" }\n`);
  const invalid = run('validate', '--inline', file);
  assert.equal(invalid.code, 1);
  assert.match(invalid.text, /service\.name/);
});

test('the shipped program writes no colour into a pipe, whatever the environment suggests', async (t) => {
  const file = join(await temporaryFolder(t), 'pacto.yaml');
  for (const text of [head('plain'), head('Not a name')]) {
    await writeFile(file, text);
    const said = run('validate', '--inline', file);
    assert.ok(!said.text.includes('\u001b'), JSON.stringify(said.text));
  }
});
