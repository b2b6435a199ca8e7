// Pactos and clusters for operator tests, as a test states them; anything may be declared unreadable.
import type { PactoSpec, PactoStatus } from '../../api/pacto.ts';
import { DEFAULT_FEATURES } from '../../evaluation/observe/observe-input.ts';
import type { ClusterView } from '../../evaluation/view.ts';
import type { PactoRecord } from '../../operator/cache/pacto-record.ts';
import { ContractChecker } from '../../contract/check/contract-checker.ts';
import { ContractLoader, type ContractOutcome } from '../../contract/loader/contract-loader.ts';
import { CredentialFolders } from '../../contract/registry/credential-folders.ts';
import { OrasClient } from '../../contract/registry/oras-client.ts';
import { systemClock } from '../../runtime/clock.ts';
import { viewWithGaps } from '../evaluation/view-with-gaps.ts';
import { judgePacto, type JudgedPacto } from '../../operator/controllers/pacto/judge-pacto.ts';

export const NOW = Date.parse('2026-11-30T12:00:00Z');
export const WINDOW_MS = 120_000;

export const CONTRACT = `pactoVersion: "2.0"
service: { name: orders, version: 1.0.0 }
interfaces: [{ name: http, type: openapi, ref: api.yaml }]
workload: service
`;

export const SPEC: PactoSpec = {
  contractRef: { inline: CONTRACT },
  target: {
    serviceName: 'orders',
    workloadRef: { name: 'orders', kind: 'Deployment' },
    interfaceBindings: [{ interface: 'http', servicePort: 'http' }],
  },
};

type RawObject = Readonly<Record<string, unknown>>;

export type Cluster = {
  readonly services?: readonly RawObject[];
  readonly slices?: readonly RawObject[];
  readonly workloads?: readonly RawObject[];
  /** Kinds that cannot be read. */
  readonly unreadable?: readonly string[];
};

const namespace = 'default';

export const SERVICE: RawObject = {
  kind: 'Service',
  metadata: { namespace, name: 'orders' },
  spec: {
    selector: { app: 'orders' },
    ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
  },
};
export const DEPLOYMENT: RawObject = {
  kind: 'Deployment',
  metadata: { namespace, name: 'orders', generation: 4 },
  spec: { template: { spec: { containers: [{ image: 'registry.test/orders:1' }] } } },
};
export const slice = (...ready: boolean[]): RawObject => ({
  kind: 'EndpointSlice',
  metadata: { namespace, name: 'orders-1', labels: { 'kubernetes.io/service-name': 'orders' } },
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints: ready.map((flag) => ({ conditions: { ready: flag } })),
});
export const GOOD: Cluster = { services: [SERVICE], slices: [slice(true)], workloads: [DEPLOYMENT] };

export function view({ services, slices, workloads, unreadable }: Cluster): ClusterView {
  return viewWithGaps(
    [services, slices, workloads].flatMap((list) => list ?? []),
    unreadable,
  );
}

export type PassParts = {
  readonly spec?: Partial<PactoSpec>;
  readonly status?: PactoStatus;
  readonly generation?: number;
  readonly now?: number;
  readonly windowMs?: number;
};

export function pactoOf(parts: PassParts = {}): PactoRecord {
  return {
    namespace,
    name: 'orders',
    uid: 'uid-1',
    resourceVersion: '1',
    generation: parts.generation ?? 1,
    fingerprint: '',
    spec: { ...SPEC, ...parts.spec },
    status: parts.status ?? {},
  };
}

/** A loader whose oras does not exist: every registry is out of reach. */
export function loader(): ContractLoader {
  const { timers, monotonic } = systemClock;
  const oras = new OrasClient({
    program: '/nonexistent/oras',
    env: {},
    folders: new CredentialFolders(),
    timers,
  });
  return new ContractLoader({
    oras,
    checker: new ContractChecker({ timers }),
    sources: [{ kind: 'anonymous' }],
    clock: monotonic,
    timers,
  });
}

/** One pass over a Pacto of these parts in this cluster, its contract really loaded. */
export async function pass(cluster: Cluster, parts: PassParts = {}): Promise<JudgedPacto> {
  const { contractRef, overrides } = pactoOf(parts).spec;
  const source = { ...contractRef, overrides: overrides?.configurations ?? [] };
  return judge(await loader().load(source, new AbortController().signal), cluster, parts);
}

/** One pass with what became of loading the contract given. */
export function judge(contract: ContractOutcome, cluster: Cluster, parts: PassParts = {}): JudgedPacto {
  return judgePacto({
    pacto: pactoOf(parts),
    view: view(cluster),
    contract,
    settings: { windowMs: parts.windowMs ?? WINDOW_MS, features: DEFAULT_FEATURES },
    now: parts.now ?? NOW,
  });
}
