// What `make setup` does about system packages, by the commands that it would call on machines of several kinds.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Finished, finished } from '../helpers/finished.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('system-packages.sh', import.meta.url));

type Machine = {
  readonly system?: string;
  readonly uid?: number;
  /** Programs that are there, with what they do. Default: they succeed. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly SYSTEM?: string;
};

type Setup = Finished & {
  /** Each call of apt-get. */
  readonly calls: readonly string[];
};

const ALL = { gcc: '', 'pkg-config': '', nft: '', 'apt-get': '' };

/** Runs the script where only these programs can be found. */
async function setUp(
  t: TestContext,
  { system = 'Linux', uid = 0, programs = ALL, SYSTEM }: Machine,
): Promise<Setup> {
  const folder = await temporaryFolder(t);
  const log = join(folder, 'calls.log');
  const scripts = { uname: `echo ${system}`, id: `echo ${uid}`, ...programs };
  for (const [name, does] of Object.entries(scripts)) {
    const notes = name === 'apt-get' ? `echo "$*" >> ${log}\n` : '';
    await writeFile(join(folder, name), `#!/bin/sh\n${notes}${does}\n`, { mode: 0o755 });
  }
  const env = { PATH: folder, ...(SYSTEM !== undefined && { SYSTEM }) };
  const child = spawn('/bin/sh', [SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = await finished(child);
  const calls = existsSync(log) ? (await readFile(log, 'utf8')).trim().split('\n') : [];
  return { ...ended, calls };
}

const INSTALL = 'install -y --no-install-recommends';

test('system-packages/ says and does nothing where nothing is missing, or the system is no Linux', async (t) => {
  const quiet = { code: 0, stdout: '', stderr: '', calls: [] };
  assert.deepEqual(await setUp(t, {}), quiet);
  assert.deepEqual(await setUp(t, { system: 'Darwin', programs: {} }), quiet);
});

test('system-packages/ installs as root what is missing, once it is listed', async (t) => {
  const { code, stdout, stderr, calls } = await setUp(t, { programs: { 'apt-get': '' } });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(
    stdout,
    /^installing .*: gcc libc6-dev pkg-config libseccomp-dev nftables \(SYSTEM=0 forbids it\)\n$/,
  );
  assert.deepEqual(calls, [`${INSTALL} gcc libc6-dev pkg-config libseccomp-dev nftables`]);
  // pkg-config is there and does not know the library.
  const library = await setUp(t, { programs: { ...ALL, 'pkg-config': 'exit 1' } });
  assert.deepEqual(library.calls, [`${INSTALL} libseccomp-dev`]);
});

test('system-packages/ without root, when forbidden, or without apt it only says what to do', async (t) => {
  const { nft: _, ...rest } = ALL;
  for (const machine of [
    { uid: 1000, programs: rest },
    { SYSTEM: '0', programs: rest },
    { programs: { gcc: '', 'pkg-config': '' } },
  ] satisfies Machine[]) {
    const { code, stdout, stderr, calls } = await setUp(t, machine);
    assert.deepEqual([code, stdout, calls], [0, '', []]);
    assert.match(
      stderr,
      /^missing for a real node .*: nftables; as root on Debian or Ubuntu: apt-get install .* nftables\n$/,
    );
  }
});

test('system-packages/ fetches lists and tries again; a failure is told and fails nothing', async (t) => {
  const { nft: _, ...rest } = ALL;
  const offline = await setUp(t, { programs: { ...rest, 'apt-get': 'exit 100' } });
  assert.equal(offline.code, 0);
  assert.deepEqual(offline.calls, [`${INSTALL} nftables`, 'update -qq', `${INSTALL} nftables`]);
  assert.match(offline.stderr, /^that failed, .*; try: apt-get update && apt-get install .* nftables\n$/);
});
