// Writes .oxlintrc.json from the room table and the declared dependencies; `--check` only compares.
import { readFileSync } from 'node:fs';
import { writeOrCheck } from './generated-file.ts';
import { ROOMS, type Room } from './rooms.ts';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Regular expression matching a relative import that leaves the room for one it may not use. */
function deniedRooms(room: Room): string | undefined {
  const { rooms } = room;
  if (rooms === '*') return undefined;
  const denied = ROOMS.map((r) => r.folder).filter((f) => f !== room.folder && !rooms.includes(f));
  // A nested room is spelled with its parent's name in front, so `api` alone must not match `api/schema`.
  const alternatives = denied.map((folder) => {
    const nested = ROOMS.filter((r) => r.folder.startsWith(`${folder}/`)).map((r) => r.folder);
    return nested.length === 0 ? `${escape(folder)}/` : `${escape(folder)}/[^/]+$`;
  });
  const parent = room.folder.includes('/') ? room.folder.slice(0, room.folder.lastIndexOf('/')) : undefined;
  const inside = ROOMS.filter((r) => r.folder.startsWith(`${room.folder}/`) && !rooms.includes(r.folder))
    .map((r) => `|^(\\./|(\\.\\./)+)${escape(r.folder.slice(room.folder.length + 1))}/`)
    .join('');
  const own = parent !== undefined && !rooms.includes(parent) ? '|^\\.\\./[^./]' : '';
  return alternatives.length === 0 ? undefined : `^(\\.\\./)+(${alternatives.join('|')})${own}${inside}`;
}

function override(room: Room): object {
  const patterns: object[] = [];
  const rooms = deniedRooms(room);
  if (rooms !== undefined) {
    patterns.push({ regex: rooms, message: `${room.folder}/ may not import that room (tools/rooms.ts)` });
  }
  const allowed = room.packages;
  if (allowed !== '*') {
    const denied = packages.filter((p) => !allowed.includes(p)).map(escape);
    patterns.push({
      regex: `^(${denied.join('|')})(/|$)`,
      message: `${room.folder}/ may not import that package (tools/rooms.ts)`,
    });
  }
  const nested = ROOMS.filter((r) => r.folder.startsWith(`${room.folder}/`)).map((r) => `${r.folder}/**`);
  const rules = patterns.length === 0 ? {} : { 'no-restricted-imports': ['error', { patterns }] };
  return { files: [`${room.folder}/**`], ...(nested.length === 0 ? {} : { excludeFiles: nested }), rules };
}

const config = {
  $schema: './node_modules/oxlint/configuration_schema.json',
  plugins: ['typescript', 'import', 'unicorn', 'node', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['dist', 'node_modules', '.toolchain'],
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'max-depth': ['error', 4],
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'node/no-process-env': 'error',
    'promise/always-return': 'off',
    'promise/no-multiple-resolved': 'off',
    'typescript/consistent-return': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/no-instanceof-builtins': 'off',
    'unicorn/no-process-exit': 'error',
    'unicorn/no-useless-spread': 'off',
  },
  overrides: [
    ...ROOMS.map(override),
    { files: ['cli/**', 'tools/**', 'test/**', 'bin/**'], rules: { 'node/no-process-env': 'off' } },
    // Node loads a reporter by its default export.
    { files: ['test/reporter.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['test/**'],
      rules: {
        'typescript/no-floating-promises': [
          'error',
          {
            allowForKnownSafeCalls: [
              { from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite'] },
            ],
          },
        ],
        'typescript/no-non-null-assertion': 'off',
        'unicorn/no-process-exit': 'off',
      },
    },
  ],
};

writeOrCheck(new URL('../.oxlintrc.json', import.meta.url), `${JSON.stringify(config, null, 2)}\n`);
