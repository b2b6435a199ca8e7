// Measures evaluation alone: judging evidence, a whole pass from a view in memory, and a sweep: node test/bench/evaluation.bench.ts
import { evaluate } from '../../evaluation/evaluate/index.ts';
import type { EvidenceSet } from '../../evaluation/evidence.ts';
import { observe } from '../../evaluation/observe/index.ts';
import { DEFAULT_FEATURES } from '../../evaluation/observe/observe-input.ts';
import { stabilize } from '../../evaluation/stabilize.ts';
import { verdictOf, type VerdictFields } from '../../evaluation/status.ts';
import {
  BOUND,
  contractOf,
  NAMESPACE,
  NOW,
  service,
  slice,
  viewOf,
  WINDOW_MS,
  workload,
} from '../evaluation/support.ts';
import { benchTable } from './bench-table.ts';

const SWEEP = 10_000;
const GOALS = { evaluateUs: 10, sweepCpuMs: 200 } as const;

const CONTRACT = contractOf(`interfaces: [{ name: api, type: openapi, ref: a.yaml }]
dependencies: [{ name: pay, ref: 'oci://r.example.com/pay', required: true, compatibility: 1.x }]
workload: service
state: { type: stateful, persistence: { scope: local, durability: persistent }, dataCriticality: low }
`);
const VIEW = viewOf({
  services: [service(), service({ name: 'pay' })],
  slices: [slice([true, true]), slice([true], { name: 'pay-1', service: 'pay' })],
  workloads: [
    workload('Deployment', {
      pod: {
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
        containers: [{ volumeMounts: [{ name: 'data' }] }],
      },
    }),
  ],
  others: [
    {
      kind: 'Pacto',
      metadata: { namespace: NAMESPACE, name: 'pay' },
      spec: { target: { serviceName: 'pay' } },
      status: {
        contract: { serviceName: 'pay', version: '1.0.0', resolvedRef: 'r.example.com/pay:1.0.0' },
      },
    },
  ],
});

function evidence(): EvidenceSet {
  const raw = observe({
    namespace: NAMESPACE,
    target: BOUND,
    contract: CONTRACT,
    view: VIEW,
    features: DEFAULT_FEATURES,
    now: NOW,
  });
  const streaks = { windows: [], now: NOW, windowMs: WINDOW_MS };
  return stabilize({ raw, ...streaks, identity: `${NAMESPACE}/app`, contractRef: '' }).evidence;
}

function pass(): VerdictFields {
  const seen = evidence();
  return verdictOf([], evaluate(CONTRACT, seen), seen);
}

/** Median of single calls in microseconds, once the code is compiled. */
function medianUs(work: () => unknown): number {
  for (let i = 0; i < 20_000; i++) work();
  const times = Array.from({ length: 20_000 }, () => {
    const started = performance.now();
    work();
    return (performance.now() - started) * 1000;
  });
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

/** Processor time in milliseconds, so that other programs of the machine do not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const { contractStatus } = pass();
if (contractStatus !== 'Compliant') throw new Error(`the service of the bench is ${contractStatus}`);
const seen = evidence();
const evaluateUs = medianUs(() => evaluate(CONTRACT, seen));
const passUs = medianUs(pass);
const sweepMs = cpuMs(() => {
  for (let i = 0; i < SWEEP; i++) pass();
});
const table = benchTable('', 'measured', 'goal', '');
const row = (what: string, value: number, unit: string, goal?: number): void => {
  const verdict = goal === undefined ? '' : value <= goal ? 'met' : 'missed';
  if (verdict === 'missed') process.exitCode = 1;
  table.push([what, `${value.toFixed(1)} ${unit}`, goal === undefined ? '' : `${goal} ${unit}`, verdict]);
};
row('judge evidence, p50', evaluateUs, 'µs', GOALS.evaluateUs);
row('observe, stabilize, judge and rank, p50', passUs, 'µs');
row(`sweep of ${SWEEP} passes, processor time`, sweepMs, 'ms', GOALS.sweepCpuMs);
process.stdout.write(`${table.toString()}\n`);
