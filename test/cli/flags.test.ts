// Flags in every spelling that Go programs and kubectl take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FlagTable, parseFlags } from '../../cli/flags.ts';

const TABLE = {
  namespace: { kind: 'string', short: 'n', help: '' },
  'leader-elect': { kind: 'boolean', default: false, help: '' },
  all: { kind: 'boolean', short: 'A', default: false, help: '' },
  image: { kind: 'strings', help: '' },
  output: { kind: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', help: '' },
  workers: { kind: 'integer', default: 4, min: 1, max: 9, help: '' },
  window: { kind: 'duration', default: '2m0s', help: '' },
} as const satisfies FlagTable;

test('cli/flags defaults', () => {
  const { flags, operands } = parseFlags(TABLE, []);
  assert.deepEqual(flags, {
    namespace: undefined,
    'leader-elect': false,
    all: false,
    image: [],
    output: 'text',
    workers: 4,
    window: 120_000,
  });
  assert.deepEqual(operands, []);
});

for (const words of [
  ['--namespace', 'a'],
  ['--namespace=a'],
  ['-namespace', 'a'],
  ['-namespace=a'],
  ['-n', 'a'],
  ['-n=a'],
  ['-na'],
]) {
  test(`cli/flags ${words.join(' ')}`, () => assert.equal(parseFlags(TABLE, words).flags.namespace, 'a'));
}

for (const words of [
  ['--leader-elect'],
  ['-leader-elect'],
  ['--leader-elect=true'],
  ['--leader-elect=1'],
  ['-leader-elect=T'],
]) {
  test(`cli/flags ${words.join(' ')}`, () =>
    assert.equal(parseFlags(TABLE, words).flags['leader-elect'], true));
}

test('cli/flags false is said with a value only', () => {
  assert.equal(parseFlags(TABLE, ['--leader-elect=false']).flags['leader-elect'], false);
  assert.equal(parseFlags(TABLE, ['-A']).flags.all, true);
});

test('cli/flags operands stand anywhere, and behind -- everything is one', () => {
  assert.deepEqual(parseFlags(TABLE, ['a/b', '-n', 'x', 'c']).operands, ['a/b', 'c']);
  assert.deepEqual(parseFlags(TABLE, ['--', '-n', 'x']).operands, ['-n', 'x']);
});

test('cli/flags a flag may be repeated where that means something', () => {
  assert.deepEqual(parseFlags(TABLE, ['--image', 'a', '--image=b']).flags.image, ['a', 'b']);
});

const REFUSED: readonly [string[], RegExp][] = [
  [['--nope'], /Unknown option '--nope'; see --help/],
  [['--namespace'], /--namespace needs a value/],
  [['--leader-elect=maybe'], /--leader-elect="maybe": give true or false/],
  [['-o', 'xml'], /--output "xml": give one of text, json/],
  [['--workers', '0'], /--workers "0": give a whole number from 1 to 9/],
  [['--workers', '1e1'], /--workers "1e1"/],
  [['--window', '5x'], /--window "5x": .*give a duration such as 90s/],
  [['--window=-5s'], /it is negative/],
];

for (const [words, message] of REFUSED) {
  test(`cli/flags refuses ${words.join(' ')}`, () => {
    assert.throws(
      () => parseFlags(TABLE, words),
      (error: Error) => {
        assert.match(error.message, message);
        assert.equal((error as Error & { code?: string }).code, 'USAGE');
        return true;
      },
    );
  });
}
