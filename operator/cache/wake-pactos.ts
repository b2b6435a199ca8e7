// From a change of any object to the Pactos it concerns, through indexes and never by listing (controller.md 2.2, D13).
import { isDeepStrictEqual } from 'node:util';
import type { CacheChange } from '../../kube/cache.ts';
import { objectKey, splitKey } from '../../kube/object-meta.ts';
import { type ClusterInformers, type PodRecord, routedByRoute, routedServices } from './cluster-informers.ts';
import { nodeChange } from './node-changes.ts';
import type { PactoInformer } from './pacto-informer.ts';
import { pactoKey } from './pacto-record.ts';
import type { StoredPacto } from './stored-pacto.ts';

/** Who is told that a Pacto should be looked at. `own`: it changed itself; `other`: something it speaks about did. */
export type WakePacto = (key: string, cause: 'own' | 'other') => void;

/** Subscribes `wake` to every change that concerns some Pacto; returns the way to unsubscribe. */
export function wakePactos(pactos: PactoInformer, cluster: ClusterInformers, wake: WakePacto): () => void {
  const others = (found: readonly StoredPacto[]): void => {
    for (const pacto of found) wake(pactoKey(pacto), 'other');
  };
  const aimingAt = (key: string): void => {
    const { namespace, name } = splitKey(key);
    others(pactos.aiming(namespace, name));
  };
  /** Those whose target it is, and those that depend on whom it serves. */
  const service = (key: string): void => {
    aimingAt(key);
    for (const served of pactos.servedBy(key)) others(pactos.dependingOn(served));
  };
  const pod = (record: PodRecord): void => {
    const { namespace, name } = record;
    const slices = cluster.slicesWithPod(namespace, name);
    if (slices.kind === 'found') {
      // Whose target it is, and not who depends on that one: only its own node's word about a pod is new.
      for (const { serviceName } of slices.value) aimingAt(objectKey(namespace, serviceName));
    }
    for (const owner of ownersOf(cluster, record)) others(pactos.aiming(namespace, owner));
  };
  const subscriptions = [
    pactos.informer.subscribe((change) => {
      wakeDependents(pactos, change, others);
      // A write that only moved the status is ours; answering it with a pass would never end (controller.md D1).
      if (change.kind === 'updated' && change.value.fingerprint === change.previous.fingerprint) return;
      wake(change.key, 'own');
    }),
    cluster.services.subscribe(({ key }) => service(key)),
    cluster.slices.subscribe((change) =>
      each(
        sides(change).map(({ namespace, serviceName }) => objectKey(namespace, serviceName)),
        service,
      ),
    ),
    ...[...cluster.workloads.values()].map((workloads) => workloads.subscribe(({ key }) => aimingAt(key))),
    cluster.ingresses.subscribe((change) => each(sides(change).flatMap(routedServices), aimingAt)),
    cluster.routes.subscribe((change) => each(sides(change).flatMap(routedByRoute), aimingAt)),
    cluster.configMaps.subscribe(({ key }) => others(pactos.bindingConfigMap(key))),
    cluster.pods?.subscribe((change) => {
      for (const record of sides(change)) pod(record);
    }),
    cluster.observations?.subscribe((change) => {
      const [before, after] = [
        'previous' in change ? change.previous.view : undefined,
        'value' in change ? change.value.view : undefined,
      ];
      const changed = nodeChange(before, after);
      // Most observations bring a heartbeat and no more.
      if (changed.kind === 'pods' && changed.uids.size === 0) return;
      for (const record of cluster.podsOnNode(splitKey(change.key).name))
        if (changed.kind === 'node' || changed.uids.has(record.nodeUid)) pod(record);
    }),
  ];
  return () => {
    for (const unsubscribe of subscriptions) unsubscribe?.();
  };
}

/** A provider that came, went, or shows another contract or Service. */
function wakeDependents(
  pactos: PactoInformer,
  change: CacheChange<StoredPacto>,
  others: (found: readonly StoredPacto[]) => void,
): void {
  if (change.kind === 'updated' && isDeepStrictEqual(change.previous.provider, change.value.provider)) return;
  const dependents = sides(change).flatMap((side) => pactos.dependingOn(side));
  others([...new Map(dependents.map((pacto) => [pactoKey(pacto), pacto])).values()]);
}

/** Names of what owns a pod: its controller, and that one's own owners of a kind a Pacto can name. */
function ownersOf(cluster: ClusterInformers, { namespace, owner }: PodRecord): readonly string[] {
  if (owner === undefined) return [];
  const { kind, name } = owner;
  if (kind !== 'ReplicaSet' && kind !== 'Job') return [name];
  const held = cluster.workload(kind, namespace, name);
  return [name, ...(held.kind === 'found' ? held.value.ownerNames : [])];
}

function each(keys: readonly string[], wakeBy: (key: string) => void): void {
  for (const key of new Set(keys)) wakeBy(key);
}

function sides<T>(change: CacheChange<T>): readonly T[] {
  return [...('previous' in change ? [change.previous] : []), ...('value' in change ? [change.value] : [])];
}
