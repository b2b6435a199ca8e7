// Scalars kubectl reads otherwise, held against kubectl itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { readGeneric } from '../../contract/generic-reading.ts';
import { readYaml } from '../../contract/read-yaml.ts';
import { scalarNotes } from '../../contract/scalar-notes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { ensureTool } from '../tools/build.ts';

const SCALARS = [
  ...['yes', 'Yes', 'YES', 'on', 'On', 'ON', 'y', 'Y', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'n', 'N'],
  ...['yEs', 'true', 'True', 'FALSE', '"yes"', "'no'", '!!str on', '~', 'null', 'Null', 'nULL'],
  ...[
    '12',
    '-3',
    '1_000',
    '0777',
    '017',
    '089',
    '0x1F',
    '0b101',
    '0o14',
    '+5',
    '1:20',
    '12345678901234567890',
  ],
  ...['9007199254740993', '1.5', '.5', '1.', '1e3', '0.10', '1.0.0', '2026-01-02', '2026-01-02T03:04:05Z'],
  ...['=', 'abc'],
];

test('every scalar that kubectl reads otherwise is noted, and no other', async (t) => {
  const lines = SCALARS.map((scalar, index) => `  k${index}: ${scalar}`).join('\n');
  const object = `apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: x }\nspec:\n${lines}\n`;
  const program = await ensureTool('testcluster');
  const args = ['kubectl', 'label', '--local', '-f', '-', '-o', 'json', '--dry-run=client', 'a=b'];
  const child = spawn(program, args, {
    env: { HOME: await temporaryFolder(t) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(object);
  const answer = await text(child.stdout);
  // Numbers as they are written: JSON.parse would round them, which is what is looked for.
  const theirs = (index: number): string =>
    new RegExp(`"k${index}": (.*?),?$`, 'm').exec(answer)?.[1] ?? 'nothing';
  const source = readYaml(object);
  const reading = readGeneric(source.root);
  assert.ok(reading.kind === 'value' && source.problems.length === 0);
  const { spec } = reading.value as { readonly spec: Readonly<Record<string, unknown>> };
  const noted = new Set(scalarNotes(source).map(({ path }) => path));
  const differs = SCALARS.filter((_, index) => theirs(index) !== JSON.stringify(spec[`k${index}`]));
  assert.deepEqual(
    SCALARS.filter((_, index) => noted.has(`spec.k${index}`)),
    differs,
  );
  assert.ok(differs.includes('yes') && differs.includes('9007199254740993') && !differs.includes('0777'));
});

test('notes have places, keys count too, and what aliases share is noted once', () => {
  const notes = scalarNotes(readYaml('a: &x { on: [no] }\nb: *x\n'));
  assert.deepEqual(
    notes.map(({ path, line, column }) => [path, line, column]),
    [
      ['a', 1, 9],
      ['a.on.0', 1, 14],
    ],
  );
  assert.match(notes[0]?.message ?? '', /^kubectl reads on as the boolean true, this as text; quote it/);
  assert.equal(scalarNotes(readYaml(`[${'no, '.repeat(500)}]`)).length, 100);
  assert.deepEqual(scalarNotes(readYaml('')), []);
});
