// Stands in for the kubelets of a cluster without machines: drives the pods of its nodes as far as the API shows.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestClient } from './client.ts';
import type { ClusterAccess } from './cluster.ts';
import { at, conditionStatus, type KubeObject, listAt, textAt } from './kube-object.ts';
import { nowSeconds } from './now-seconds.ts';
import { isPodState, matchesPod, type PodSelector, type PodState, STATE_ANNOTATION } from './pod-state.ts';
import { createStubNode } from './stub-node.ts';
import { stubPodStatus } from './stub-pod-status.ts';

const RETRY_MS = 100;
/** From the range for benchmarks (RFC 2544): no host has such an address, and EndpointSlices refuse loopback ones. */
const POD_NET = '198.18';
const NODE_NET = '198.19.0';

export type StubKubeletOptions = {
  /** How many nodes to make. Default: 1. They are called `stub-1`, `stub-2`, … */
  readonly nodes?: number;
};

/** What tests ask of the stub, wherever it runs. */
export type PodDriver = {
  /** Names of its nodes. */
  readonly nodes: readonly string[];
  /** Makes another node that it drives the pods of. */
  addNode(name: string): Promise<void>;
  /**
   * Brings pods into a state, present and future ones; resolves when it is written to those present. The latest call that
   * fits a pod counts, before its annotation `test.pacto-gate/state`, before `ready`.
   */
  setPodState(selector: PodSelector, state: PodState): Promise<void>;
};

/**
 * Creates Ready nodes and drives every pod that is bound to one of them: a bound pod runs and is ready at once, a deleted
 * one goes at once. It survives outages of the API server. Run one for each cluster.
 */
export async function startStubKubelet(
  { admin }: Pick<ClusterAccess, 'admin'>,
  { nodes = 1 }: StubKubeletOptions = {},
): Promise<StubKubelet> {
  const kubelet = new StubKubelet(admin);
  for (let i = 1; i <= nodes; i += 1) await kubelet.addNode(`stub-${i}`);
  kubelet.start();
  return kubelet;
}

type Entry = {
  pod: KubeObject;
  readonly podIP: string;
  /** State and images last written, so that nothing is written twice. */
  written: string;
  /** The work in progress; undefined while there is none. */
  work: Promise<void> | undefined;
  /** Whether something changed since the work in progress looked. */
  dirty: boolean;
};

export class StubKubelet implements PodDriver, AsyncDisposable {
  readonly #admin: TestClient;
  readonly #nodes = new Map<string, string>();
  readonly #pods = new Map<string, Entry>();
  readonly #rules: { readonly selector: PodSelector; readonly state: PodState }[] = [];
  readonly #abort = new AbortController();
  #following: Promise<void> = Promise.resolve();
  #addresses = 0;

  constructor(admin: TestClient) {
    this.#admin = admin;
  }

