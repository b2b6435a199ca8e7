// One evaluation pass in a test: a contract, a small cluster and a clock in; status, findings and windows out.
import assert from 'node:assert/strict';
import type { ObservationWindow, PactoTarget, WorkloadKind } from '../../api/pacto.ts';
import { applyStreakUpdates } from '../../api/windows.ts';
import type { CapabilityBinding, Contract } from '../../contract/model.ts';
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
import type { BundleFiles } from '../../contract/bundle-files.ts';
import { AnswerBook, type Inquiry } from '../../evaluation/observe/inquiry.ts';
import type { ClusterView } from '../../evaluation/view.ts';
import { viewWithGaps } from './view-with-gaps.ts';

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

/** The contract with something else in the bindings of its capabilities, whatever the language admits. */
export function withBinding(contract: Contract, change: Partial<CapabilityBinding>): Contract {
  const capabilities = contract.capabilities.map((capability) =>
    capability.binding === undefined
      ? capability
      : { ...capability, binding: { ...capability.binding, ...change } },
  );
  return { ...contract, capabilities };
}

/** A raw object, as the API server gives it. */
export type RawObject = Readonly<Record<string, unknown>>;

export type ServiceParts = {
  readonly name?: string;
  readonly namespace?: string;
  readonly type?: string;
  readonly selector?: Readonly<Record<string, string>>;
  readonly ports?: readonly unknown[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** More of the spec. */
  readonly spec?: RawObject;
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
};

/** Service `app` with a selector and port `http` 8080, but for what is given. */
export function service(parts: ServiceParts = {}): RawObject {
  const { name = 'app', namespace = NAMESPACE, type = 'ClusterIP', selector = { app: 'app' } } = parts;
  const { ports = [{ name: 'http', port: 8080, protocol: 'TCP' }], labels, annotations, spec } = parts;
  return {
    kind: 'Service',
    metadata: { namespace, name, labels, annotations },
    spec: { type, selector, ports, ...spec },
    ...(parts.ingress !== undefined && { status: { loadBalancer: { ingress: parts.ingress } } }),
  };
}

export type SliceParts = {
  readonly name?: string;
  readonly namespace?: string;
  readonly service?: string;
  readonly ports?: readonly unknown[];
  /** More of each endpoint, by its place. */
  readonly endpoints?: readonly RawObject[];
};

/** A slice of port `http` 8080 whose endpoints are ready or not, one per flag; undefined leaves it unset. */
export function slice(ready: readonly (boolean | undefined)[], parts: SliceParts = {}): RawObject {
  const { name = 'app-1', namespace = NAMESPACE, service: serviceName = 'app' } = parts;
  const { ports = [{ name: 'http', port: 8080, protocol: 'TCP' }], endpoints = [] } = parts;
  return {
    kind: 'EndpointSlice',
    metadata: { namespace, name, labels: { 'kubernetes.io/service-name': serviceName } },
    ports,
    endpoints: ready.map((flag, index) => ({
      conditions: flag === undefined ? {} : { ready: flag },
      ...endpoints[index],
    })),
  };
}

export type WorkloadParts = {
  readonly name?: string;
  readonly metadata?: RawObject;
  readonly spec?: RawObject;
  /** Spec of the pod template. */
  readonly pod?: RawObject;
};

/** Workload `app` whose pods are labelled `app: app`, but for what is given. */
export function workload(kind: WorkloadKind, parts: WorkloadParts = {}): RawObject {
  const { name = 'app', metadata, spec, pod = {} } = parts;
  const inner = { ...(kind !== 'CronJob' && { selector: { matchLabels: { app: 'app' } } }), ...spec };
  const holder = { ...inner, template: { metadata: { labels: { app: 'app' } }, spec: pod } };
  return {
    kind,
    metadata: { namespace: NAMESPACE, name, uid: `uid-of-${name}`, ...metadata },
    spec: kind === 'CronJob' ? { jobTemplate: { spec: holder } } : holder,
  };
}

export type Cluster = {
  readonly services?: readonly RawObject[];
  readonly slices?: readonly RawObject[];
  readonly workloads?: readonly RawObject[];
  /** Objects of any other kind. */
  readonly others?: readonly RawObject[];
  /** Kinds that cannot be read. */
  readonly unreadable?: readonly string[];
};

export function viewOf({ services, slices, workloads, others, unreadable }: Cluster): ClusterView {
  const objects = [services, slices, workloads, others].flatMap((list) => list ?? []);
  return viewWithGaps(objects, unreadable);
}

export type Pass = {
  readonly verdict: VerdictFields;
  readonly evidence: EvidenceSet;
  readonly windows: readonly ObservationWindow[];
  readonly failures: readonly CollectionFailure[];
  readonly open: readonly Inquiry[];
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
  readonly files?: BundleFiles;
  /** Answers to what is asked; whatever is asked beyond them stays open. */
  readonly answers?: AnswerBook;
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
  files,
  answers,
}: PassInput): Pass {
  const view = viewOf(cluster);
  const raw = observe({
    namespace: NAMESPACE,
    target,
    contract,
    view,
    now,
    features: { ...DEFAULT_FEATURES, ...features },
    ...(files !== undefined && { files }),
    ...(answers !== undefined && { answers }),
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
    open: raw.open,
    text: `${verdict.contractStatus}${codes === '' ? '' : `/${codes}`} ${evaluated}/${required}`,
  };
}

/** A streak, of interface `api` by default, that began so many milliseconds before NOW. */
export function streak(
  ageMs: number,
  subject = 'api',
  kind: ObservationWindow['kind'] = 'interface',
): ObservationWindow {
  const firstObservedNegativeAt = `${new Date(NOW - ageMs).toISOString().slice(0, 19)}Z`;
  return { kind, subject, firstObservedNegativeAt };
}

/** One pass whose questions are answered by `respond`; `asked` has every question, in order. */
export function answered(
  input: Omit<PassInput, 'answers'>,
  respond: (inquiry: Inquiry) => unknown,
): Pass & { readonly asked: readonly Inquiry[] } {
  const answers = new AnswerBook();
  const asked: Inquiry[] = [];
  for (;;) {
    const result = pass({ ...input, answers });
    if (result.open.length === 0) return { ...result, asked };
    for (const inquiry of result.open) {
      asked.push(inquiry);
      answers.enter(inquiry, respond(inquiry) as never);
    }
    assert.ok(asked.length < 20, 'the questions do not end');
  }
}
