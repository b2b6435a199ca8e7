// A loader with everything it needs, over the real oras, and bundles pushed to a registry.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { writeOciLayout } from '../../contract/bundle/oci-layout.ts';
import { ContractChecker } from '../../contract/check/contract-checker.ts';
import type { PackedBundle } from '../../contract/bundle/pack-bundle.ts';
import {
  ContractLoader,
  type ContractOutcome,
  type LoadedSource,
} from '../../contract/loader/contract-loader.ts';
import { CredentialFolders } from '../../contract/registry/credential-folders.ts';
import type { CredentialSource } from '../../contract/registry/credentials.ts';
import type { LoadFailure } from '../../contract/registry/load-failure.ts';
import { OrasClient } from '../../contract/registry/oras-client.ts';
import {
  parseRegistryReference,
  type RegistryReference,
} from '../../contract/registry/registry-reference.ts';
import { systemClock } from '../../runtime/clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { ensureTool } from '../tools/build.ts';

export type Rig = {
  readonly loader: ContractLoader;
  readonly oras: OrasClient;
  readonly checker: ContractChecker;
  /** Where credentials are written. */
  readonly folder: string;
  /** Moves the clock of the caches. */
  advance(ms: number): void;
};

export type RigOptions = {
  readonly insecure?: readonly string[];
  readonly sources?: readonly CredentialSource[];
  readonly program?: string;
  /** Beside PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly requestTimeoutMs?: number;
  readonly loadTimeoutMs?: number;
  readonly maxChildren?: number;
  /** Of the checker. */
  readonly patienceMs?: number;
};

const ANONYMOUS: readonly CredentialSource[] = [{ kind: 'anonymous' }];

export async function rig(t: TestContext, options: RigOptions = {}): Promise<Rig> {
  const { insecure = [], sources = ANONYMOUS, program = await ensureTool('oras') } = options;
  const { requestTimeoutMs, loadTimeoutMs, maxChildren, patienceMs } = options;
  const folder = await temporaryFolder(t);
  const { timers } = systemClock;
  let now = 0;
  const oras = new OrasClient({
    program,
    env: { PATH: process.env['PATH'], ...options.env },
    insecureRegistries: insecure,
    folders: new CredentialFolders(folder),
    timers,
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(maxChildren !== undefined && { maxChildren }),
  });
  const checker = new ContractChecker({ timers, ...(patienceMs !== undefined && { patienceMs }) });
  const loader = new ContractLoader({
    ...{ oras, checker, sources, timers },
    clock: { now: () => now },
    ...(loadTimeoutMs !== undefined && { loadTimeoutMs }),
  });
  t.after(async () => {
    await loader.close();
    await checker.close();
  });
  return { loader, oras, checker, folder, advance: (ms) => (now += ms) };
}

export function reference(text: string): RegistryReference {
  const parsed = parseRegistryReference(text);
  assert.ok(parsed.kind === 'reference', parsed.kind === 'invalid' ? parsed.reason : '');
  return parsed.reference;
}

/** Pushes a bundle as `text`, which has a tag, and returns its digest. */
export async function push(
  t: TestContext,
  { oras }: Pick<Rig, 'oras'>,
  text: string,
  bundle: PackedBundle,
  source: CredentialSource = { kind: 'anonymous' },
): Promise<string> {
  const folder = await temporaryFolder(t);
  await writeOciLayout(folder, bundle, 'pushed');
  const pushed = await oras.push({ folder, tag: 'pushed' }, reference(text), source, t.signal);
  assert.deepEqual(pushed, { kind: 'answer', value: undefined });
  return bundle.manifest.digest;
}

export function loadedOf(outcome: ContractOutcome): LoadedSource {
  assert.ok(outcome.kind === 'loaded', outcome.kind === 'failed' ? outcome.failure.message : '');
  return outcome.source;
}

export function failureOf(outcome: ContractOutcome): LoadFailure {
  assert.ok(outcome.kind === 'failed', 'it was loaded');
  return outcome.failure;
}
