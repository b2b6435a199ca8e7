// The room table is enforced: a forbidden import is planted and must be refused, an allowed one must not.
import assert from 'node:assert/strict';
import { cp, glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOMS } from '../../tools/rooms.ts';
import { lint, projectRoot } from '../helpers/lint.ts';

let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rooms-'));
  await cp(join(projectRoot, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
});

after(() => rm(folder, { recursive: true }));

/** Plants one file with one import and returns what the linter says about it. */
async function planted(path: string, specifier: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `import { thing } from '${specifier}';\n\nexport const planted = [thing];\n`);
  const said = await lint([path], '.oxlintrc.json', folder);
  await rm(file);
  return said;
}

const FORBIDDEN: readonly [string, string][] = [
  ['api/planted.ts', '../runtime/clock.ts'],
  ['api/planted.ts', './schema/index.ts'],
  ['api/planted.ts', 'yaml'],
  ['api/schema/planted.ts', '../../kube/client.ts'],
  ['api/schema/planted.ts', 'fastify'],
  ['kube/planted.ts', '../api/names.ts'],
  ['kube/planted.ts', 'fastify'],
  ['contract/planted.ts', '../evaluation/view.ts'],
  ['evaluation/planted.ts', '../kube/client.ts'],
  ['evaluation/observe/planted.ts', '../../operator/main.ts'],
  ['gate/planted.ts', '../kube/client.ts'],
  ['gate/planted.ts', './cache/gate-cache.ts'],
  ['gate/promotions/planted.ts', '../../webhook/server.ts'],
  ['gate/cache/planted.ts', '../../webhook/server.ts'],
  ['webhook/planted.ts', '../operator/main.ts'],
  ['webhook/planted.ts', '../evaluation/view.ts'],
  ['operator/planted.ts', '../gate/decide.ts'],
  ['agent/planted.ts', 'undici'],
];

for (const [path, specifier] of FORBIDDEN) {
  test(`lint/rooms ${path} may not import ${specifier}`, async () => {
    assert.match(await planted(path, specifier), /no-restricted-imports/);
  });
}

const ALLOWED: readonly [string, string][] = [
  ['api/planted.ts', './names.ts'],
  ['api/schema/planted.ts', '../names.ts'],
  ['api/schema/planted.ts', 'typebox'],
  ['kube/planted.ts', 'undici'],
  ['gate/cache/planted.ts', '../decide.ts'],
  ['gate/promotions/planted.ts', '../../api/read.ts'],
  ['webhook/planted.ts', '../gate/cache/gate-cache.ts'],
  ['webhook/planted.ts', 'fastify'],
  ['operator/cache/planted.ts', '../../evaluation/view.ts'],
];

for (const [path, specifier] of ALLOWED) {
  test(`lint/rooms ${path} may import ${specifier}`, async () => {
    assert.doesNotMatch(await planted(path, specifier), /no-restricted-imports/);
  });
}

test('lint/rooms every room with sources is in the table once', async () => {
  const folders = ROOMS.map((room) => room.folder);
  assert.equal(new Set(folders).size, folders.length);
  const exclude = ['node_modules/**', 'dist/**', '.toolchain/**'];
  for await (const file of glob('*/**/*.ts', { cwd: projectRoot, exclude })) {
    assert.ok(folders.includes(file.split('/')[0] ?? ''), `${file} is in no room of tools/rooms.ts`);
  }
});
