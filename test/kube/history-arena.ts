// What random histories share: one store, two API servers of which the second can fall behind, and what happens to them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeClient } from '../../kube/client.ts';
import type { ClusterConfig } from '../../kube/cluster-config.ts';
import { startCluster, type TestCluster } from '../cluster/cluster.ts';
import { CuttingProxy } from '../faults/cutting-proxy.ts';
import { NAMESPACE } from './history-world.ts';
import { insist } from './insist.ts';
import { compactNow } from './real-rig.ts';
import { CONFIG_MAP, projectConfigMap, type Rig, rigOf } from './rig.ts';
import { ServerPulse } from './server-pulse.ts';

/** What both API servers know everybody by who plays: each has an authority of its own. */
const TOKEN = 'of-all-who-play';

type Parts = {
  readonly clusters: readonly [TestCluster, TestCluster];
  /** Between the second API server and its store of ConfigMaps. */
  readonly link: CuttingProxy;
  /** PEM of both authorities. */
  readonly ca: string;
  readonly compaction: 'bites' | 'harmless';
};

export class Arena implements AsyncDisposable {
  /** How to reach both API servers, but for the address. */
  readonly access: ClusterConfig;
  readonly #parts: Parts;
  readonly #rigs: readonly [Rig, Rig];
  readonly #pulses: readonly [ServerPulse, ServerPulse];
  readonly #owned: AsyncDisposableStack;
  readonly #listeners = new Set<(what: string) => void>();
  #compacting: Promise<void> | undefined;
  /** When the second server may fall behind again, as `performance.now()`. */
  #lagsFrom = 0;

  private constructor(parts: Parts, owned: AsyncDisposableStack) {
    const config = (server: string): ClusterConfig => ({
      server,
      source: 'test',
      ca: { kind: 'inline', pem: parts.ca },
      tlsVerify: 'verify',
      auth: { kind: 'token', token: TOKEN },
    });
    const [first, second] = parts.clusters;
    this.#parts = parts;
    this.#owned = owned;
    this.access = config(first.server);
    this.#rigs = [owned.use(rigOf(config(first.server))), owned.use(rigOf(config(second.server)))];
    const pulse = ({ transport }: Rig): ServerPulse => owned.use(new ServerPulse(transport));
    this.#pulses = [pulse(this.#rigs[0]), pulse(this.#rigs[1])];
  }

  /** Without watch cache old versions are answered 410 once they are compacted away. */
  static async start(watchCache: 'with' | 'without'): Promise<Arena> {
    await using owned = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'pacto-gate-arena-'));
    owned.defer(() => rm(folder, { recursive: true }));
    const tokens = join(folder, 'tokens.csv');
    await writeFile(tokens, `${TOKEN},player,player,"system:masters"\n`);
    const flags = [
      `--token-auth-file=${tokens}`,
      ...(watchCache === 'without' ? ['--watch-cache=false'] : []),
    ];
    const first = owned.use(await startCluster({ parts: ['etcd', 'apiserver'], args: { apiserver: flags } }));
    const { hostname, port } = new URL(first.etcd);
    const link = owned.adopt(await CuttingProxy.start(hostname, Number(port)), (proxy) => proxy.close());
    const apiserver = [
      ...flags,
      // Beside the address of a store of its own, which was never started.
      `--etcd-servers=${first.etcd}`,
      // Only what histories read falls behind: a server that cannot reach its store at all is not ready.
      `--etcd-servers-overrides=/configmaps#http://127.0.0.1:${link.port}`,
    ];
    const second = owned.use(await startCluster({ parts: ['apiserver'], args: { apiserver } }));
    const ca = await Promise.all([first, second].map(({ pki }) => readFile(join(pki, 'ca.crt'), 'utf8')));
    const compaction = watchCache === 'without' ? 'bites' : 'harmless';
    return new Arena({ clusters: [first, second], link, ca: ca.join(''), compaction }, owned.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#owned.disposeAsync();
  }

  /** Direct client of the judge, to the server that does not fall behind. */
  get judge(): KubeClient {
    return this.#rigs[0].client;
  }

  /** Address of an API server, 0 or 1. */
  server(place: 0 | 1): { readonly hostname: string; readonly port: number } {
    const { hostname, port } = new URL(this.#parts.clusters[place].server);
    return { hostname, port: Number(port) };
  }

  /** Seconds in which that server was there for others: who waits for it in vain longer than it promised has no excuse. */
  beats(place: 0 | 1): number {
    return this.#pulses[place].beats;
  }

  /** Calls `listener` with what happens to all. Returns the way to unsubscribe. */
  onEvent(listener: (what: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Kills an API server and starts it again. */
  async restart(place: 0 | 1): Promise<void> {
    this.#tell(`server ${place} is killed`);
    await this.#parts.clusters[place].killPart('apiserver');
    await this.#parts.clusters[place].startPart('apiserver');
    this.#tell(`server ${place} is ready again`);
  }

  /**
   * For `ms` milliseconds the second server hears of no change, and answers from what it knows. Not while it is behind
   * already, nor so soon after that it would never catch up.
   */
  lag(ms: number): 'begun' | 'not now' {
    const now = performance.now();
    if (now < this.#lagsFrom) return 'not now';
    this.#lagsFrom = now + 2 * ms;
    this.#tell(`server 1 falls behind for ${Math.round(ms)} ms`);
    this.#parts.link.stallBusiest(ms);
    return 'begun';
  }

  /** Drops old versions where that is noticed. Histories that ask at the same time share one. */
  async compact(): Promise<void> {
    if (this.#parts.compaction === 'harmless') return;
    const { etcd } = this.#parts.clusters[0];
    this.#compacting ??= insist(this.judge, () => compactNow(etcd, this.judge)).finally(() => {
      this.#compacting = undefined;
    });
    await this.#compacting;
  }

  /** What each server answers from its cache, for who has to find out what went wrong. */
  async witness(labelSelector: string): Promise<readonly string[]> {
    return Promise.all(
      this.#rigs.map(async ({ client }, place) => {
        const complaints = this.#pulses[place]?.complaints.join('; ');
        try {
          const query = { namespace: NAMESPACE, labelSelector, resourceVersion: '0' };
          const { items, resourceVersion } = await client.listAll(CONFIG_MAP, query);
          const held = items.map(projectConfigMap).map(({ name, text }) => `${name}=${text}`);
          return `at ${resourceVersion}: ${held.join(' ')}; complained: ${complaints}`;
        } catch (error) {
          return `${String(error)}; complained: ${complaints}`;
        }
      }),
    );
  }

  #tell(what: string): void {
    for (const listener of this.#listeners) listener(what);
  }
}
