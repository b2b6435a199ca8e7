// The operator's memory: Pactos, and the objects their contracts speak about, each kept current by a watch.
import type { Lookup } from '../../api/lookup.ts';
import type { ClusterView } from '../../evaluation/view.ts';
import { objectKey } from '../../kube/object-meta.ts';
import { InformerGroup } from '../../kube/informer-group.ts';
import { ClusterInformers, type ClusterInformersOptions } from './cluster-informers.ts';
import { PactoInformer } from './pacto-informer.ts';
import { type PactoRecord, pactoKey } from './pacto-record.ts';
import { ReadYourWrites } from './read-your-writes.ts';
import { openPacto, type StoredPacto, storePacto } from './stored-pacto.ts';
import { type WakePacto, wakePactos } from './wake-pactos.ts';

export class OperatorCache {
  readonly #pactos: PactoInformer;
  readonly #cluster: ClusterInformers;
  readonly #writes = new ReadYourWrites<StoredPacto>();
  /** All of them together, for whoever runs the cache. */
  readonly informers: InformerGroup;
  /** Look-ups for evaluation. */
  readonly view: ClusterView;

  constructor(options: ClusterInformersOptions) {
    const { monitors: _monitors, agentNamespace: _agents, ...shared } = options;
    const pactos = new PactoInformer(shared);
    const cluster = new ClusterInformers(options);
    this.#pactos = pactos;
    this.#cluster = cluster;
    this.informers = new InformerGroup([pactos.informer, ...cluster.members()]);
    pactos.informer.subscribe((change) => {
      if (change.kind === 'deleted') this.#writes.forget(change.key);
      else this.#writes.saw(change.key, change.value.resourceVersion);
    });
    this.view = {
      service: (namespace, name) => cluster.services.lookup(objectKey(namespace, name)),
      endpointSlices: (namespace, service) => cluster.slicesOf(namespace, service),
      workload: (kind, namespace, name) => cluster.workload(kind, namespace, name),
      pactosOfRepository: (repository) => pactos.ofRepository(repository),
      pactosNamed: (service) => pactos.named(service),
      pactosOn: (namespace, service) => pactos.on(namespace, service),
      ingressesTo: (namespace, service) => cluster.ingressesTo(namespace, service),
      httpRoutesTo: (namespace, service) => cluster.routesTo(namespace, service),
      monitors: (kind, namespace) => cluster.monitorsIn(kind, namespace),
      pod: (namespace, name) => cluster.pod(namespace, name),
      podsMatching: (namespace, selector) => cluster.podsMatching(namespace, selector),
      jobsOwnedBy: (namespace, uid) => cluster.jobsOwnedBy(namespace, uid),
      servicesAt: (address) => cluster.servicesAt(address),
      endpointSlicesAt: (address) => cluster.slicesAt(address),
      nodeObservation: (node) => cluster.nodeObservation(node),
      lease: (node) => cluster.lease(node),
    };
  }

  /** One Pacto, our own last write included. */
  pacto(key: string): Lookup<PactoRecord> {
    const cached = this.#pactos.informer.lookup(key);
    if (cached.kind !== 'found') return cached;
    return { kind: 'found', value: openPacto(this.#writes.newest(key, cached.value)) };
  }

  /** Takes note of what a write of ours made of a Pacto, before the watch brings it. */
  wrote(replaced: PactoRecord, object: unknown): void {
    const key = pactoKey(replaced);
    const written = storePacto(object);
    const cached = this.#pactos.informer.lookup(key);
    // The watch may have been faster, or the Pacto may be gone.
    if (cached.kind === 'absent') return;
    if (cached.kind === 'found' && cached.value.resourceVersion === written.resourceVersion) return;
    this.#writes.wrote(key, replaced.resourceVersion, written);
  }

  /** The version of a ConfigMap; its content is not held. */
  configMapVersion(namespace: string, name: string): Lookup<string> {
    return this.#cluster.configMaps.lookup(objectKey(namespace, name));
  }

  /** Calls `wake` for every Pacto there is, and from then on for each that a change concerns. */
  subscribe(wake: WakePacto): () => void {
    const unsubscribe = [wakePactos(this.#pactos, this.#cluster, wake)];
    // What was concluded while a kind could not be read is looked at again once it can.
    for (const one of this.informers.members) {
      const cause = one.kind === this.#pactos.informer.kind ? 'own' : 'other';
      unsubscribe.push(
        one.onReadability((unreadable) => unreadable === undefined && this.#wakeAll(wake, cause)),
      );
    }
    this.#wakeAll(wake, 'own');
    return () => {
      for (const stop of unsubscribe) stop();
    };
  }

  /** Why Pactos cannot be read now; undefined when they can. */
  pactosUnreadable(): string | undefined {
    return this.#pactos.informer.unreadable()?.reason;
  }

  /** Whether the API server has no such kind as a Pacto. */
  pactosNotServed(): boolean {
    return this.#pactos.informer.unreadable()?.cause === 'notServed';
  }

  #wakeAll(wake: WakePacto, cause: 'own' | 'other'): void {
    for (const key of this.#pactos.informer.keys()) wake(key, cause);
  }
}
