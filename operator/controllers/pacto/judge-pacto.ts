// One pass over one Pacto, without any writing: contract, evidence, verdict, and when to look again (controller.md 2.4).
import { removeConditions, setCondition } from '../../../api/conditions.ts';
import type { Condition } from '../../../api/meta.ts';
import type { PactoStatus, PactoTarget } from '../../../api/pacto.ts';
import { capStatusSize } from '../../../api/status-size.ts';
import { formatTime } from '../../../api/time.ts';
import { applyStreakUpdates, earliestWindowEnd } from '../../../api/windows.ts';
import type { StaticIssue } from '../../../contract/issue.ts';
import type { ContractOutcome, LoadedSource } from '../../../contract/loader/contract-loader.ts';
import { resolutionPolicy } from '../../../contract/oci-reference.ts';
import { type LoadFailure, statusOfFailure } from '../../../contract/registry/load-failure.ts';
import { normalizeReference } from '../../../contract/registry/registry-reference.ts';
import type { ValidationResult } from '../../../contract/validate.ts';
import { declaredStreaks } from '../../../evaluation/declared-streaks.ts';
import { evaluate } from '../../../evaluation/evaluate/index.ts';
import { bundleDescriptions } from '../../bundle-descriptions.ts';
import { informationalFields } from '../../../evaluation/informational.ts';
import type { AnswerBook, Inquiry } from '../../../evaluation/observe/inquiry.ts';
import { observe } from '../../../evaluation/observe/index.ts';
import type { ObservationFeatures } from '../../../evaluation/observe/observe-input.ts';
import type { CollectionFailure } from '../../../evaluation/observe/raw-observation.ts';
import { assessReadiness, readinessCondition, readinessStatus } from '../../../evaluation/readiness.ts';
import { type RuntimeSnapshot, snapshotRuntime } from '../../../evaluation/runtime-snapshot.ts';
import {
  failedVerdict,
  REFERENCE_VERDICT,
  type VerdictFields,
  verdictOf,
} from '../../../evaluation/status.ts';
import { stabilize } from '../../../evaluation/stabilize.ts';
import { isReferenceOnly, runtimeIdentity } from '../../../evaluation/target.ts';
import type { ClusterView } from '../../../evaluation/view.ts';
import type { PactoRecord } from '../../cache/pacto-record.ts';
import type { PassEnd } from './contract-event.ts';

export type JudgeSettings = {
  /** Milliseconds an absence must last before it is a violation. */
  readonly windowMs: number;
  readonly features: ObservationFeatures;
};

export type JudgeInput = {
  readonly pacto: PactoRecord;
  readonly view: ClusterView;
  /** What became of loading its contract. */
  readonly contract: ContractOutcome;
  readonly settings: JudgeSettings;
  /** Answers to what an earlier judgement of this pass asked. Default: none. */
  readonly answers?: AnswerBook;
  /** The one clock reading of the pass, milliseconds since the epoch. */
  readonly now: number;
};

export type JudgedPacto = {
  /** The whole status as it should be stored. */
  readonly status: PactoStatus;
  readonly end: PassEnd;
  readonly failures: readonly CollectionFailure[];
  /** Questions without an answer; while there are some the judgement is provisional. */
  readonly open: readonly Inquiry[];
  /** Milliseconds until the next look: the interval, or less when a window ends before. */
  readonly requeueMs: number;
  readonly intervalMs: number;
};

const DEFAULT_INTERVAL_SECONDS = 300;

/** Judges a Pacto. Pure, and never throws on what a Pacto or the cluster may hold. */
export function judgePacto(input: JudgeInput): JudgedPacto {
  const { contract, pacto } = input;
  if (pacto.malformed !== undefined) return malformed(input, pacto.malformed);
  if (contract.kind === 'failed') return notLoaded(input, contract.failure);
  const { source } = contract;
  const derived = { validation: validationStatus(source.validation), ...policyOf(input.pacto) };
  if (source.validation.errors.length > 0) {
    const message = `Contract validation failed: ${source.validation.errors.map(issueText).join('; ')}`;
    return failed(input, 'Invalid', message, derived);
  }
  return finished(input, source, derived);
}

/** What no schema would let through is Invalid: nobody can say what was meant. */
function malformed(input: JudgeInput, problem: string): JudgedPacto {
  const message = `the Pacto is malformed: ${problem}`;
  return failed(input, 'Invalid', message, { validation: { valid: false, errors: [{ message }] } });
}

