// A random history against a real API server: writes, deletes, cuts, stalls, outages and compactions, and what must hold.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { CacheChange } from '../../kube/cache.ts';
import { KubeApiError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { CuttingProxy } from '../faults/cutting-proxy.ts';
import { compactNow, realRig } from './real-rig.ts';
import { CONFIG_MAP, eventually, type Projection, projectConfigMap, runInformer } from './rig.ts';

/** The API server a history runs against. */
export type Arena = {
  readonly kubeconfig: string;
  readonly server: string;
  readonly etcd: string;
  /** Whether a compaction makes old versions unservable (no watch cache). */
  readonly compaction: 'bites' | 'harmless';
  /** Direct client of the judge. */
  readonly judge: KubeClient;
};

export type HistoryReport = {
  readonly steps: readonly string[];
  readonly lists: number;
  readonly events: number;
};

const KEYS = 6;
const NAMESPACE = 'default';

/** A small seeded generator (mulberry32): the same seed gives the same history. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs the history of `seed` and checks it; an assertion that fails names the seed and the steps. */
export async function runHistory(arena: Arena, seed: number, signal: AbortSignal): Promise<HistoryReport> {
  const random = seeded(seed);
  const { hostname, port } = new URL(arena.server);
  const proxy = await CuttingProxy.start(hostname, Number(port));
  const label = `history=h${seed}`;
  const r = await realRig(arena.kubeconfig, { server: `https://127.0.0.1:${proxy.port}`, pingMs: 150 });
  const running = runInformer(r, { namespace: NAMESPACE, labelSelector: label });
  const { informer } = running;
  const world = new World(arena, seed);
  const listener = new Listener();
  informer.subscribe((change) => listener.hear(change));
  const steps: string[] = [];
  let expected: ReadonlyMap<string, string> = new Map();
  try {
    const count = 5 + Math.floor(random() * 20);
    for (let i = 0; i < count; i += 1) {
      steps.push(await oneStep(random, world, proxy));
    }
    proxy.pass();
    proxy.cutSwallowed();
    await informer.whenSettled(signal);
    expected = await world.present(label);
    await eventually(() => {
      const list = informer.list();
      return list.kind === 'found' && same(list.value, expected);
    }, 'the cache equals the server');
    assert.deepEqual(
      new Map([...listener.alive].sort(byKey)),
      new Map([...expected].sort(byKey)),
      'listeners know the same',
    );
    assert.deepEqual(listener.faults, []);
    const metrics = await r.metrics.render();
    const lists =
      counterValue(metrics, 'kube_reflector_lists_total') +
      counterValue(metrics, 'kube_reflector_streaming_lists_total');
    const events = counterValue(metrics, 'kube_reflector_events_total');
    // One at the start, one for each version that was compacted away, and each again that was cut before it was whole.
    const allowed =
      1 +
      counterValue(metrics, 'kube_reflector_unfinished_lists_total') +
      counterValue(metrics, 'kube_reflector_failures_total', 'cause="gone"');
    assert.ok(lists <= allowed, `${lists} lists, ${allowed} allowed`);
    return { steps, lists, events };
  } catch (error) {
    const held = informer.list();
    const state = {
      held: held.kind === 'found' ? held.value.map(({ name, text }) => `${name}=${text}`) : held,
      ageMs: Math.round(informer.ageMs()),
      log: r.log.lines
        .slice(-12)
        .map(({ message, fields: { error } }) => [message, error instanceof Error ? error.message : '']),
      metrics: (await r.metrics.render()).split('\n').filter((line) => /^kube_.*[1-9]\d*$/.test(line)),
      expected: [...expected].map(([key, text]) => `${key}=${text}`),
      open: proxy.open,
    };
    throw new Error(`history ${seed} failed after: ${steps.join(', ')}\n${JSON.stringify(state, null, 1)}`, {
      cause: error,
    });
  } finally {
    await running.stop();
    await r.transport.close();
    await proxy.close();
    await world.clear(label);
  }
}

async function oneStep(random: () => number, world: World, proxy: CuttingProxy): Promise<string> {
  const key = Math.floor(random() * KEYS);
  const dice = random();
  if (dice < 0.4) return world.write(key);
  if (dice < 0.55) return world.delete(key);
  if (dice < 0.65) {
    await delay(random() * 20);
    return 'wait';
  }
  if (dice < 0.72) {
    proxy.cut();
    return 'cut';
  }
  if (dice < 0.75) {
    proxy.garble();
    return 'garble';
  }
  if (dice < 0.82) {
    proxy.stall(random() * 60);
    return 'stall';
  }
  if (dice < 0.88) {
    proxy.swallow();
    return 'swallow';
  }
  if (dice < 0.93) {
    proxy.refuse();
    return 'refuse';
  }
  if (dice < 0.97) {
    proxy.pass();
    return 'pass';
  }
  await world.compact();
  return 'compact';
}

/** The server's side: what was written, and the counter that shows an object going back in time. */
class World {
  readonly #arena: Arena;
  readonly #seed: number;
  #writes = 0;

  constructor(arena: Arena, seed: number) {
    this.#arena = arena;
    this.#seed = seed;
  }

  async write(key: number): Promise<string> {
    this.#writes += 1;
    const name = `h${this.#seed}-${key}`;
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: NAMESPACE, labels: { history: `h${this.#seed}` } },
      data: { text: String(this.#writes) },
    };
    await this.#arena.judge.apply(CONFIG_MAP, { namespace: NAMESPACE, name }, object, {
      fieldManager: 'judge',
    });
    return `write ${key}`;
  }

  async delete(key: number): Promise<string> {
    try {
      await this.#arena.judge.delete(CONFIG_MAP, { namespace: NAMESPACE, name: `h${this.#seed}-${key}` });
    } catch (error) {
      if (!(error instanceof KubeApiError && error.isNotFound)) throw error;
    }
    return `delete ${key}`;
  }

  async compact(): Promise<void> {
    if (this.#arena.compaction === 'harmless') return;
    await compactNow(this.#arena.etcd, this.#arena.judge);
  }

  async present(label: string): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.#arena.judge.listAll(CONFIG_MAP, {
      namespace: NAMESPACE,
      labelSelector: label,
    });
    return new Map(
      items.map(projectConfigMap).map(({ namespace, name, text }) => [`${namespace}/${name}`, text]),
    );
  }

  async clear(label: string): Promise<void> {
    for (const key of (await this.present(label)).keys()) {
      const name = key.split('/')[1] ?? '';
      await this.#arena.judge.delete(CONFIG_MAP, { namespace: NAMESPACE, name });
    }
  }
}

