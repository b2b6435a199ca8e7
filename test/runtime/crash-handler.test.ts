// The crash handler in a process of its own: logged as fatal, on standard error, and out with its exit code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = `
const { handleCrashes } = await import(process.env.ROOT + '/runtime/crash-handler.ts');
const { createLogger } = await import(process.env.ROOT + '/runtime/logger.ts');
handleCrashes(process, createLogger({ fields: { process: 'test' } }));
`;

function crash(code: string) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', `${SCRIPT}${code}`], {
    env: { ...process.env, ROOT: `file://${root}` },
    encoding: 'utf8',
  });
  return { status: child.status, lines: child.stderr.trim().split('\n') };
}

test('faults/17 an unhandled rejection is logged as fatal and ends the process', () => {
  const { status, lines } = crash(
    `Promise.reject(new Error('nobody caught me')); setInterval(() => {}, 1000);`,
  );
  assert.equal(status, 70);
  const line = JSON.parse(lines[0] ?? '') as { level: string; message: string; error: { message: string } };
  assert.deepEqual(
    [line.level, line.message, line.error.message],
    ['fatal', 'unhandled rejection', 'nobody caught me'],
  );
});

test('faults/17 an uncaught exception is logged as fatal and ends the process', () => {
  const { status, lines } = crash(
    `setTimeout(() => { throw new RangeError('thrown'); }, 1); setInterval(() => {}, 1000);`,
  );
  assert.equal(status, 70);
  const line = JSON.parse(lines[0] ?? '') as { message: string; error: { type: string } };
  assert.deepEqual([line.message, line.error.type], ['uncaught exception', 'RangeError']);
});