/** The shape of the reference alone decides, also when an inline text wins over it. */
function policyOf({ spec }: PactoRecord): Pick<PactoStatus, 'resolutionPolicy'> {
  const oci = spec.contractRef?.oci ?? '';
  return oci === '' ? {} : { resolutionPolicy: resolutionPolicy(normalizeReference(oci)) };
}

/** A contract that could not be loaded: Unknown where that says nothing about it, else Invalid (controller.md 6.7). */
function notLoaded(input: JudgeInput, { kind, message: cause, path }: LoadFailure): JudgedPacto {
  const status = statusOfFailure(kind);
  const message = kind === 'override' ? `override error: ${cause}` : cause;
  const validation = { valid: false, errors: [{ ...(path === undefined ? {} : { path }), message }] };
  return failed(input, status, message, {
    ...(status === 'Invalid' ? { validation } : {}),
    ...(kind === 'pull-secret' ? {} : policyOf(input.pacto)),
  });
}

/** FAIL: no contract to judge by. Windows and every condition but ContractValid stay as they are. */
function failed(
  input: JudgeInput,
  status: 'Invalid' | 'Unknown',
  message: string,
  derived: Derived,
): JudgedPacto {
  const invalid = status === 'Invalid';
  const stored = input.pacto.status;
  const condition = {
    type: 'ContractValid',
    status: invalid ? 'False' : 'Unknown',
    reason: invalid ? 'Invalid' : 'Unavailable',
    message,
  } as const;
  return close(input, {
    status: {
      ...failedVerdict(status),
      ...derived,
      ...kept(stored),
      conditions: withCondition(input, stored.conditions, condition),
    },
    end: { kind: 'failed', status, message },
    failures: [],
    open: [],
  });
}

/** What is known before there is a verdict. */
type Derived = Pick<PactoStatus, 'validation' | 'resolutionPolicy'>;

/** FINISH: a valid contract, compared with the cluster when it has a target. */
function finished(input: JudgeInput, source: LoadedSource, derived: Derived): JudgedPacto {
  const { contract, overriddenKeys, resolvedRef, files } = source;
  const { pacto } = input;
  const readiness = assessReadiness(contract.readiness, input.now);
  const base: PactoStatus = {
    ...derived,
    ...informationalFields(contract, {
      overriddenKeys,
      ...(resolvedRef === undefined ? {} : { resolvedRef }),
      ...(files === undefined ? {} : { descriptions: bundleDescriptions(files) }),
    }),
    ...(readiness === undefined ? {} : { readiness: readinessStatus(readiness) }),
    ...kept(pacto.status),
  };
  const conditions =
    readiness === undefined
      ? removeConditions(pacto.status.conditions, 'ReadinessSatisfied')
      : setCondition(pacto.status.conditions, readinessCondition(readiness, pacto.generation), input.now);
  const { name, version } = contract.service;
  const target = pacto.spec.target;
  if (target === undefined || isReferenceOnly(target)) {
    const reference = withCondition(input, removeConditions(conditions, 'RuntimeObserved'), {
      type: 'ContractValid',
      status: 'True',
      reason: 'ReferenceOnly',
      message: `Reference contract ${name} v${version} is valid`,
    });
    return close(input, {
      status: { ...base, ...REFERENCE_VERDICT, conditions: reference },
      end: finishedEnd(REFERENCE_VERDICT),
      failures: [],
      open: [],
    });
  }
  const observed = judgeTarget(input, source, target);
  const valid = withCondition(input, conditions, {
    type: 'ContractValid',
    status: 'True',
    reason: 'Parsed',
    message: `Contract ${name} v${version} is valid`,
  });
  return close(input, {
    status: {
      ...base,
      ...observed.status,
      conditions: withCondition(input, valid, runtimeObserved(observed.snapshot)),
    },
    end: finishedEnd(observed.status),
    failures: observed.failures,
    open: observed.open,
  });
}

type TargetJudgement = {
  readonly status: VerdictFields & Pick<PactoStatus, 'resources' | 'observedRuntime' | 'observationWindows'>;
  readonly snapshot: RuntimeSnapshot;
  readonly failures: readonly CollectionFailure[];
  readonly open: readonly Inquiry[];
};

