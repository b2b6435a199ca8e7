// One hostile input in a process of its own: says what came of it, and how much memory that took. Word: name of the case.
import { gzipSync } from 'node:zlib';
import { unpackLayer } from '../../contract/bundle/unpack-layer.ts';
import type { CheckRequest } from '../../contract/check/check-contract.ts';
import { ContractChecker } from '../../contract/check/contract-checker.ts';
import { systemClock } from '../../runtime/clock.ts';
import { tar } from './bundle-support.ts';
import { BASE } from './support.ts';

const MIB = 1024 * 1024;

/** Time limit of the checker in milliseconds for what would run for ever. */
const ENDLESS_CHECK_MS = 5_000;
/** For all else, which only takes long on a busy machine; the deadline of the case is what ends it. */
const CHECK_MS = 50_000;

const CONTRACTS: Readonly<Record<string, () => CheckRequest>> = {
  'alias bomb': () => {
    const levels = Array.from({ length: 40 }, (_, i) => `  l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(20)}]`);
    return { contract: `${BASE}metadata:\n  l0: &l0 [x, x]\n${levels.join('\n')}\n` };
  },
  'large list': () => ({ contract: `${BASE}metadata: { a: [${'x,'.repeat(4.9 * MIB)}] }\n` }),
  'large map': () => ({ contract: `${BASE}metadata:\n${'  key: some value\n'.repeat(550_000)}` }),
  'large text': () => ({ contract: `${BASE}metadata: { a: "${'x'.repeat(9 * MIB)}" }\n` }),
  'too large': () => ({ contract: `${BASE}metadata: { a: "${'x'.repeat(11 * MIB)}" }\n` }),
  'most tokens that are read': () => ({ contract: `${BASE}metadata: { a: [${'x,'.repeat(49_000)}] }\n` }),
  'deep lists': () => ({ contract: `${BASE}metadata: ${'['.repeat(70_000)}` }),
  'deep maps': () => ({ contract: `${BASE}metadata: ${'{a: '.repeat(60_000)}` }),
  'deep indentation': () => {
    const lines = Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i + 1)}a:\n`);
    return { contract: `${BASE}metadata:\n${lines.join('')}` };
  },
  'catastrophic pattern': () =>
    policy({ properties: { metadata: { properties: { x: { pattern: '^(a+)+$' } } } } }),
  'pattern of a thousand repetitions': () =>
    policy({
      properties: { metadata: { properties: { x: { pattern: '^((a{1,1000}){1,1000}){1,1000}$' } } } },
    }),
  'doubling references': () => {
    const chain = Array.from(
      { length: 40 },
      (_, i) => [`d${i}`, { allOf: [ref(i + 1), ref(i + 1)] }] as const,
    );
    return policy({ $defs: { ...Object.fromEntries(chain), d40: { type: 'object' } }, ...ref(0) });
  },
  'doubling references with failures': () => {
    const chain = Array.from(
      { length: 40 },
      (_, i) => [`d${i}`, { allOf: [ref(i + 1), ref(i + 1)] }] as const,
    );
    return policy({ $defs: { ...Object.fromEntries(chain), d40: { required: ['nope'] } }, ...ref(0) });
  },
  'reference to itself': () => policy({ $ref: '#' }),
  'recursive schema': () =>
    policy({
      additionalProperties: { anyOf: [{ $ref: '#' }, { type: ['string', 'array'] }] },
      type: 'object',
    }),
  'deep schema': () => policy(`${'{"not":'.repeat(5_000)}{}${'}'.repeat(5_000)}`),
  'remote reference': () => policy({ $ref: 'https://example.com/schema.json' }),
  'reference to a file': () => policy({ $ref: 'file:///etc/passwd' }),
};

const ARCHIVES: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  'gzip bomb of large files': async () => {
    const file = gzipSync(await tarWithoutEnd('f', Buffer.alloc(10 * MIB)));
    return Buffer.concat(Array.from({ length: 100 }, () => file));
  },
  'gzip bomb of headers': async () => {
    const pax = { path: 'x'.repeat(900_000) };
    const entry = await tar([{ header: { name: 'f', pax } }]);
    // The header alone, without the entry it is about: it is never counted as one.
    const header = gzipSync(entry.subarray(0, 512 + Math.ceil((900_000 + 14) / 512) * 512));
    return Buffer.concat(Array.from({ length: 200 }, () => header));
  },
  'gzip bomb after the end': async () => {
    const zeros = gzipSync(Buffer.alloc(10 * MIB));
    return Buffer.concat([gzipSync(await tar([])), ...Array.from({ length: 200 }, () => zeros)]);
  },
  '100,000 entries': async () => {
    const some = gzipSync(await tarWithoutEnd(...Array.from({ length: 1_000 }, (_, i) => `f${i}`)));
    return Buffer.concat(Array.from({ length: 100 }, () => some));
  },
  'path that leads out': () => tar([{ header: { name: '../../escaped' }, content: 'x' }]),
  link: () => tar([{ header: { name: 'escaped', type: 'symlink', linkname: '/etc/passwd' } }]),
  'size that is a lie': async () => {
    const archive = Buffer.from(
      await tar([{ header: { name: 'f', size: 9 * MIB }, content: Buffer.alloc(9 * MIB) }]),
    );
    return gzipSync(archive.subarray(0, 1_024));
  },
};

function ref(i: number): { readonly $ref: string } {
  return { $ref: `#/$defs/d${i}` };
}

function policy(schema: object | string): CheckRequest {
  const contract = `${BASE}policies: [{ name: p, schema: p.json }]\nmetadata: { x: "${'a'.repeat(50)}!" }\n`;
  return {
    contract,
    tree: new Map([['p.json', Buffer.from(typeof schema === 'string' ? schema : JSON.stringify(schema))]]),
  };
}

/** Entries of an archive, so that more can follow. Texts are names of empty files. */
async function tarWithoutEnd(...parts: readonly (string | Buffer)[]): Promise<Buffer> {
  const content = parts.find((part) => typeof part !== 'string');
  const names = parts.filter((part) => typeof part === 'string');
  const archive = await tar(
    names.map((name) => ({ header: { name }, ...(content !== undefined && { content }) })),
  );
  return archive.subarray(0, -1_024);
}

async function outcomeOf(name: string): Promise<string> {
  const archive = ARCHIVES[name];
  if (archive !== undefined) {
    const unpacked = await unpackLayer(await archive());
    return unpacked.kind === 'invalid'
      ? `invalid: ${unpacked.reason}`
      : `unpacked ${unpacked.tree.size} files`;
  }
  const request = CONTRACTS[name]?.();
  if (request === undefined) throw new Error(`there is no case ${name}`);
  const checker = new ContractChecker({
    timers: systemClock.timers,
    timeoutMs: name.startsWith('doubling') ? ENDLESS_CHECK_MS : CHECK_MS,
  });
  try {
    const checked = await checker.check(request);
    if (checked.kind === 'failed') return `${checked.fault}: ${checked.error.message}`;
    return (
      [...checked.validation.errors, ...checked.validation.warnings].map(({ code }) => code).join() || 'valid'
    );
  } finally {
    await checker.close();
  }
}

/** Names of all cases. */
export const HOSTILE_CASES: readonly string[] = [...Object.keys(CONTRACTS), ...Object.keys(ARCHIVES)];

if (import.meta.main) {
  // Ends with the test that started it.
  process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'));
  process.stdin.resume();
  const outcome = await outcomeOf(process.argv[2] ?? '');
  const peakMib = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(JSON.stringify({ outcome, peakMib }));
  process.stdin.pause();
}
