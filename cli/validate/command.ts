// `pacto-gate validate`: says on a laptop what the operator will say in the cluster.
import { bundleFiles } from '../../contract/bundle-files.ts';
import type { BundleTree } from '../../contract/bundle/unpack-layer.ts';
import { ContractChecker, filesNamedBy } from '../../contract/check/contract-checker.ts';
import type { Contract } from '../../contract/model.ts';
import { colorsFor } from '../colors.ts';
import { type CliContext, defineCommand, EXIT, UsageError } from '../command.ts';
import { readInput, readNamed } from './input.ts';
import { githubOutput, jsonOutput, sarifOutput } from './machine-output.ts';
import type { RegistryAccess } from './registry.ts';
import { REGISTRY_FLAGS } from './registry-flags.ts';
import { findingOf, isValid, loadFinding, type ValidationReport } from './report.ts';
import { textOutput } from './text-output.ts';

/** What is validated, wherever it came from. */
export type Subject = {
  readonly contract: Uint8Array;
  readonly file: string;
  readonly base: string;
  /** The files of the bundle the contract names; undefined for text alone. */
  readonly files: ((names: readonly string[]) => Promise<BundleTree>) | undefined;
};

export const validate = defineCommand({
  name: 'validate',
  operands: 'DIR|FILE|-|oci://REFERENCE',
  description: `Validates a contract. A folder, or a file named pacto.yaml, is a bundle: files the contract names are
looked at too. Standard input (-), any other file, and everything with --inline is text alone.

Exit codes: 0 valid, 1 invalid, 2 wrong usage, 3 could not be fetched, 5 valid with warnings (with --fail-on-warning).

Examples:
  pacto-gate validate services/ledger
  pacto-gate validate --resolve -o github .
  pacto-gate validate oci://registry.example.com/acme/ledger:1.4.0 -o json`,
  refusalCode: 2,
  flags: {
    resolve: { kind: 'boolean', default: false, help: 'Fetch and enforce policies given by reference' },
    inline: {
      kind: 'boolean',
      default: false,
      help: 'Look at the text alone, as for a contract in a resource',
    },
    'fail-on-warning': { kind: 'boolean', default: false, help: 'Exit 5 when valid with warnings' },
    output: {
      kind: 'choice',
      short: 'o',
      choices: ['text', 'json', 'sarif', 'github'],
      default: 'text',
      help: 'Output format',
    },
    ...REGISTRY_FLAGS,
  },
  async run(flags, operands, context) {
    const [operand] = operands;
    if (operand === undefined || operands.length > 1) {
      throw new UsageError('give exactly one of a folder, a file, - for standard input, or oci://REFERENCE');
    }
    const checker = new ContractChecker({ timers: context.clock.timers });
    // Most runs reach no registry; what it takes to reach one is not loaded then.
    const access =
      flags.resolve || isReference(operand)
        ? (await import('./registry.ts')).registryAccess(flags, context, checker)
        : undefined;
    try {
      const subject = await subjectOf(operand, flags.inline, access, context);
      if (subject.kind === 'failed') return subject.exitCode;
      const resolveWith = flags.resolve ? access?.loader : undefined;
      const report = await reportOn(subject.subject, { checker, resolveWith }, context.signal);
      context.stdout.write(output(report, flags.output, context));
      if (!isValid(report)) return EXIT.deny;
      return flags['fail-on-warning'] && report.findings.length > 0 ? EXIT.warned : EXIT.allow;
    } finally {
      await access?.loader.close();
      await checker.close();
    }
  },
});

/** Opened by who reads it; only opening it takes milliseconds. */
const STDIN: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator](),
};

type FoundSubject =
  | { readonly kind: 'found'; readonly subject: Subject }
  | { readonly kind: 'failed'; readonly exitCode: number };

async function subjectOf(
  operand: string,
  inline: boolean,
  access: RegistryAccess | undefined,
  context: CliContext,
): Promise<FoundSubject> {
  if (access === undefined || !isReference(operand)) {
    const { contract, file, base, folder } = await readInput(operand, { inline, stdin: STDIN });
    const files = folder === undefined ? undefined : (names: readonly string[]) => readNamed(folder, names);
    return { kind: 'found', subject: { contract, file, base, files } };
  }
  const [{ exitCodeOfFailure }, { REGISTRY_BASE }] = await Promise.all([
    import('./registry.ts'),
    import('../../contract/l3/walk-policies.ts'),
  ]);
  const fetched = await access.loader.fetch(operand, undefined, context.signal);
  if (fetched.kind === 'failed') {
    context.stderr.write(`pacto-gate validate: ${fetched.failure.message}\n`);
    return { kind: 'failed', exitCode: exitCodeOfFailure(fetched.failure.kind) };
  }
  const { bundle, resolvedRef } = fetched.value;
  const files = inline ? undefined : (): Promise<BundleTree> => Promise.resolve(bundle.tree);
  const subject = { contract: bundle.contract, file: `oci://${resolvedRef}`, base: REGISTRY_BASE, files };
  return { kind: 'found', subject };
}

export type ReportNeeds = {
  readonly checker: ContractChecker;
  /** Follows policy references; undefined: they are only named. */
  readonly resolveWith: RegistryAccess['loader'] | undefined;
};

/** Validates one contract. Rejects when this machine was too busy to look at it. */
export async function reportOn(
  subject: Subject,
  { checker, resolveWith }: ReportNeeds,
  signal: AbortSignal,
): Promise<ValidationReport> {
  const checked = await checker.check({ contract: subject.contract }, async (contract: Contract) => {
    const tree = await subject.files?.(filesNamedBy(contract));
    if (resolveWith === undefined) return { tree };
    const [{ walkPolicies }, { policyResolver }] = await Promise.all([
      import('../../contract/l3/walk-policies.ts'),
      import('./policy-resolver.ts'),
    ]);
    const files = tree === undefined ? undefined : bundleFiles(tree);
    const root = { contract, files, base: subject.base };
    return { tree, policies: await walkPolicies(root, policyResolver(resolveWith, checker, signal)) };
  });
  const text = new TextDecoder().decode(subject.contract);
  const where = { file: subject.file, text };
  if (checked.kind === 'failed') {
    // Nothing was found out, so there is nothing to report.
    if (checked.fault === 'starved') throw new Error(`${subject.file}: ${checked.error.message}`);
    return { ...where, contract: undefined, findings: [loadFinding(checked.error)], notes: [] };
  }
  const { name, version } = checked.contract.service;
  const { errors, warnings } = checked.validation;
  const findings = [...errors, ...warnings].map(findingOf);
  return { ...where, contract: { name, version }, findings, notes: checked.notes };
}

function isReference(operand: string): boolean {
  return operand.startsWith('oci://');
}

function output(
  report: ValidationReport,
  format: 'text' | 'json' | 'sarif' | 'github',
  context: CliContext,
): string {
  switch (format) {
    case 'json':
      return jsonOutput(report);
    case 'sarif':
      return sarifOutput(report, context.version);
    case 'github':
      return githubOutput(report);
    case 'text': {
      const { stdout } = context;
      return textOutput(report, {
        colors: colorsFor(stdout, context.env),
        columns: stdout.isTerminal ? stdout.columns : 120,
      });
    }
  }
}