  get nodes(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  async addNode(name: string): Promise<void> {
    const address = `${NODE_NET}.${this.#nodes.size + 1}`;
    this.#nodes.set(name, address);
    await createStubNode(this.#admin, name, address);
  }

  start(): void {
    this.#following = this.#follow(this.#abort.signal);
  }

  async setPodState(selector: PodSelector, state: PodState): Promise<void> {
    this.#rules.push({ selector, state });
    const meant = [...this.#pods.values()].filter(({ pod }) => matchesPod(selector, pod));
    await Promise.all(meant.map((entry) => this.#touch(entry)));
  }

  /** Ends all work. The nodes and pods stay as they are. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#following;
    for (const { work } of this.#pods.values()) await work;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Lists and watches, again and again: the list after a failure brings what was missed. */
  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const { code, body } = await this.#admin.list('/api/v1/pods');
        if (code === 200) {
          this.#replace(body.items);
          await this.#watchFrom(body.metadata?.resourceVersion, signal);
        }
      } catch {
        // The server is away: that is what some tests are about.
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Returns when a new list is needed. */
  async #watchFrom(from: string | undefined, signal: AbortSignal): Promise<void> {
    let resourceVersion = from;
    while (!signal.aborted) {
      const query = { resourceVersion, allowWatchBookmarks: true };
      for await (const event of this.#admin.watch('/api/v1/pods', query, signal)) {
        if (event.kind === 'refused' || event.type === 'ERROR') return;
        resourceVersion = event.object.metadata?.resourceVersion;
        if (event.type === 'BOOKMARK') continue;
        if (event.type === 'DELETED') this.#pods.delete(keyOf(event.object));
        else this.#see(event.object);
      }
    }
  }

  #replace(pods: readonly KubeObject[]): void {
    const present = new Set(pods.map(keyOf));
    for (const key of this.#pods.keys()) if (!present.has(key)) this.#pods.delete(key);
    for (const pod of pods) this.#see(pod);
  }

  #see(pod: KubeObject): void {
    if (!this.#nodes.has(textAt(pod, 'spec', 'nodeName'))) return;
    const key = keyOf(pod);
    let entry = this.#pods.get(key);
    if (entry === undefined) {
      entry = { pod, podIP: this.#addressFor(pod), written: '', work: undefined, dirty: false };
      this.#pods.set(key, entry);
    }
    entry.pod = pod;
    void this.#touch(entry);
  }

  /** Resolves when the pod is as it should be, or gone, or this stub has stopped. */
  #touch(entry: Entry): Promise<void> {
    entry.dirty = true;
    entry.work ??= this.#work(entry);
    return entry.work;
  }

  async #work(entry: Entry): Promise<void> {
    const { signal } = this.#abort;
    while (entry.dirty && !signal.aborted) {
      entry.dirty = false;
      const done = await this.#bringAbout(entry).catch(() => false);
      if (done || this.#pods.get(keyOf(entry.pod)) !== entry) continue;
      entry.dirty = true;
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
    entry.work = undefined; // in the same turn as the last look at `dirty`, so that nothing slips between
  }

  /** Whether the server took it. */
  async #bringAbout(entry: Entry): Promise<boolean> {
    const { pod, podIP } = entry;
    const { namespace, name, uid, deletionTimestamp } = pod.metadata ?? {};
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    if (deletionTimestamp !== undefined) {
      const { code } = await this.#admin.delete(path, {}, { gracePeriodSeconds: 0, preconditions: { uid } });
      return code < 300 || code === 404 || code === 409;
    }
    const phase = at(pod, 'status', 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') return true; // final
    const state = this.#stateOf(pod);
    const images = listAt(pod, 'spec', 'containers').map((container) => textAt(container, 'image'));
    const gates = listAt(pod, 'spec', 'readinessGates').map((gate) => {
      return String(conditionStatus(pod, textAt(gate, 'conditionType')));
    });
    const wanted = [state, ...images, ...gates].join(' ');
    if (entry.written === wanted) return true;
    const hostIP = this.#nodes.get(textAt(pod, 'spec', 'nodeName')) ?? '';
    const status = stubPodStatus({ pod, state, podIP, hostIP, now: nowSeconds() });
    const { code } = await this.#admin.mergePatch(`${path}/status`, { metadata: { uid }, status });
    if (code < 300) entry.written = wanted;
    return code < 300 || code === 404 || code === 409;
  }

  #stateOf(pod: KubeObject): PodState {
    const rule = this.#rules.findLast(({ selector }) => matchesPod(selector, pod));
    if (rule !== undefined) return rule.state;
    const asked = pod.metadata?.annotations?.[STATE_ANNOTATION];
    if (asked === undefined) return 'ready';
    return isPodState(asked) ? asked : 'pending';
  }

  #addressFor(pod: KubeObject): string {
    const given = textAt(pod, 'status', 'podIP');
    if (given !== '') return given;
    const used = new Set([...this.#pods.values()].map(({ podIP }) => podIP));
    for (;;) {
      this.#addresses = (this.#addresses % 65_000) + 1;
      const address = `${POD_NET}.${this.#addresses >> 8}.${this.#addresses & 255}`;
      if (!used.has(address)) return address;
    }
  }
}

/** By uid, since a StatefulSet makes pods of the same name again. */
const keyOf = ({ metadata }: KubeObject): string => metadata?.uid ?? '';
