// A real cluster for tests, control plane and nodes: started, controlled part by part, and gone with who made it.
import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestClient } from './client.ts';
import { applyCrds } from './crds.ts';
import { Launcher, type NodeInfo, type Ready } from './launcher.ts';
import { choosePrograms, nodeNames, PARTS, type PartName } from './programs.ts';
import { packSandboxImage } from './workload-images.ts';

export type { NodeInfo } from './launcher.ts';
export type { PartName } from './programs.ts';

/** The CRDs of the project. */
const CRDS = fileURLToPath(new URL('../../deploy/crds/', import.meta.url));

const BEFORE_CRDS: readonly PartName[] = ['etcd', 'apiserver'];

/**
 * What a node sees of cgroups: `auto` what the machine has, `v1` no v2 beside v1, `v2` v2 alone (without limits where v1
 * holds the controllers).
 */
export type CgroupMode = 'auto' | 'v1' | 'v2';

export type ClusterOptions = {
  /**
   * What to start. Default: etcd, apiserver, controller-manager and scheduler, with nodes also the registry and every
   * node. The rest can follow by `startPart`.
   */
  readonly parts?: readonly PartName[];
  /** How many real nodes, `node-1` and `node-2`. They need root on Linux: ask `nodeLack` first. Default: 0. */
  readonly nodes?: 0 | 1 | 2;
  /** Cgroups of the nodes. Default: `auto`. */
  readonly cgroups?: CgroupMode;
  /**
   * How Services are reached at their cluster IPs inside the nodes: by kube-proxy in that mode, or not at all. Ask
   * `proxyLack` first. Default: `none`.
   */
  readonly proxy?: 'nftables' | 'none';
  /** Further flags by part, as in `{ apiserver: ['--watch-cache=false'] }`. A later flag wins. */
  readonly args?: Readonly<Partial<Record<PartName, readonly string[]>>>;
  /** Folder whose `*.yaml` files are the CRDs to have before any controller starts. Default: `deploy/crds`. */
  readonly crds?: string;
  /** Folder in which the cluster makes one of its own. Default: the system's for temporary files. */
  readonly parent?: string;
  /** Environment to find programs by. Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
};

/** What it takes to use a running control plane; all of it can be handed to another process. */
export type ClusterCoordinates = {
  /** `https://127.0.0.1:port`; stays the same when the API server is restarted. */
  readonly server: string;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Folder of keys and certificates: ca.crt, ca.key, apiserver.crt, apiserver.key (valid for 127.0.0.1), … */
  readonly pki: string;
  /** Folder for this cluster's files, with a log of each part; removed with the cluster. */
  readonly dir: string;
  /** `http://127.0.0.1:port`, whose JSON gateway compacts and counts. */
  readonly etcd: string;
  /** `127.0.0.1:port` of the registry that nodes know as `registry.test`; it answers only where there are nodes. */
  readonly registry: string;
};

/** Coordinates and a client: what most helpers need. */
export type ClusterAccess = ClusterCoordinates & {
  /** Client of the administrator. */
  readonly admin: TestClient;
};

/**
 * Starts a control plane on free ports of 127.0.0.1, and nodes in namespaces of their own, with CRDs in place before the controller manager starts, because its
 * garbage collector and namespace controller learn of later ones only after half a minute.
 * @throws ToolError when programs are missing and cannot be built; Error with the end of the log of a part that failed
 */
export async function startCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const {
    nodes = 0,
    cgroups = 'auto',
    proxy = 'none',
    args = {},
    crds = CRDS,
    parent = tmpdir(),
    env = process.env,
  } = options;
  const names = nodeNames(nodes);
  const withNodes: readonly PartName[] = nodes === 0 ? [] : ['registry', ...names];
  const { parts = [...PARTS, ...withNodes] } = options;
  const programs = await choosePrograms(env, nodes);
  const dir = await mkdtemp(join(parent, 'pacto-gate-cluster-'));
  const bin = join(dir, 'bin');
  await mkdir(bin);
  for (const [name, path] of Object.entries(programs.built)) await symlink(path, join(bin, name));
  if (nodes > 0) await packSandboxImage(bin);
  const first = parts.filter((part) => BEFORE_CRDS.includes(part));
  const words = ['--dir', dir, '--ephemeral', '--bin', bin, '--parts', first.join(',')];
  if (programs.assets !== undefined) words.push('--assets', programs.assets);
  if (nodes > 0) words.push('--nodes', String(nodes));
  for (const name of names) {
    words.push('--arg', `${name}=--cgroup=${cgroups}`, '--arg', `${name}=--proxy=${proxy}`);
  }
  for (const part of [...PARTS, ...withNodes]) {
    for (const flag of args[part] ?? []) words.push('--arg', `${part}=${flag}`);
  }
  const launcher = new Launcher(programs.launcher, words);
  try {
    const cluster = new TestCluster(launcher, await launcher.ready(), dir);
    if (first.includes('apiserver')) await applyCrds(cluster.admin, crds);
    for (const part of parts) {
      if (!first.includes(part)) await cluster.startPart(part);
    }
    return cluster;
  } catch (error) {
    await launcher.stop();
    throw error;
  }
}

/** A cluster that this process started. */
export class TestCluster implements ClusterAccess, AsyncDisposable {
  readonly server: string;
  readonly kubeconfig: string;
  readonly pki: string;
  readonly dir: string;
  readonly etcd: string;
  readonly registry: string;
  readonly admin: TestClient;
  readonly #launcher: Launcher;

  constructor(launcher: Launcher, ready: Ready, dir: string) {
    this.#launcher = launcher;
    this.server = ready.server;
    this.kubeconfig = ready.kubeconfig;
    this.pki = ready.pki;
    this.dir = dir;
    this.etcd = ready.etcd;
    this.registry = ready.registry;
    this.admin = TestClient.fromKubeconfig(ready.kubeconfig);
  }

  /** Process ids of the parts that run, and of the `launcher` that keeps them. */
  get pids(): Readonly<Record<string, number>> {
    const { pid, pids } = this.#launcher;
    return pid === undefined ? pids : { ...pids, launcher: pid };
  }

  /** The nodes that run. */
  get nodes(): readonly NodeInfo[] {
    return Object.values(this.#launcher.nodes);
  }

  /** All that another process needs. */
  get coordinates(): ClusterCoordinates {
    const { server, kubeconfig, pki, dir, etcd, registry } = this;
    return { server, kubeconfig, pki, dir, etcd, registry };
  }

  /** Starts a part that does not run; resolves when it is ready. */
  startPart(part: PartName): Promise<void> {
    return this.#launcher.command('start', part);
  }

  /** Ends a part by SIGTERM, after 2 s by SIGKILL. */
  stopPart(part: PartName): Promise<void> {
    return this.#launcher.command('stop', part);
  }

  /** Ends a part by SIGKILL. */
  killPart(part: PartName): Promise<void> {
    return this.#launcher.command('kill', part);
  }

  /** Freezes a part by SIGSTOP: its connections stay open and say nothing. */
  pausePart(part: PartName): Promise<void> {
    return this.#launcher.command('pause', part);
  }

  /** Lets a frozen part go on. */
  resumePart(part: PartName): Promise<void> {
    return this.#launcher.command('resume', part);
  }

  /** Ends everything and removes the folder. Safe to call again. */
  async stop(): Promise<void> {
    this.admin.close();
    await this.#launcher.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
