// The operator's memory: Pactos, and the objects their contracts speak about, each kept current by a watch.
import type { Lookup } from '../../api/lookup.ts';
import { WORKLOAD_KINDS, type WorkloadKind } from '../../api/pacto.ts';
import type { ClusterView, EndpointSliceView, ServiceView, WorkloadView } from '../../evaluation/view.ts';
import { Informer, type InformerOptions } from '../../kube/informer.ts';
import { InformerGroup } from '../../kube/informer-group.ts';
import { ENDPOINT_SLICES, PACTOS, SERVICES, WORKLOADS } from '../resources.ts';
import { type PactoRecord, pactoKey, pactoRecord, targetNames } from './pacto-record.ts';
import { endpointSliceView, serviceView, workloadView } from './projections.ts';
import { ReadYourWrites } from './read-your-writes.ts';

type Shared = Pick<
  InformerOptions<unknown>,
  'client' | 'clock' | 'log' | 'metrics' | 'namespace' | 'maxAgeMs'
>;

const BY_SERVICE = 'service';
const BY_TARGET = 'target';

/** Who is told that a Pacto should be looked at. `own`: it changed itself; `other`: something it speaks about did. */
export type WakePacto = (key: string, cause: 'own' | 'other') => void;

export class OperatorCache {
  readonly #pactos: Informer<PactoRecord>;
  readonly #services: Informer<ServiceView>;
  readonly #slices: Informer<EndpointSliceView>;
  readonly #workloads: ReadonlyMap<WorkloadKind, Informer<WorkloadView>>;
  readonly #writes = new ReadYourWrites<PactoRecord>();
  /** All of them together, for whoever runs the cache. */
  readonly informers: InformerGroup;
  /** Look-ups for evaluation. */
  readonly view: ClusterView;

  constructor(shared: Shared) {
    this.#pactos = new Informer({
      ...shared,
      type: PACTOS,
      project: pactoRecord,
      indexes: {
        [BY_TARGET]: (pacto) => targetNames(pacto.spec).map((name) => `${pacto.namespace}/${name}`),
      },
    });
    this.#services = new Informer({ ...shared, type: SERVICES, project: serviceView });
    this.#slices = new Informer({
      ...shared,
      type: ENDPOINT_SLICES,
      project: endpointSliceView,
      indexes: {
        [BY_SERVICE]: (slice) =>
          slice.serviceName === '' ? [] : [`${slice.namespace}/${slice.serviceName}`],
      },
    });
    this.#workloads = new Map(
      WORKLOAD_KINDS.map((kind) => [
        kind,
        new Informer({ ...shared, type: WORKLOADS[kind], project: workloadView(kind) }),
      ]),
    );
    this.informers = new InformerGroup([
      this.#pactos,
      this.#services,
      this.#slices,
      ...this.#workloads.values(),
    ]);
    this.view = {
      service: (namespace, name) => this.#services.lookup(`${namespace}/${name}`),
      endpointSlices: (namespace, service) => this.#slices.byIndex(BY_SERVICE, `${namespace}/${service}`),
      workload: (kind, namespace, name) =>
        this.#workloads.get(kind)?.lookup(`${namespace}/${name}`) ?? {
          kind: 'unreadable',
          reason: `${kind} is not watched`,
        },
    };
  }

  /** One Pacto, our own last write included. */
  pacto(key: string): Lookup<PactoRecord> {
    const cached = this.#pactos.lookup(key);
    if (cached.kind !== 'found') {
      if (cached.kind === 'absent') this.#writes.forget(key);
      return cached;
    }
    return { kind: 'found', value: this.#writes.newest(key, cached.value) };
  }

  /** Takes note of a write of ours that the watch has not brought yet. */
  wrote(replaced: PactoRecord, object: PactoRecord): void {
    this.#writes.wrote(pactoKey(replaced), replaced.resourceVersion, object);
  }

  /** Calls `wake` for every Pacto there is, and from then on for each that a change concerns. */
  subscribe(wake: WakePacto): () => void {
    const unsubscribe = [
      this.#pactos.subscribe((change) => {
        // A write that only moved the status is ours; answering it with a pass would never end (controller D1).
        if (change.kind === 'updated' && change.value.fingerprint === change.previous.fingerprint) return;
        wake(change.key, 'own');
      }),
      this.#services.subscribe((change) => this.#wakeTargets(change.key, wake)),
      this.#slices.subscribe((change) => {
        const services = [
          ...('value' in change ? [change.value] : []),
          ...('previous' in change ? [change.previous] : []),
        ].map((slice) => `${slice.namespace}/${slice.serviceName}`);
        for (const service of new Set(services)) this.#wakeTargets(service, wake);
      }),
      ...[...this.#workloads.values()].map((workloads) =>
        workloads.subscribe((change) => this.#wakeTargets(change.key, wake)),
      ),
    ];
    // What was concluded while a kind could not be read is looked at again once it can.
    for (const one of this.informers.members) {
      const cause = one.kind === this.#pactos.kind ? 'own' : 'other';
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
    return this.#pactos.unreadable()?.reason;
  }

  /** Whether the API server has no such kind as a Pacto. */
  pactosNotServed(): boolean {
    return this.#pactos.unreadable()?.cause === 'notServed';
  }

  #wakeAll(wake: WakePacto, cause: 'own' | 'other'): void {
    const present = this.#pactos.list();
    if (present.kind === 'found') for (const pacto of present.value) wake(pactoKey(pacto), cause);
  }

  #wakeTargets(key: string, wake: WakePacto): void {
    const concerned = this.#pactos.byIndex(BY_TARGET, key);
    // Nothing is lost while Pactos cannot be read: all are looked at again when they can.
    if (concerned.kind !== 'found') return;
    for (const pacto of concerned.value) wake(pactoKey(pacto), 'other');
  }
}