/** What somebody knows who only listens, and every contradiction in what was heard. */
class Listener {
  readonly alive = new Map<string, string>();
  readonly faults: string[] = [];
  readonly #newest = new Map<string, number>();

  hear(change: CacheChange<Projection>): void {
    const { kind, key } = change;
    const known = this.alive.get(key);
    if (kind === 'added' && known !== undefined) this.faults.push(`${key} was added twice`);
    if (kind !== 'added' && known === undefined) this.faults.push(`${key} was ${kind} but never added`);
    if (kind !== 'added' && known !== change.previous.text)
      this.faults.push(`${key} had another state before`);
    if (kind === 'deleted') {
      this.alive.delete(key);
      return;
    }
    const counter = Number(change.value.text);
    if (counter < (this.#newest.get(key) ?? 0)) this.faults.push(`${key} went back in time`);
    this.#newest.set(key, counter);
    this.alive.set(key, change.value.text);
  }
}

function same(held: readonly Projection[], expected: ReadonlyMap<string, string>): boolean {
  return (
    held.length === expected.size &&
    held.every(({ namespace, name, text }) => expected.get(`${namespace}/${name}`) === text)
  );
}

function byKey([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : 1;
}

function counterValue(metrics: string, name: string, label = ''): number {
  return Number(new RegExp(`^${name}\\{[^}]*${label}\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
}
