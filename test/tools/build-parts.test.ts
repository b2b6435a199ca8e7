// The small parts of the build driver: where programs are kept, under which name, what is asked of the disk, what is shown.
import assert from 'node:assert/strict';
import { cp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { BuildProgress } from './build-progress.ts';
import { cacheFolder } from './cache-folder.ts';
import { inWords, requireSpace } from './disk-space.ts';
import { buildFlags } from './go-build.ts';
import { ToolError } from './tool-error.ts';
import { toolKey } from './tool-key.ts';
import { type ToolName, TOOLS } from './tool-table.ts';

test('cache-folder/ follows the variables in their order and the customs of the system', () => {
  const cases: readonly [NodeJS.ProcessEnv, NodeJS.Platform, string][] = [
    [{ PACTO_GATE_CACHE: '/own', XDG_CACHE_HOME: '/xdg', HOME: '/home/a' }, 'linux', '/own'],
    [{ XDG_CACHE_HOME: '/xdg', HOME: '/home/a' }, 'linux', '/xdg/pacto-gate'],
    [{ XDG_CACHE_HOME: 'relative', HOME: '/home/a' }, 'linux', '/home/a/.cache/pacto-gate'],
    [{ PACTO_GATE_CACHE: '', HOME: '/home/a' }, 'linux', '/home/a/.cache/pacto-gate'],
    [{ HOME: '/Users/a' }, 'darwin', '/Users/a/Library/Caches/pacto-gate'],
    [{}, 'linux', join(homedir(), '.cache', 'pacto-gate')],
  ];
  for (const [env, platform, folder] of cases) assert.equal(cacheFolder(env, platform), folder);
});

test('tool-key/ changes with a program’s own sources, with the modules it uses, and with nothing else', async (t) => {
  const module = await temporaryFolder(t);
  await cp(fileURLToPath(new URL('.', import.meta.url)), module, { recursive: true });
  const names = ['image', 'registry', 'helm', 'testcluster-1.34'] as const satisfies ToolName[];
  const keys = (): string[] => names.map((name) => toolKey(name, module, buildFlags(TOOLS[name], module)));
  const before = keys();
  assert.deepEqual(keys(), before);
  for (const [i, name] of names.entries())
    assert.match(before[i] ?? '', new RegExp(`^${name}-[0-9a-f]{24}$`));
  const changed = (after: readonly string[]): string[] => names.filter((_, i) => after[i] !== before[i]);

  await writeFile(join(module, 'registry', 'notes.txt'), 'not a source');
  assert.deepEqual(changed(keys()), []);
  await writeFile(join(module, 'registry', 'more.go'), 'package main\n');
  assert.deepEqual(changed(keys()), ['registry']);
  await rm(join(module, 'registry', 'more.go'));
  await writeFile(join(module, 'go.sum'), 'other versions\n');
  assert.deepEqual(changed(keys()), ['registry', 'helm']);
  await writeFile(join(module, 'go.older.sum'), 'other versions\n');
  assert.deepEqual(changed(keys()), ['registry', 'helm', 'testcluster-1.34']);
  assert.notEqual(toolKey('image', module, buildFlags(TOOLS.runc, module)), before[0]);
});

test('disk-space/ counts what goes to one disk together and names what to do', async () => {
  const folder = tmpdir();
  const needs = [
    { folder, bytes: 3e9 },
    { folder: join(folder, 'not', 'there', 'yet'), bytes: 2e9 },
  ];
  await requireSpace('things', needs, async () => 5e9);
  await assert.rejects(
    requireSpace('things', needs, async () => 4.9e9),
    (error) => {
      assert.ok(error instanceof ToolError && error.kind === 'disk-full');
      assert.match(
        error.message,
        /Building things needs about 5\.0 GB on the disk of .+, where 4\.9 GB are free/,
      );
      assert.match(error.message, /GOCACHE .* PACTO_GATE_CACHE/);
      return true;
    },
  );
  await requireSpace('nothing', [{ folder, bytes: 0 }]);
  assert.equal(inWords(350_000_001), '351 MB');
});

class Lines {
  readonly isTTY: boolean;
  readonly columns = 40;
  text = '';
  constructor(kind: 'terminal' | 'pipe') {
    this.isTTY = kind === 'terminal';
  }
  write(text: string): void {
    this.text += text;
  }
}

test('build-progress/ writes a plain line every 15 s into a pipe', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const out = new Lines('pipe');
  const progress = new BuildProgress(out);
  progress.say('Building it.');
  t.mock.timers.tick(15_000); // no phase yet: nothing to say
  progress.phase('downloading modules:');
  progress.step('k8s.io/api v0.37.2');
  t.mock.timers.tick(14_999);
  assert.equal(out.text, 'Building it.\n');
  t.mock.timers.tick(1);
  progress.phase('compiling x: package', 2884);
  progress.step('k8s.io/api/core/v1');
  for (let i = 0; i < 3; i += 1) t.mock.timers.tick(15_000); // in one stride, all three would see its end
  progress.phase('linking x');
  t.mock.timers.tick(15_000);
  progress.stop();
  t.mock.timers.tick(60_000);
  assert.deepEqual(out.text.split('\n'), [
    'Building it.',
    '0:30 downloading modules: 1 k8s.io/api v0.37.2',
    '0:45 compiling x: package 1/2884 k8s.io/api/core/v1',
    '1:00 compiling x: package 1/2884 k8s.io/api/core/v1',
    '1:15 compiling x: package 1/2884 k8s.io/api/core/v1',
    '1:30 linking x',
    '',
  ]);
});

test('build-progress/ renews one line every second on a terminal and clears it at the end', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const out = new Lines('terminal');
  const progress = new BuildProgress(out);
  progress.phase('compiling a long list of programs: package', 9);
  t.mock.timers.tick(1_000);
  t.mock.timers.tick(1_000);
  progress.stop();
  const clear = '\r\u001B[2K';
  assert.equal(
    out.text,
    `${clear}0:01 compiling a long list of programs:${clear}0:02 compiling a long list of programs:${clear}`,
  );
});
