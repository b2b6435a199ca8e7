// Verdict: everything a rule may look at, read from one Pacto object of any operator, and never throwing on any input.
import type { Finding, Severity } from '../api/finding.ts';
import { SEVERITIES } from '../api/finding.ts';
import type { EvaluationCoverage } from '../api/pacto.ts';
import type { RunningWorkload } from './revision.ts';
import * as read from '../api/read.ts';

/** An open observation window with its start in milliseconds since the epoch. */
export type VerdictWindow = { readonly key: string; readonly firstObservedNegativeAtMs: number };

export type Verdict = {
  readonly kind: 'verdict';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The word as it stands; words this version does not know are kept. */
  readonly contractStatus?: string;
  readonly generation?: number;
  readonly observedGeneration?: number;
  readonly lastReconciledAt?: string;
  /** Milliseconds since the epoch; absent when the text is not a time. */
  readonly lastReconciledAtMs?: number;
  /** Since when the status stands, else the newest condition transition. */
  readonly statusSinceMs?: number;
  readonly serviceName?: string;
  readonly contractVersion?: string;
  readonly resolvedRef?: string;
  readonly findings: readonly Finding[];
  /** Errors counted by the operator; more than the findings listed when the list was cut for size. */
  readonly errorCount: number;
  readonly windows: readonly VerdictWindow[];
  readonly windowSeconds?: number;
  readonly coverage?: EvaluationCoverage;
  readonly readiness?: { readonly passing: boolean; readonly expired: boolean };
  /** Images of containers the verdict is about; absent when the operator saw no workload. */
  readonly images?: readonly string[];
  /** Images of init containers; absent when the operator that wrote the verdict does not state them. */
  readonly initImages?: readonly string[];
  /** False when the workload was still rolling out when it was judged; absent when the operator does not say. */
  readonly rolloutComplete?: boolean;
  readonly imageDigests: readonly { readonly image: string; readonly digest: string }[];
  readonly workloadGeneration?: number;
  readonly checkIntervalSeconds: number;
  /** Workload the Pacto is bound to: its reference, else a Deployment named like the Service. */
  readonly workload?: { readonly kind: string; readonly name: string };
  /** Dependencies as the contract declares them. */
  readonly dependencies: readonly { readonly name: string; readonly ref: string }[];
  /** What runs now where the verdict was made, or that it is gone; filled in by whoever can see it. */
  readonly running?: RunningWorkload | { readonly kind: 'gone' };
  /** Service the Pacto is bound to. */
  readonly targetService?: string;
};

/** A Pacto that was asked for by name and does not exist, or a selection that found none. */
export type MissingVerdict = {
  readonly kind: 'missing';
  readonly namespace: string;
  /** Absent when a selection, not a name, found nothing. */
  readonly name?: string;
  /** Why there is none, one sentence without a full stop. */
  readonly why: string;
  /** What would help. Default: making or naming the Pacto. */
  readonly unblock?: string;
};

/** Seconds between checks when the Pacto states none. */
const DEFAULT_CHECK_INTERVAL_SECONDS = 300;

/**
 * Reads a Pacto object.
 * @returns nothing when the value is not an object with a name and namespace
 */
export function verdictOf(pacto: unknown): Verdict | undefined {
  const metadata = read.object(pacto, 'metadata');
  const name = read.string(metadata, 'name');
  const namespace = read.string(metadata, 'namespace');
  if (name === undefined || namespace === undefined) return undefined;
  const spec = read.object(pacto, 'spec');
  const status = read.object(pacto, 'status');
  const contract = read.object(status, 'contract');
  const runtime = read.object(status, 'observedRuntime');
  const summary = read.object(status, 'summary');
  const readiness = read.object(status, 'readiness');
  const findings = read.list(status, 'findings').flatMap(finding);
  return read.defined({
    kind: 'verdict' as const,
    namespace,
    name,
    uid: read.string(metadata, 'uid') ?? '',
    labels: read.stringMap(metadata, 'labels'),
    contractStatus: read.string(status, 'contractStatus'),
    generation: read.integer(metadata, 'generation'),
    observedGeneration: read.integer(status, 'observedGeneration'),
    lastReconciledAt: read.string(status, 'lastReconciledAt'),
    lastReconciledAtMs: read.time(status, 'lastReconciledAt'),
    statusSinceMs: read.time(status, 'contractStatusSince') ?? newestTransition(status),
    serviceName: read.string(contract, 'serviceName'),
    contractVersion: read.string(contract, 'version') ?? read.string(status, 'contractVersion'),
    resolvedRef: read.string(contract, 'resolvedRef'),
    findings,
    errorCount: Math.max(
      read.integer(summary, 'errorCount') ?? 0,
      findings.filter((f) => f.severity === 'error').length,
    ),
    windows: read.list(status, 'observationWindows').flatMap(window),
    windowSeconds: bounded(read.integer(status, 'stabilizationWindowSeconds')),
    coverage: coverage(status),
    readiness:
      readiness === undefined
        ? undefined
        : { passing: read.boolean(readiness, 'passing'), expired: read.boolean(readiness, 'expired') },
    images: runtime === undefined ? undefined : read.strings(runtime, 'containerImages'),
    initImages: statesInitImages(runtime) ? read.strings(runtime, 'initContainerImages') : undefined,
    rolloutComplete: readFlag(runtime, 'rolloutComplete'),
    targetService: read.string(read.object(spec, 'target'), 'serviceName'),
    imageDigests: read.list(runtime, 'imageDigests').flatMap(imageDigest),
    workloadGeneration: read.integer(runtime, 'workloadGeneration'),
    checkIntervalSeconds:
      positive(read.integer(spec, 'checkIntervalSeconds')) ?? DEFAULT_CHECK_INTERVAL_SECONDS,
    workload: workload(read.object(spec, 'target')),
    dependencies: read.list(status, 'dependencies').flatMap(dependency),
  });
}

