// `pacto-gate push`: validates the bundle in a folder and stores it in a registry, under its version.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GATE_API_VERSION } from '../api/names.ts';
import { writeOciLayout } from '../contract/bundle/oci-layout.ts';
import type { PackedBundle } from '../contract/bundle/pack-bundle.ts';
import { ContractChecker } from '../contract/check/contract-checker.ts';
import type { Contract } from '../contract/model.ts';
import { parseReference } from '../contract/oci-reference.ts';
import type { LoadFailure } from '../contract/registry/load-failure.ts';
import {
  normalizeReference,
  parseRegistryReference,
  type RegistryReference,
  referenceText,
} from '../contract/registry/registry-reference.ts';
import { colorsFor } from './colors.ts';
import { type CliContext, defineCommand, EXIT, UsageError } from './command.ts';
import { packFolder } from './pack.ts';
import { reportOn } from './validate/command.ts';
import { readInput, readNamed } from './validate/input.ts';
import { exitCodeOfFailure, type RegistryAccess, registryAccess } from './validate/registry.ts';
import { REGISTRY_FLAGS } from './validate/registry-flags.ts';
import { isValid } from './validate/report.ts';
import { textOutput } from './validate/text-output.ts';

/** Name of the image in the folder it is pushed from. */
const LAYOUT_TAG = 'bundle';

export const push = defineCommand({
  name: 'push',
  operands: 'DIR oci://REGISTRY/REPOSITORY[:TAG]',
  description: `Validates the bundle in a folder, packs it and stores it in a registry. Without a tag it is stored under the
version of the contract. A contract that refers to folders of this machine is not pushed.

Exit codes: 0 pushed, 1 invalid, 2 wrong usage, 3 the registry did not take it.

Example:
  pacto-gate push services/ledger oci://registry.example.com/acme/ledger`,
  refusalCode: 2,
  flags: {
    output: { kind: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', help: 'Output format' },
    ...REGISTRY_FLAGS,
  },
  async run(flags, [folder, target, ...more], context) {
    if (folder === undefined || target === undefined || more.length > 0) {
      throw new UsageError('give a folder and oci://REGISTRY/REPOSITORY[:TAG]');
    }
    const checker = new ContractChecker({ timers: context.clock.timers });
    const access = registryAccess(flags, context, checker);
    try {
      const packed = await packFolder([folder]);
      if (packed.kind === 'refused') return refuse(packed.reason, context);
      if (!(await isPushable(folder, packed.packed.contract, checker, context))) return EXIT.deny;
      const reference = targetOf(target, packed.packed.contract.service.version);
      const failure = await pushTo(reference, packed.packed, access, context.signal);
      if (failure !== undefined) {
        context.stderr.write(`pacto-gate push: ${failure.message}\n`);
        return exitCodeOfFailure(failure.kind);
      }
      const { version } = packed.packed.contract.service;
      if (reference.tag !== undefined && reference.tag !== version) {
        context.stderr.write(
          `pacto-gate push: note: the tag is ${reference.tag} and the contract says version ${version}; who asks for the newest version goes by tags\n`,
        );
      }
      const { digest } = packed.packed.manifest;
      const name = referenceText(reference, reference);
      const document = { apiVersion: GATE_API_VERSION, kind: 'Pushed', reference: name, digest };
      context.stdout.write(
        flags.output === 'json' ? `${JSON.stringify(document, null, 2)}\n` : `${name}@${digest}\n`,
      );
      return EXIT.allow;
    } finally {
      await access.loader.close();
      await checker.close();
    }
  },
});

/** Whether the bundle is valid and means the same elsewhere; says on standard error why not. */
async function isPushable(
  folder: string,
  contract: Contract,
  checker: ContractChecker,
  context: CliContext,
): Promise<boolean> {
  const input = await readInput(folder, { inline: false, stdin: process.stdin });
  const files = (names: readonly string[]) => readNamed(folder, names);
  const report = await reportOn({ ...input, files }, { checker, resolveWith: undefined }, context.signal);
  if (!isValid(report)) {
    const colors = colorsFor(context.stderr, context.env);
    context.stderr.write(
      textOutput(report, { colors, columns: context.stderr.isTerminal ? context.stderr.columns : 120 }),
    );
    return false;
  }
  const local = localReferences(contract);
  if (local.length === 0) return true;
  refuse(
    `${folder} refers to folders of this machine, which nobody else has: ${local.join(', ')}; refer to oci://… instead`,
    context,
  );
  return false;
}

function localReferences({ configurations, policies, dependencies }: Contract): readonly string[] {
  const all = [...configurations, ...policies, ...dependencies].flatMap(({ ref }) => ref ?? []);
  return all.filter((ref) => parseReference(ref).kind === 'local');
}

function targetOf(target: string, version: string): RegistryReference {
  if (!target.startsWith('oci://')) throw new UsageError(`${JSON.stringify(target)} must begin with oci://`);
  const parsed = parseRegistryReference(normalizeReference(target));
  if (parsed.kind === 'invalid')
    throw new UsageError(`${JSON.stringify(target)} is no reference: ${parsed.reason}`);
  const { reference } = parsed;
  if (reference.digest !== undefined) {
    throw new UsageError(
      `${JSON.stringify(target)} names a digest; give a tag, or none for the contract's version`,
    );
  }
  if (reference.tag !== undefined) return reference;
  const withTag = parseRegistryReference(`${referenceText(reference)}:${version}`);
  if (withTag.kind === 'reference') return withTag.reference;
  throw new UsageError(`version ${JSON.stringify(version)} cannot be a tag; give one: ${target}:TAG`);
}

async function pushTo(
  reference: RegistryReference,
  packed: PackedBundle,
  { oras, sources }: RegistryAccess,
  signal: AbortSignal,
): Promise<LoadFailure | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pacto-gate-push-'));
  try {
    await writeOciLayout(folder, packed, LAYOUT_TAG);
    let failure: LoadFailure | undefined;
    for (const source of sources) {
      const answer = await oras.push({ folder, tag: LAYOUT_TAG }, reference, source, signal);
      if (answer.kind === 'answer') return undefined;
      ({ failure } = answer);
      if (failure.kind !== 'authentication') return failure;
    }
    return failure;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refuse(reason: string, context: CliContext): number {
  context.stderr.write(`pacto-gate push: ${reason}\n`);
  return EXIT.deny;
}
