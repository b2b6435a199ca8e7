// Proof that a cache has read what was written: an object of each kind, written last, that shows in a look-up.
import { AGENT_LABELS, AGENT_NAMESPACE } from '../../api/names.ts';
import { WORKLOAD_KINDS } from '../../api/pacto.ts';
import type { Lookup } from '../../api/lookup.ts';
import type { OperatorCache } from '../../operator/cache/operator-cache.ts';
import { eventually } from '../kube/rig.ts';
import type { CacheRig, RawObject } from './cache-rig.ts';

type Mark = {
  readonly kind: string;
  readonly object: (name: string) => RawObject;
  readonly seen: (cache: OperatorCache, name: string) => Lookup<unknown>;
};

const namespace = 'marks';
const named = (name: string): RawObject => ({ metadata: { namespace, name } });
const ofAgent = (name: string): RawObject => ({
  metadata: { namespace: AGENT_NAMESPACE, name, labels: AGENT_LABELS },
  spec: { nodeName: name, holderIdentity: name },
});

const MARKS: readonly Mark[] = [
  { kind: 'Service', object: named, seen: ({ view }, name) => view.service(namespace, name) },
  {
    kind: 'EndpointSlice',
    object: (name) => ({ metadata: { namespace, name, labels: { 'kubernetes.io/service-name': name } } }),
    seen: ({ view }, name) => view.endpointSlices(namespace, name),
  },
  ...WORKLOAD_KINDS.map(
    (kind): Mark => ({ kind, object: named, seen: ({ view }, name) => view.workload(kind, namespace, name) }),
  ),
  {
    kind: 'Pacto',
    object: (name) => ({ ...named(name), spec: { target: { serviceName: name } } }),
    seen: ({ view }, name) => view.pactosOn(namespace, name),
  },
  {
    kind: 'Ingress',
    object: (name) => ({ ...named(name), spec: { defaultBackend: { service: { name } } } }),
    seen: ({ view }, name) => view.ingressesTo(namespace, name),
  },
  {
    kind: 'HTTPRoute',
    object: (name) => ({ ...named(name), spec: { rules: [{ backendRefs: [{ name }] }] } }),
    seen: ({ view }, name) => view.httpRoutesTo(namespace, name),
  },
  ...(['ServiceMonitor', 'PodMonitor'] as const).map(
    (kind): Mark => ({
      kind,
      object: (name) => ({ metadata: { namespace: name, name } }),
      seen: ({ view }, name) => view.monitors(kind, name),
    }),
  ),
  { kind: 'Pod', object: named, seen: ({ view }, name) => view.pod(namespace, name) },
  { kind: 'NodeRuntimeObservation', object: ofAgent, seen: ({ view }, name) => view.nodeObservation(name) },
  { kind: 'Lease', object: ofAgent, seen: ({ view }, name) => view.lease(name) },
  { kind: 'ConfigMap', object: named, seen: (cache, name) => cache.configMapVersion(namespace, name) },
];

let marks = 0;

/** Waits until the cache has all that was written before, of every kind but those that are not shown to it. */
export async function caughtUp({ cache, put }: CacheRig, unshown: readonly string[] = []): Promise<void> {
  marks += 1;
  const name = `mark-${marks}`;
  const shown = MARKS.filter(({ kind }) => !unshown.includes(kind));
  put(...shown.map(({ kind, object }) => ({ kind, ...object(name) })));
  for (const { kind, seen } of shown) {
    await eventually(() => isThere(seen(cache, name)), `the cache has read every ${kind}`);
  }
}

function isThere(found: Lookup<unknown>): boolean {
  return found.kind === 'found' && !(Array.isArray(found.value) && found.value.length === 0);
}