/** `namespace/name`, as reasons and messages show a Pacto. */
export function pactoKey(verdict: Verdict | MissingVerdict): string {
  return verdict.name === undefined ? verdict.namespace : `${verdict.namespace}/${verdict.name}`;
}

/** Windows beyond a year are a mistake of whoever wrote them, and arithmetic on them would leave the calendar. */
const LONGEST_WINDOW_SECONDS = 31_536_000;

function bounded(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds >= 0 && seconds <= LONGEST_WINDOW_SECONDS ? seconds : undefined;
}

/** Our operator states the generation it read and, beside it, init images where there are any. */
function statesInitImages(runtime: read.Json | undefined): boolean {
  return read.integer(runtime, 'workloadGeneration') !== undefined;
}

function readFlag(from: read.Json | undefined, key: string): boolean | undefined {
  const value = read.field(from, key);
  return typeof value === 'boolean' ? value : undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

function workload(target: read.Json | undefined): Verdict['workload'] {
  const reference = read.object(target, 'workloadRef');
  const name = read.string(reference, 'name') ?? read.string(target, 'serviceName');
  return name === undefined ? undefined : { kind: read.string(reference, 'kind') ?? 'Deployment', name };
}

function coverage(status: read.Json | undefined): EvaluationCoverage | undefined {
  const value = read.object(status, 'evaluationCoverage');
  const evaluated = read.integer(value, 'evaluated');
  const required = read.integer(value, 'required');
  return evaluated === undefined || required === undefined ? undefined : { evaluated, required };
}

/** An entry that says too little to be understood still counts: its severity decides, and without one it is unknown. */
function finding(raw: unknown): Finding[] {
  if (!read.isObject(raw)) return [];
  const severity = read.string(raw, 'severity');
  return [
    read.defined({
      code: read.string(raw, 'code') ?? 'UNNAMED',
      severity: isSeverity(severity) ? severity : ('unknown' as const),
      category: read.string(raw, 'category') ?? '',
      subject: read.string(raw, 'subject'),
      contractPath: read.string(raw, 'contractPath'),
      message: read.string(raw, 'message') ?? '',
    }),
  ];
}

function isSeverity(word: string | undefined): word is Severity {
  return SEVERITIES.some((s) => s === word);
}

function window(raw: unknown): VerdictWindow[] {
  const kind = read.string(raw, 'kind');
  const subject = read.string(raw, 'subject');
  const start = read.time(raw, 'firstObservedNegativeAt');
  if (kind === undefined || subject === undefined || start === undefined) return [];
  return [{ key: `${kind}/${subject}`, firstObservedNegativeAtMs: start }];
}

function imageDigest(raw: unknown): { image: string; digest: string }[] {
  const image = read.string(raw, 'image');
  const digest = read.string(raw, 'digest');
  return image === undefined || digest === undefined ? [] : [{ image, digest }];
}

function dependency(raw: unknown): { name: string; ref: string }[] {
  const name = read.string(raw, 'name');
  return name === undefined ? [] : [{ name, ref: read.string(raw, 'ref') ?? '' }];
}

function newestTransition(status: read.Json | undefined): number | undefined {
  const times = read.list(status, 'conditions').flatMap((c) => read.time(c, 'lastTransitionTime') ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}
