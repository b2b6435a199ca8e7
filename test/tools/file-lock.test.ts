// The lock between builders: one works, the others wait, the dead are not waited for.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { skipLacking } from '../helpers/machine-lacks.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type LockOwner, withFileLock } from './file-lock.ts';

async function lockPath(t: TestContext): Promise<string> {
  return join(await temporaryFolder(t), 'lock');
}

const held = (owner: Partial<LockOwner>): string =>
  JSON.stringify({ pid: 1, host: hostname(), started: '', id: 'of-another', ...owner });

/** A process id that was one. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('file-lock/ lets one work at a time, tells the others whom they wait for, and leaves nothing', async (t) => {
  const path = await lockPath(t);
  const order: string[] = [];
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waiting = Promise.withResolvers<LockOwner>();
  const first = withFileLock(path, {}, async () => {
    order.push('first begins');
    begun.resolve();
    await release.promise;
    order.push('first ends');
  });
  // Whoever asks at the same time may be the first.
  await begun.promise;
  const second = withFileLock(path, { onWait: waiting.resolve }, async () => void order.push('second'));
  assert.equal((await waiting.promise).pid, process.pid);
  release.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(order, ['first begins', 'first ends', 'second']);
  assert.deepEqual(await readdir(join(path, '..')), []);
});

test('file-lock/ is released when the work fails', async (t) => {
  const path = await lockPath(t);
  await assert.rejects(
    withFileLock(path, {}, () => Promise.reject(new Error('no'))),
    /^Error: no$/,
  );
  assert.ok(!existsSync(path));
});

test('file-lock/ is taken over from a process that is dead', async (t) => {
  const path = await lockPath(t);
  await writeFile(path, held({ pid: await deadPid() }));
  assert.equal(await withFileLock(path, {}, async () => 'done'), 'done');
});

test('file-lock/ is taken over when the process id belongs to another process by now', async (t) => {
  if (!existsSync('/proc/self/stat')) {
    skipLacking(t, 'proc');
    return;
  }
  const path = await lockPath(t);
  await writeFile(path, held({ pid: process.pid, started: '1' }));
  assert.equal(await withFileLock(path, {}, async () => 'done'), 'done');
});

test('file-lock/ is taken over from another machine, or from nobody known, only after a minute of silence', async (t) => {
  const path = await lockPath(t);
  for (const content of [held({ host: 'another-machine' }), 'not JSON']) {
    await writeFile(path, content);
    const stop = new AbortController();
    const options = { signal: stop.signal, onWait: () => stop.abort() };
    await assert.rejects(
      withFileLock(path, options, async () => {}),
      { name: 'AbortError' },
    );
    const longAgo = Date.now() / 1000 - 61;
    await utimes(path, longAgo, longAgo);
    assert.equal(await withFileLock(path, {}, async () => 'done'), 'done');
  }
});

test('file-lock/ that has become another’s is not released by its former owner', async (t) => {
  const path = await lockPath(t);
  const other = held({ pid: process.ppid });
  await withFileLock(path, {}, () => writeFile(path, other));
  assert.equal(await readFile(path, 'utf8'), other);
});
