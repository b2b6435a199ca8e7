// Pactos and clusters for operator tests, as a test states them; anything may be declared unreadable.
import type { PactoSpec, PactoStatus, WorkloadKind } from '../../api/pacto.ts';
import type {
  ClusterView,
  EndpointSliceView,
  Lookup,
  ServiceView,
  WorkloadView,
} from '../../evaluation/view.ts';
import type { PactoRecord } from '../../operator/cache/pacto-record.ts';
import { ContractChecker } from '../../contract/check/contract-checker.ts';
import { ContractLoader, type ContractOutcome } from '../../contract/loader/contract-loader.ts';
import { CredentialFolders } from '../../contract/registry/credential-folders.ts';
import { OrasClient } from '../../contract/registry/oras-client.ts';
import { systemClock } from '../../runtime/clock.ts';
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

export type Cluster = {
  readonly services?: readonly ServiceView[];
  readonly slices?: readonly EndpointSliceView[];
  readonly workloads?: readonly WorkloadView[];
  readonly unreadable?: readonly ('service' | 'endpointSlices' | 'workload')[];
};

const namespace = 'default';

export const SERVICE: ServiceView = {
  namespace,
  name: 'orders',
  type: 'ClusterIP',
  selector: { app: 'orders' },
  ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
};
export const DEPLOYMENT: WorkloadView = {
  kind: 'Deployment',
  namespace,
  name: 'orders',
  generation: 4,
  containerImages: ['registry.test/orders:1'],
  hasPVC: false,
  hasEmptyDir: false,
};
export const slice = (...ready: boolean[]): EndpointSliceView => ({
  namespace,
  name: 'orders-1',
  serviceName: 'orders',
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  endpoints: ready.map((r) => ({ ready: r })),
});
export const GOOD: Cluster = { services: [SERVICE], slices: [slice(true)], workloads: [DEPLOYMENT] };

export function view(cluster: Cluster): ClusterView {
  const { services = [], slices = [], workloads = [], unreadable = [] } = cluster;
  const look = <T>(what: keyof ClusterView, value: T | undefined): Lookup<T> => {
    if (unreadable.includes(what)) return { kind: 'unreadable', reason: `${what} may not be read (403)` };
    return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
  };
  return {
    service: (ns, name) =>
      look(
        'service',
        services.find((s) => s.namespace === ns && s.name === name),
      ),
    endpointSlices: (ns, name) =>
      look(
        'endpointSlices',
        slices.filter((s) => s.namespace === ns && s.serviceName === name),
      ),
    workload: (kind: WorkloadKind, ns, name) =>
      look(
        'workload',
        workloads.find((w) => w.kind === kind && w.namespace === ns && w.name === name),
      ),
  };
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
    settings: { windowMs: parts.windowMs ?? WINDOW_MS, nameMatchDiscovery: false },
    now: parts.now ?? NOW,
  });
}
