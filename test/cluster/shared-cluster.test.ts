// One cluster for a run of several test files, gone with the run in whatever way it ends.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { DESK_VARIABLE } from './cluster-desk.ts';
import { isGone } from './is-gone.ts';
import { waitUntil } from './wait-until.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const SETUP = `--test-global-setup=${here('./global-setup.ts')}`;

type Report = {
  readonly server: string;
  readonly pids: readonly number[];
  readonly tester: number;
  readonly dir: string;
};

/** A run of its own, not part of this one. */
async function run(
  t: TestContext,
  args: readonly string[],
  temporary = tmpdir(),
): Promise<{ run: ChildProcess; folder: string }> {
  const folder = await temporaryFolder(t);
  const { [DESK_VARIABLE]: _, ['NODE_TEST_CONTEXT']: __, ...outer } = process.env;
  const env = { ...outer, REPORTS: folder, TMPDIR: temporary };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout?.resume();
  t.after(async () => void child.kill('SIGKILL'));
  return { run: child, folder };
}

async function reports(folder: string, count: number): Promise<readonly Report[]> {
  const names = await waitUntil(`${count} reports`, async () => {
    const found = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    return found.length >= count && found;
  });
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Report),
  );
}

suite('the shared cluster', () => {
  test('shared-cluster/ is one for all files of a run and gone at its end', async (t) => {
    const files = [here('./fixtures/use-shared-a.ts'), here('./fixtures/use-shared-b.ts')];
    const { run: child, folder } = await run(t, ['--test', SETUP, ...files]);
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0);
    const [first, second] = await reports(folder, 2);
    assert.equal(first?.server, second?.server);
    assert.equal(first?.pids.length, 4);
    assert.ok(first.pids.every(isGone));
  });

  test('shared-cluster/ is gone when the run is killed, and the next run removes its socket', async (t) => {
    const temporary = await temporaryFolder(t);
    const { run: child, folder } = await run(
      t,
      ['--test', SETUP, here('./fixtures/hold-shared.ts')],
      temporary,
    );
    const [report] = await reports(folder, 1);
    assert.deepEqual(report?.pids.filter(isGone), []);
    child.kill('SIGKILL');
    await waitUntil('every process to go', () => report?.pids.every(isGone), { timeout: 10_000 });
    await waitUntil('the test process to go', () => report && isGone(report.tester), { timeout: 10_000 });
    await waitUntil('the folder to go', () => report && !existsSync(report.dir), { timeout: 10_000 });
    assert.equal((await readdir(temporary)).length, 1);
    const { run: next } = await run(t, ['--test', SETUP, here('./fixtures/no-cluster.ts')], temporary);
    await once(next, 'exit');
    assert.deepEqual(await readdir(temporary), []);
  });

  test('shared-cluster/ is of the process alone, and ends with it, where there is no global setup', async (t) => {
    const { run: child, folder } = await run(t, [here('./fixtures/use-shared-a.ts')]);
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0);
    const [report] = await reports(folder, 1);
    await waitUntil('every process to go', () => report?.pids.every(isGone), { timeout: 10_000 });
  });

  test('shared-cluster/ is not started by a run in which nobody asks for it', async (t) => {
    const begin = performance.now();
    const { run: child } = await run(t, ['--test', SETUP, here('./fixtures/no-cluster.ts')]);
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0);
    t.diagnostic(`${Math.round(performance.now() - begin)} ms`);
  });
});
