// Ranges held against a program over github.com/Masterminds/semver/v3, on generated pairs of version and range.
// RANGE_PAIRS sets how many; RANGE_SEED repeats a run.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseRange, satisfies } from '../../contract/range.ts';
import { parseVersion } from '../../contract/version.ts';
import { ensureTool } from '../tools/build.ts';

const PAIRS = Number(process.env['RANGE_PAIRS'] ?? 5_000);
const SEED = Number(process.env['RANGE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const number = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('0', '1', '2', '3', '10') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '01',
      '00',
      '9007199254740993',
      '18446744073709551615',
      '18446744073709551616',
    ),
  },
);
const identifier = fc.constantFrom('0', '1', '2', '11', 'alpha', 'beta', 'rc', 'a-b', '-', '01', '0a', 'x');
const suffix = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc.array(identifier, { minLength: 1, maxLength: 3 }).map((parts) => `-${parts.join('.')}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('+build', '+01.x', '-rc.1+build', '-', '+') },
);
const dotted = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', '', '', 'v', 'V'), fc.array(part, { minLength: 1, maxLength: 4 }), suffix)
    .map(([prefix, parts, end]) => `${prefix}${parts.join('.')}${end}`);
const full = fc
  .tuple(number, number, number, suffix)
  .map(([major, minor, patch, end]) => `${major}.${minor}.${patch}${end}`);
const version = fc.oneof({ weight: 5, arbitrary: full }, { weight: 2, arbitrary: dotted(number) });

const partial = fc.oneof(
  { weight: 3, arbitrary: full },
  {
    weight: 3,
    arbitrary: dotted(
      fc.oneof(
        { weight: 4, arbitrary: number },
        { weight: 1, arbitrary: fc.constantFrom('x', 'X', '*', '1x') },
      ),
    ),
  },
);
const operator = fc.constantFrom(
  '',
  '',
  '=',
  '!=',
  '>',
  '<',
  '>=',
  '=>',
  '<=',
  '=<',
  '~',
  '~>',
  '^',
  '^',
  '==',
  '> =',
);
const space = fc.constantFrom('', '', ' ', '  ');
const term = fc.tuple(operator, space, partial).map((parts) => parts.join(''));
const group = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.array(term, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', ', ', ',', ' , ', ',,'))
      .map(([terms, separator]) => terms.join(separator)),
  },
  { weight: 1, arbitrary: fc.tuple(partial, partial).map(([a, b]) => `${a} - ${b}`) },
);
const range = fc
  .tuple(space, fc.array(group, { minLength: 1, maxLength: 3 }), fc.constantFrom('||', ' || '), space)
  .map(([before, groups, or, after]) => `${before}${groups.join(or)}${after}`);

function ours(versionText: string, rangeText: string): string {
  const parsedRange = parseRange(rangeText);
  if (parsedRange === undefined) return 'bad-range';
  const parsedVersion = parseVersion(versionText);
  if (parsedVersion === undefined) return 'bad-version';
  return satisfies(parsedVersion, parsedRange) ? 'yes' : 'no';
}

test('contract/128 ranges mean what the library upstream uses makes of them', async () => {
  const pairs = fc.sample(fc.tuple(version, range), { numRuns: PAIRS, seed: SEED });
  const child = spawn(await ensureTool('ranges'), { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(pairs.map(([a, b]) => `${a}\t${b}\n`).join(''));
  const theirs = (await text(child.stdout)).trimEnd().split('\n');
  assert.equal(theirs.length, pairs.length);
  const different = pairs.flatMap(([a, b], index) => {
    const mine = ours(a, b);
    return mine === theirs[index] ? [] : [`${JSON.stringify([a, b])}: ${mine}, should be ${theirs[index]}`];
  });
  assert.deepEqual(
    different.slice(0, 20),
    [],
    `${different.length} of ${pairs.length} differ; RANGE_SEED=${SEED}`,
  );
  // A generator that makes nothing but nonsense would prove nothing.
  for (const answer of ['yes', 'no', 'bad-range', 'bad-version']) {
    const share = theirs.filter((text) => text === answer).length / theirs.length;
    assert.ok(share > 0.02, `only ${(share * 100).toFixed(1)} % of the answers are ${answer}`);
  }
});