function judgeTarget(
  { pacto, view, settings, answers, now }: JudgeInput,
  { contract, files, resolvedRef, validation: { warnings } }: LoadedSource,
  target: PactoTarget,
): TargetJudgement {
  const { namespace } = pacto;
  const { features } = settings;
  const raw = observe({
    namespace,
    target,
    contract,
    ...(files !== undefined && { files }),
    view,
    features,
    now,
    ...(answers !== undefined && { answers }),
  });
  const windows = pacto.status.observationWindows ?? [];
  const identity = runtimeIdentity(namespace, target);
  const { evidence, updates } = stabilize({
    raw,
    windows,
    now,
    windowMs: settings.windowMs,
    identity,
    contractRef: resolvedRef ?? '',
  });
  const snapshot = snapshotRuntime(namespace, target, view);
  const { resources, observedRuntime } = snapshot;
  return {
    status: {
      ...verdictOf(warnings, evaluate(contract, evidence), evidence),
      ...(resources === undefined ? {} : { resources }),
      ...(observedRuntime === undefined ? {} : { observedRuntime }),
      observationWindows: applyStreakUpdates(windows, updates, declaredStreaks(contract)),
    },
    snapshot,
    failures: raw.failures,
    open: raw.open,
  };
}

function finishedEnd({ contractStatus, summary }: VerdictFields): PassEnd {
  return { kind: 'finished', status: contractStatus, summary };
}

function runtimeObserved({ failure }: RuntimeSnapshot): ConditionUpdate {
  const type = 'RuntimeObserved';
  return failure === undefined
    ? { type, status: 'True', reason: 'Found', message: 'Runtime evidence collected successfully' }
    : {
        type,
        status: 'False',
        reason: 'ObservationFailed',
        message: `Runtime observation failed: ${failure}`,
      };
}

type ConditionUpdate = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

function withCondition(
  { pacto, now }: JudgeInput,
  conditions: readonly Condition[] | undefined,
  update: ConditionUpdate,
): readonly Condition[] {
  return setCondition(conditions, { ...update, observedGeneration: pacto.generation }, now);
}

/** What outlives a pass that does not speak about it. */
function kept({ observationWindows, currentRevision }: PactoStatus): PactoStatus {
  return {
    ...(observationWindows === undefined ? {} : { observationWindows }),
    ...(currentRevision === undefined ? {} : { currentRevision }),
  };
}

type Unclosed = Pick<JudgedPacto, 'status' | 'end' | 'failures' | 'open'>;

/** The common tail: verdict, times, size, and the next look. */
function close({ pacto, settings, now }: JudgeInput, { status, end, failures, open }: Unclosed): JudgedPacto {
  const intervalMs = positive(pacto.spec.checkIntervalSeconds, DEFAULT_INTERVAL_SECONDS) * 1000;
  const stored = pacto.status;
  const unchanged = stored.contractStatus === end.status && stored.contractStatusSince !== undefined;
  const windows = status.observationWindows ?? [];
  const complete: PactoStatus = {
    ...status,
    contractStatus: end.status,
    contractStatusSince: unchanged ? (stored.contractStatusSince ?? formatTime(now)) : formatTime(now),
    observationWindows: windows,
    stabilizationWindowSeconds: Math.round(settings.windowMs / 1000),
    lastReconciledAt: formatTime(now),
    observedGeneration: pacto.generation,
  };
  const windowEnd = end.kind === 'failed' ? undefined : earliestWindowEnd(windows, settings.windowMs, now);
  return {
    status: capStatusSize(withoutEmptyLists(complete)),
    end,
    failures,
    open,
    intervalMs,
    requeueMs: windowEnd === undefined ? intervalMs : Math.min(intervalMs, Math.max(1, windowEnd - now)),
  };
}

function withoutEmptyLists(status: PactoStatus): PactoStatus {
  return Object.fromEntries(
    Object.entries(status).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function positive(value: number | undefined, otherwise: number): number {
  return value !== undefined && value > 0 ? value : otherwise;
}

function validationStatus({ errors, warnings }: ValidationResult): NonNullable<PactoStatus['validation']> {
  return {
    valid: errors.length === 0,
    ...(errors.length === 0 ? {} : { errors: errors.map(validationItem) }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.map(validationItem) }),
  };
}

function validationItem({ code, path, message }: StaticIssue): {
  code: string;
  path?: string;
  message: string;
} {
  return { code, ...(path === '' ? {} : { path }), message };
}

function issueText({ path, message }: StaticIssue): string {
  return path === '' ? message : `${path}: ${message}`;
}
