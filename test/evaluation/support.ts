// One evaluation pass in a test: a contract, a small cluster and a clock in; status, findings and windows out.
import assert from 'node:assert/strict';
import type { ObservationWindow, PactoTarget, WorkloadKind } from '../../api/pacto.ts';
import { applyStreakUpdates } from '../../api/windows.ts';
import type { Contract } from '../../contract/model.ts';
import { parseContract } from '../../contract/parse.ts';
import { validateContract } from '../../contract/validate.ts';
import { declaredStreaks } from '../../evaluation/declared-streaks.ts';
import { evaluate } from '../../evaluation/evaluate/index.ts';
import type { EvidenceSet } from '../../evaluation/evidence.ts';
import { observe } from '../../evaluation/observe/index.ts';
import { DEFAULT_FEATURES, type ObservationFeatures } from '../../evaluation/observe/observe-input.ts';
import type { CollectionFailure } from '../../evaluation/observe/raw-observation.ts';
import { stabilize } from '../../evaluation/stabilize.ts';
import { type VerdictFields, verdictOf } from '../../evaluation/status.ts';
import { runtimeIdentity } from '../../evaluation/target.ts';
import type {
  ClusterView,
  EndpointSliceView,
  Lookup,
  ServiceView,
  WorkloadView,
} from '../../evaluation/view.ts';

export const NAMESPACE = 'default';
export const WINDOW_MS = 120_000;
export const NOW = Date.UTC(2026, 10, 30, 10, 0, 0);
export const MINUTE = 60_000;

/** A valid contract of service `app`, from the lines after its head. */
export function contractOf(fragment: string): Contract {
  const loaded = parseContract(`pactoVersion: "2.0"\nservice: { name: app, version: 1.0.0 }\n${fragment}`);
  assert.ok(loaded.kind === 'loaded', JSON.stringify(loaded));
  const { errors } = validateContract(loaded.loaded);
  assert.deepEqual(errors, []);
  return loaded.loaded.contract;
}

export const API_INTERFACE = 'interfaces: [{ name: api, type: openapi, ref: a.yaml }]\n';
export const BOUND: PactoTarget = {
  serviceName: 'app',
  interfaceBindings: [{ interface: 'api', servicePort: 'http' }],
};

export function service(fields: Partial<ServiceView> = {}): ServiceView {
  return {
    namespace: NAMESPACE,
    name: 'app',
    type: 'ClusterIP',
    selector: { app: 'app' },
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    ...fields,
  };
}

/** A slice of port `http` 8080 whose endpoints are ready or not, one per flag. */
export function slice(
  ready: readonly (boolean | undefined)[],
  fields: Partial<EndpointSliceView> = {},
): EndpointSliceView {
  return {
    namespace: NAMESPACE,
    name: 'app-1',
    serviceName: 'app',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: ready.map((flag) => (flag === undefined ? {} : { ready: flag })),
    ...fields,
  };
}

export function workload(kind: WorkloadKind, fields: Partial<WorkloadView> = {}): WorkloadView {
  return {
    kind,
    namespace: NAMESPACE,
    name: 'app',
    containerImages: [],
    hasPVC: false,
    hasEmptyDir: false,
    ...fields,
  };
}

export type Cluster = {
  readonly services?: readonly ServiceView[];
  readonly slices?: readonly EndpointSliceView[];
  readonly workloads?: readonly WorkloadView[];
  /** Kinds that cannot be read. */
  readonly unreadable?: readonly string[];
};

export function viewOf(cluster: Cluster): ClusterView {
  const unreadable = (kind: string): Lookup<never> | undefined =>
    cluster.unreadable?.includes(kind) === true
      ? { kind: 'unreadable', reason: `${kind} is forbidden` }
      : undefined;
  const one = <T>(value: T | undefined): Lookup<T> =>
    value === undefined ? { kind: 'absent' } : { kind: 'found', value };
  return {
    service: (namespace, name) =>
      unreadable('Service') ??
      one(cluster.services?.find((s) => s.namespace === namespace && s.name === name)),
    endpointSlices: (namespace, name) =>
      unreadable('EndpointSlice') ?? {
        kind: 'found',
        value: (cluster.slices ?? []).filter((s) => s.namespace === namespace && s.serviceName === name),
      },
    workload: (kind, namespace, name) =>
      unreadable(kind) ??
      one(cluster.workloads?.find((w) => w.kind === kind && w.namespace === namespace && w.name === name)),
  };
}

export type Pass = {
  readonly verdict: VerdictFields;
  readonly evidence: EvidenceSet;
  readonly windows: readonly ObservationWindow[];
  readonly failures: readonly CollectionFailure[];
  /** `Status/CODE,CODE evaluated/required`. */
  readonly text: string;
};

export type PassInput = {
  readonly contract: Contract;
  readonly target?: PactoTarget;
  readonly cluster?: Cluster;
  readonly windows?: readonly ObservationWindow[];
  readonly now?: number;
  readonly windowMs?: number;
  readonly features?: Partial<ObservationFeatures>;
};

/** One whole pass: observe, stabilize, evaluate, rank, and what is stored of the windows. */
export function pass({
  contract,
  target = BOUND,
  cluster = {},
  windows = [],
  now = NOW,
  windowMs = WINDOW_MS,
  features = {},
}: PassInput): Pass {
  const view = viewOf(cluster);
  const raw = observe({
    namespace: NAMESPACE,
    target,
    contract,
    view,
    now,
    features: { ...DEFAULT_FEATURES, ...features },
  });
  const { evidence, updates } = stabilize({
    raw,
    windows,
    now,
    windowMs,
    identity: runtimeIdentity(NAMESPACE, target),
    contractRef: '',
  });
  const evaluation = evaluate(contract, evidence);
  const verdict = verdictOf([], evaluation, evidence);
  const codes = evaluation.findings.map(({ code }) => code).join(',');
  const { evaluated, required } = evaluation.coverage;
  return {
    verdict,
    evidence,
    windows: applyStreakUpdates(windows, updates, declaredStreaks(contract)),
    failures: raw.failures,
    text: `${verdict.contractStatus}${codes === '' ? '' : `/${codes}`} ${evaluated}/${required}`,
  };
}

/** A streak of interface `api` that began so many milliseconds before NOW. */
export function streak(ageMs: number, subject = 'api'): ObservationWindow {
  const firstObservedNegativeAt = `${new Date(NOW - ageMs).toISOString().slice(0, 19)}Z`;
  return { kind: 'interface', subject, firstObservedNegativeAt };
}
