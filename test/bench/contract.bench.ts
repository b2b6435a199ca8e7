// Measures reading, checking and unpacking of contracts, and the command a team runs on its laptop: node test/bench/contract.bench.ts
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readManifest } from '../../contract/bundle/manifest.ts';
import { packBundle } from '../../contract/bundle/pack-bundle.ts';
import { unpackLayer } from '../../contract/bundle/unpack-layer.ts';
import { ContractChecker } from '../../contract/check/contract-checker.ts';
import { ContractLoader } from '../../contract/loader/contract-loader.ts';
import { parseContract } from '../../contract/parse.ts';
import { CredentialFolders } from '../../contract/registry/credential-folders.ts';
import { OrasClient } from '../../contract/registry/oras-client.ts';
import { validateContract } from '../../contract/validate.ts';
import { systemClock } from '../../runtime/clock.ts';
import { benchTable } from './bench-table.ts';

type Measured = {
  readonly what: string;
  readonly value: string;
  readonly goal: string;
  readonly met: boolean;
};

const ms = (value: number): string =>
  value < 1 ? `${(value * 1000).toFixed(1)} µs` : `${value.toFixed(2)} ms`;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** A contract of about so many bytes that says different things each time. */
function contractOf(bytes: number, salt: number): string {
  const head = `pactoVersion: "2.0"
service: { name: bench-${salt}, version: 1.${salt}.0, owner: { team: ledger } }
workload: service
state: { type: stateful, persistence: { scope: shared, durability: persistent }, dataCriticality: high }
interfaces:
  - { name: rest, type: openapi, ref: interfaces/rest.yaml, visibility: public }
capabilities:
  - { type: health, binding: { type: http, interface: rest, path: /healthz } }
dependencies:
`;
  const dependency = (i: number): string =>
    `  - { name: d${i}, ref: "oci://registry.example.com/acme/d${i}@sha256:${'0'.repeat(64)}", required: true, compatibility: "^1.${i}.0" }\n`;
  let text = head;
  for (let i = 0; text.length < bytes; i++) text += dependency(i);
  return text;
}

function check(text: string): void {
  const parsed = parseContract(text);
  if (parsed.kind === 'failed') throw new Error(parsed.error.message);
  if (validateContract(parsed.loaded).errors.length > 0)
    throw new Error('the contract of the bench is invalid');
}

function parseAndCheck(): Measured {
  for (let i = 0; i < 300; i++) check(contractOf(1_000, i));
  const times = Array.from({ length: 500 }, (_, i) => {
    const text = contractOf(1_000, 1_000 + i);
    const start = performance.now();
    check(text);
    return performance.now() - start;
  });
  const value = median(times);
  return {
    what: 'parse and check 1 KB, new bytes (median)',
    value: ms(value),
    goal: '3 ms',
    met: value <= 3,
  };
}

async function known(): Promise<readonly Measured[]> {
  const { timers, monotonic } = systemClock;
  const checker = new ContractChecker({ timers });
  const oras = new OrasClient({ env: {}, folders: new CredentialFolders(), timers });
  const loader = new ContractLoader({ oras, checker, sources: [], clock: monotonic, timers });
  const inline = contractOf(1_000, 1);
  const { signal } = new AbortController();
  for (let i = 0; i < 2_000; i++) await loader.load({ inline }, signal);
  const before = checker.parses;
  const times: number[] = [];
  for (let i = 0; i < 5_000; i++) {
    const start = performance.now();
    await loader.load({ inline }, signal);
    times.push(performance.now() - start);
  }
  const value = median(times);
  const parses = checker.parses - before;
  await checker.close();
  return [
    { what: 'load 1 KB, known bytes (median)', value: ms(value), goal: '50 µs', met: value <= 0.05 },
    {
      what: 'YAML parses of unchanged bytes',
      value: `${parses} in 5,000 loads`,
      goal: '0',
      met: parses === 0,
    },
  ];
}

async function unpacking(): Promise<Measured> {
  const files = Array.from(
    { length: 19 },
    (_, i) => [`interfaces/api-${i}.yaml`, Buffer.from(contractOf(2_000, i))] as const,
  );
  const result = await packBundle(new Map([...files, ['pacto.yaml', Buffer.from(contractOf(1_000, 1))]]));
  if (result.kind === 'refused') throw new Error(result.reason);
  const { manifest, blobs } = result.packed;
  const read = readManifest(blobs.get(manifest.digest) ?? Buffer.of());
  if (read.kind !== 'image') throw new Error('the bench packed no image');
  const layer = blobs.get(read.layer.digest) ?? Buffer.of();
  for (let i = 0; i < 500; i++) await unpackLayer(layer);
  const count = 2_000;
  const start = performance.now();
  for (let i = 0; i < count; i++) await unpackLayer(layer);
  const perSecond = (count / (performance.now() - start)) * 1_000;
  return {
    what: 'bundles of 20 files unpacked',
    value: `${Math.round(perSecond)}/s`,
    goal: '1000/s',
    met: perSecond >= 1_000,
  };
}

/** The compiled program, start included; `make build` makes it. */
function commandLine(): Measured {
  const program = fileURLToPath(new URL('../../bin/pacto-gate.js', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'pacto-gate-bench-'));
  try {
    const file = join(folder, 'contract.yaml');
    writeFileSync(file, contractOf(50_000, 1));
    const timeOf = (...words: readonly string[]): number => {
      const start = performance.now();
      const { status } = spawnSync(process.execPath, words, { stdio: 'ignore' });
      if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}`);
      return performance.now() - start;
    };
    // In turns, so that whatever else the machine does falls on both.
    const turns = Array.from({ length: 15 }, () => ({
      bare: timeOf('-e', '0'),
      whole: timeOf(program, 'validate', file),
    }));
    const value = median(turns.map(({ whole }) => whole));
    return {
      what: 'pacto-gate validate, 50 KB, beside node -e 0 (medians of 15)',
      value: `${ms(value)} beside ${ms(median(turns.map(({ bare }) => bare)))}`,
      goal: '250 ms',
      met: value <= 250,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const rows = [parseAndCheck(), ...(await known()), await unpacking(), commandLine()];
const table = benchTable('what', 'measured', 'goal', '');
for (const { what, value, goal, met } of rows) table.push([what, value, goal, met ? 'met' : 'MISSED']);
process.stdout.write(`${table.toString()}\n`);
if (rows.some(({ met }) => !met)) process.exitCode = 1;
