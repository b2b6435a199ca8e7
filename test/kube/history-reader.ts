// One process that reads in a random history: a client, an informer, and somebody who only listens to it.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { CacheChange } from '../../kube/cache.ts';
import type { ClusterConfig } from '../../kube/cluster-config.ts';
import type { CuttingProxy } from '../faults/cutting-proxy.ts';
import { RequestTrace } from './request-trace.ts';
import { VersionExpiry } from './version-expiry.ts';
import { type Projection, type Rig, rigOf, type Running, runInformer } from './rig.ts';

/**
 * What the runtime promises once the way is free, with room for a busy machine: a connection that is dead is noticed by pings
 * after 10 s or by its silence after 15 (HTTP/1.1), a watch that was taken up again and says nothing after 15, an answer whose
 * headers do not come after 30, and who failed often waits up to 30 s before the next try. Only seconds count in which the
 * server answers others: it may have to come back first, or have no processor.
 */
const LIMIT_SECONDS = 60;

export type ReaderOptions = {
  /** How to reach the API servers. */
  readonly config: ClusterConfig;
  readonly namespace: string;
  readonly label: string;
  readonly http2: 'prefer' | 'off';
  readonly lists: 'streamed' | 'paged';
};

export type Count = { readonly lists: number; readonly events: number };

export class Reader {
  readonly #rig: Rig;
  readonly #running: Running<Projection>;
  readonly #trace = new RequestTrace();
  readonly #expiry = new VersionExpiry();
  readonly #listener = new Listener();

  constructor({ config, namespace, label, http2, lists }: ReaderOptions, proxy: CuttingProxy) {
    const server = `https://127.0.0.1:${proxy.port}`;
    this.#rig = rigOf({ ...config, server }, { http2 }, (transport) =>
      this.#trace.over(this.#expiry.over(transport)),
    );
    this.#running = runInformer(this.#rig, { namespace, labelSelector: label, lists });
    this.#running.informer.subscribe((change) => this.#listener.hear(change));
  }

  /** The version it would go on from is gone. */
  expire(): void {
    this.#expiry.expire();
  }

  /** Waits until what is held is what is expected, and listeners know the same. `beats` counts seconds of the server. */
  async equals(
    expected: ReadonlyMap<string, string>,
    beats: () => number,
    signal: AbortSignal,
  ): Promise<void> {
    const { informer } = this.#running;
    const told = new Map([...expected].sort(byKey));
    const known = (): Map<string, string> => new Map([...this.#listener.alive].sort(byKey));
    const equal = (): boolean => {
      const list = informer.list();
      return list.kind === 'found' && same(list.value, expected) && isDeepStrictEqual(known(), told);
    };
    const wanted = [...told].map(([key, text]) => `${key}=${text}`).join(' ');
    await this.#until(equal, `the cache and who listens to it equal the server: ${wanted}`, beats, signal);
  }

  /** Woken by news, not by looking again and again: many readers share an event loop. */
  #until(condition: () => boolean, what: string, beats: () => number, signal: AbortSignal): Promise<void> {
    const { informer } = this.#running;
    const begun = beats();
    return new Promise((resolve, reject) => {
      const ends: (() => void)[] = [];
      const end = (outcome: () => void): void => {
        for (const stop of ends) stop();
        outcome();
      };
      const look = (): void => {
        if (condition()) end(resolve);
      };
      const late = (): void => {
        // A listener may be called in the middle of a new picture: a look at the end of it as well.
        if (condition()) end(resolve);
        else if (signal.aborted) end(() => reject(new Error('called off')));
        else if (beats() - begun > LIMIT_SECONDS)
          end(() => reject(new Error(`not within ${LIMIT_SECONDS} s of the server: ${what}`)));
      };
      const timer = setInterval(late, 250);
      ends.push(informer.subscribe(look), informer.onReadability(look), () => clearInterval(timer));
      look();
    });
  }

  /** What must hold at any time: nothing that was heard contradicts itself, and no list was needless. */
  async check(): Promise<Count> {
    assert.deepEqual(this.#listener.faults, []);
    const metrics = await this.#rig.metrics.render();
    const lists =
      counterValue(metrics, 'kube_reflector_lists_total') +
      counterValue(metrics, 'kube_reflector_streaming_lists_total');
    // One at the start, one for each version that is not served any more or that no watch goes on from, each again that was cut
    // before it was whole, and one for each silence: a server without watch cache has no bookmark to explain it by.
    const silences = this.#rig.log.lines.filter(({ fields }) => String(fields.error).endsWith('fell silent'));
    const allowed =
      1 +
      counterValue(metrics, 'kube_reflector_unfinished_lists_total') +
      counterValue(metrics, 'kube_reflector_failures_total', 'cause="gone"') +
      this.#rig.log.named('a watch is refused at its version, listing again').length +
      silences.length;
    assert.ok(lists <= allowed, `${lists} lists, ${allowed} allowed`);
    return { lists, events: counterValue(metrics, 'kube_reflector_events_total') };
  }

  async stop(): Promise<void> {
    await this.#running.stop();
    await this.#rig.transport.close();
  }

  /** For who has to find out what went wrong. */
  async state(): Promise<object> {
    const { informer } = this.#running;
    const held = informer.list();
    return {
      held: held.kind === 'found' ? held.value.map(({ name, text }) => `${name}=${text}`) : held,
      ageMs: Math.round(informer.ageMs()),
      requests: this.#trace.lines(),
      log: this.#rig.log.lines
        .slice(-12)
        .map(({ message, fields: { error } }) => [message, error instanceof Error ? error.message : '']),
      metrics: (await this.#rig.metrics.render())
        .split('\n')
        .filter((line) => /^kube_.*[1-9]\d*$/.test(line)),
    };
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
