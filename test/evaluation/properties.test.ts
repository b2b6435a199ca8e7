// What must hold for any contract and any cluster.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { ContractStatus } from '../../api/contract-status.ts';
import type { PactoTarget } from '../../api/pacto.ts';
import { evaluate } from '../../evaluation/evaluate/index.ts';
import {
  ASSERTION_KINDS,
  type EvidenceSet,
  type Observation,
  observed,
  UNOBSERVED_OUTCOMES,
  unobserved,
} from '../../evaluation/evidence.ts';
import { verdictOf } from '../../evaluation/status.ts';
import { type Cluster, contractOf, NOW, pass, service, slice, WINDOW_MS, workload } from './support.ts';

/** Best to worst. */
const LADDER: readonly ContractStatus[] = ['Compliant', 'Warning', 'Unknown', 'NonCompliant'];
const from = { collector: 'k8s-observer', detectedAt: '2026-11-30T10:00:00Z' };

const contract = contractOf(
  `interfaces: [{ name: api, type: openapi, ref: a }, { name: rpc, type: grpc, ref: b, visibility: public }]
capabilities: [{ type: health }, { type: metrics }]
dependencies: [{ name: db, ref: ../db, required: true, compatibility: "^1" }, { name: mq, ref: ../mq, required: false, compatibility: "^2" }]
configurations: [{ name: cfg, required: true, ref: ../cfg }, { name: opt, required: false, ref: ../opt }]
workload: service
state: { type: stateful, persistence: { scope: local, durability: persistent }, dataCriticality: low }`,
);

const NAMES = {
  InterfaceObserved: ['api', 'rpc'],
  CapabilityObserved: ['health', 'metrics'],
  DependencyReachable: ['db', 'mq'],
  ConfigurationPresent: ['cfg', 'opt'],
  WorkloadObserved: ['app'],
  PersistenceObserved: ['app'],
} as const;

const optional = <T extends string>(...words: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.constantFrom(undefined, ...words);

const value: fc.Arbitrary<Observation> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('api', 'rpc'),
      fc.boolean(),
      optional('http1', 'http2', 'tls', 'other'),
      optional('external', 'internal'),
    )
    .map(([name, present, protocol, exposure]) =>
      observed(
        'InterfaceObserved',
        name,
        { type: 'x', present, ...(protocol && { protocol }), ...(exposure && { exposure }) },
        from,
      ),
    ),
  fc
    .tuple(fc.constantFrom('health', 'metrics'), fc.boolean())
    .map(([name, present]) => observed('CapabilityObserved', name, { present }, from)),
  fc
    .tuple(fc.constantFrom('db', 'mq'), fc.boolean(), optional('1.2.3', '2.0.0', 'nope'))
    .map(([name, reachable, version]) =>
      observed('DependencyReachable', name, { reachable, ...(version && { version }) }, from),
    ),
  fc
    .tuple(fc.constantFrom('cfg', 'opt'), fc.boolean(), fc.boolean())
    .map(([name, present, conformant]) =>
      observed('ConfigurationPresent', name, { present, conformant }, from),
    ),
  fc
    .constantFrom('service', 'job', 'scheduled')
    .map((type) => observed('WorkloadObserved', 'app', { type }, from)),
  fc
    .tuple(fc.boolean(), optional('shared', 'local'))
    .map(([durable, scope]) =>
      observed('PersistenceObserved', 'app', { durable, ...(scope && { scope }) }, from),
    ),
);

const gap: fc.Arbitrary<Observation> = fc
  .constantFrom(...ASSERTION_KINDS)
  .chain((kind) =>
    fc
      .tuple(fc.constantFrom(...NAMES[kind]), fc.constantFrom(...UNOBSERVED_OUTCOMES))
      .map(([name, outcome]) => unobserved(kind, name, outcome, from) as Observation),
  );

const observations = fc.uniqueArray(fc.oneof(value, gap), {
  selector: ({ kind, subject }) => `${kind} ${subject.name}`,
  maxLength: 12,
});

function set(list: readonly Observation[]): EvidenceSet {
  return {
    subject: { kind: 'service', name: 'default/app' },
    contractRef: '',
    source: 'k8s',
    observedAt: '2026-11-30T10:00:00Z',
    observations: list,
  };
}

function rank(list: readonly Observation[]): number {
  const evidence = set(list);
  return LADDER.indexOf(verdictOf([], evaluate(contract, evidence), evidence).contractStatus);
}

/** The same observation turned into what speaks against the contract. */
function negated(observation: Observation): Observation {
  if (observation.outcome !== 'Observed') return observation;
  switch (observation.kind) {
    case 'InterfaceObserved':
      return { ...observation, value: { type: observation.value.type, present: false } };
    case 'CapabilityObserved':
      return { ...observation, value: { present: false } };
    case 'DependencyReachable':
      return { ...observation, value: { ...observation.value, reachable: false } };
    case 'ConfigurationPresent':
      return { ...observation, value: { present: false, conformant: false } };
    case 'WorkloadObserved':
      return { ...observation, value: { type: 'job' } };
    case 'PersistenceObserved':
      return { ...observation, value: { ...observation.value, durable: false } };
    default:
      return observation satisfies never;
  }
}

test('turning evidence negative never improves a status', () => {
  fc.assert(
    fc.property(observations, fc.nat(), (list, pick) => {
      fc.pre(list.length > 0);
      const index = pick % list.length;
      const worse = list.map((observation, at) => (at === index ? negated(observation) : observation));
      assert.ok(rank(worse) >= rank(list));
    }),
  );
});

