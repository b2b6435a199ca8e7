// Hostile contracts, schemas and archives: each has its named outcome in bounded time and memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HOSTILE_CASES } from './hostile-case.ts';
import { hostileOutcome } from './hostile-run.ts';

const PROGRAM = fileURLToPath(new URL('hostile-case.ts', import.meta.url));

const OUTCOMES: Readonly<Record<string, RegExp>> = {
  'alias bomb': /^parse: .*excessive aliasing$/,
  'large list': /^parse: .*more than 150000 tokens$/,
  'large map': /^parse: .*more than 150000 tokens$/,
  'large text': /^(?:valid$|limit: the contract was not checked: checking it took more than 96 MiB)/,
  'too large': /^parse: .*larger than 10485760 bytes$/,
  'most tokens that are read': /^valid$/,
  'deep lists': /^parse: .*nested more than 256 levels deep$/,
  'deep maps': /^parse: .*(?:nested more than 256 levels deep|more than 150000 tokens)$/,
  'deep indentation': /^parse: .*nested more than 256 levels deep$/,
  'catastrophic pattern': /^POLICY_VIOLATION$/,
  'pattern of a thousand repetitions': /^INVALID_POLICY_SCHEMA$/,
  'doubling references': /^limit: the contract was not checked: checking it took/,
  'doubling references with failures': /^limit: the contract was not checked: checking it took/,
  'reference to itself': /^POLICY_VIOLATION$/,
  'recursive schema': /^valid$/,
  'deep schema': /^INVALID_POLICY_SCHEMA$/,
  'remote reference': /^INVALID_POLICY_SCHEMA$/,
  'reference to a file': /^INVALID_POLICY_SCHEMA$/,
  'gzip bomb of large files': /^invalid: the files are larger than 52428800 bytes together$/,
  'gzip bomb of headers': /^invalid: the archive is larger than 100663296 bytes$/,
  'gzip bomb after the end': /^unpacked 0 files$/,
  '100,000 entries': /^invalid: more than 10000 entries$/,
  'path that leads out': /^invalid: invalid path "\.\.\/\.\.\/escaped"$/,
  link: /^invalid: unsupported entry type of "escaped"/,
  'size that is a lie': /^invalid: the archive is cut off$/,
};

test('the table has every hostile case', () => {
  assert.deepEqual(Object.keys(OUTCOMES), HOSTILE_CASES);
});

for (const [name, expected] of Object.entries(OUTCOMES)) {
  test(`hostile: ${name}`, async (t) => {
    assert.match(await hostileOutcome(t, PROGRAM, [name]), expected);
  });
}