test('losing an observation of a required element never reads as compliant', () => {
  fc.assert(
    fc.property(observations, fc.nat(), (list, pick) => {
      const required = list.filter(({ subject }) => subject.name !== 'mq' && subject.name !== 'opt');
      fc.pre(required.length > 0);
      const lost = required[pick % required.length];
      assert.ok(rank(list.filter((observation) => observation !== lost)) >= LADDER.indexOf('Unknown'));
    }),
  );
});

test('anything required that is not observed never reads as compliant', () => {
  fc.assert(
    fc.property(observations, gap, (list, missing) => {
      fc.pre(missing.subject.name !== 'mq' && missing.subject.name !== 'opt');
      const others = list.filter(
        ({ kind, subject }) => kind !== missing.kind || subject.name !== missing.subject.name,
      );
      assert.ok(rank([...others, missing]) >= LADDER.indexOf('Unknown'));
    }),
  );
});

test('the order of evidence never matters', () => {
  fc.assert(
    fc.property(observations, fc.infiniteStream(fc.double({ noNaN: true })), (list, keys) => {
      const shuffled = list
        .map((observation) => ({ observation, key: keys.next().value as number }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ observation }) => observation);
      assert.deepEqual(evaluate(contract, set(shuffled)), evaluate(contract, set(list)));
    }),
  );
});

test('a gap in coverage comes exactly with an unknown finding', () => {
  fc.assert(
    fc.property(observations, (list) => {
      const { findings, coverage } = evaluate(contract, set(list));
      const undecided = findings.filter(({ severity }) => severity === 'unknown').length;
      assert.equal(coverage.required - coverage.evaluated, undecided);
    }),
  );
});

const bound: PactoTarget = {
  serviceName: 'app',
  workloadRef: { name: 'app', kind: 'Deployment' },
  interfaceBindings: [{ interface: 'api', servicePort: 'http' }],
};
const oneInterface = contractOf('interfaces: [{ name: api, type: openapi, ref: a }]');

const cluster: fc.Arbitrary<Cluster> = fc.record({
  services: fc.constantFrom(
    [],
    [service()],
    [service({ type: 'ExternalName' })],
    [service({ selector: {} })],
    [service({ ports: [] })],
  ),
  slices: fc.constantFrom([], [slice([true])], [slice([false])], [slice([true, false])]),
  unreadable: fc.constantFrom([], ['Service'], ['EndpointSlice']),
});

test('an absence is no violation before its window ends, and always one at its end', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 * WINDOW_MS }),
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 1_000, max: 3_600_000 }),
      (later, millis, windowMs) => {
        const gone = { contract: oneInterface, target: bound, cluster: { services: [service()] }, windowMs };
        const first = pass({ ...gone, now: NOW + millis });
        assert.equal(first.verdict.contractStatus, 'Unknown');
        const now = NOW + millis + later;
        const second = pass({ ...gone, now, windows: first.windows });
        const start = Date.parse(first.windows[0]?.firstObservedNegativeAt ?? '');
        assert.ok(start >= NOW + millis && start < NOW + millis + 1_000);
        assert.equal(second.verdict.contractStatus, now >= start + windowMs ? 'NonCompliant' : 'Unknown');
      },
    ),
  );
});

test('whatever the cluster does, a violation is preceded by a whole window of nothing but negatives', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cluster, fc.integer({ min: 1_000, max: 2 * WINDOW_MS })), { maxLength: 12 }),
      (steps) => {
        let now = NOW;
        let windows = pass({ contract: oneInterface, target: bound, cluster: {} }).windows;
        let lastPositive = -Infinity;
        let firstNegative: number | undefined;
        for (const [state, gapMs] of steps) {
          now += gapMs;
          const result = pass({ contract: oneInterface, target: bound, cluster: state, windows, now });
          windows = result.windows;
          if (result.verdict.contractStatus === 'Compliant') {
            lastPositive = now;
            firstNegative = undefined;
          } else if (windows.length > 0) firstNegative ??= now;
          if (result.verdict.contractStatus === 'NonCompliant') {
            assert.ok(
              firstNegative !== undefined && now - firstNegative >= WINDOW_MS && firstNegative > lastPositive,
            );
          }
        }
      },
    ),
  );
});

test('a mismatch is a violation at once, whatever the window', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400_000 }), (windowMs) => {
      const result = pass({
        contract: contractOf('workload: job'),
        target: bound,
        cluster: { workloads: [workload('Deployment')] },
        windowMs,
      });
      assert.equal(result.text, 'NonCompliant/WORKLOAD_MISMATCH 1/1');
      assert.deepEqual(result.windows, []);
    }),
  );
});

test('a read that failed is never a violation and never clears a streak', () => {
  fc.assert(
    fc.property(cluster, (state) => {
      const windows = pass({
        contract: oneInterface,
        target: bound,
        cluster: { services: [service()] },
      }).windows;
      const failed = { ...state, unreadable: ['Service', 'EndpointSlice'] };
      const result = pass({
        contract: oneInterface,
        target: bound,
        cluster: failed,
        windows,
        now: NOW + 10 * WINDOW_MS,
      });
      assert.equal(result.text, 'Unknown/COLLECTION_FAILED 0/1');
      assert.deepEqual(result.windows, windows);
    }),
  );
});
