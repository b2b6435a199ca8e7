// Hands out the clusters of a test run to its test processes, over a socket; starts each when the first one asks for it.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ClusterCoordinates, NodeInfo, TestCluster } from './cluster.ts';
import { EquippedCluster } from './equipped-cluster.ts';
import { startNodeToShare } from './node-to-share.ts';
import type { PodSelector, PodState } from './pod-state.ts';

/** Environment variable with the path of the desk's socket; test processes inherit it from the test run. */
export const DESK_VARIABLE = 'PACTO_GATE_TEST_CLUSTER';

const FOLDER_PREFIX = 'pacto-gate-desk-';
const SOCKET = 'socket';

export type DeskRequest =
  | { readonly kind: 'join' }
  | { readonly kind: 'join-node' }
  | { readonly kind: 'add-node'; readonly name: string }
  | { readonly kind: 'set-pod-state'; readonly selector: PodSelector; readonly state: PodState };

export type DeskReply = {
  readonly coordinates: ClusterCoordinates;
  /** Names of the nodes. */
  readonly nodes: readonly string[];
  /** Of the cluster with a real node. */
  readonly realNodes: readonly NodeInfo[];
};

type Envelope =
  | { readonly kind: 'ok'; readonly reply: DeskReply }
  | { readonly kind: 'error'; readonly message: string };

/**
 * One request to the desk at the socket `path`.
 * @throws Error with the desk's words, also when the cluster cannot be started
 */
export async function askDesk(path: string, request: DeskRequest): Promise<DeskReply> {
  const socket = connect(path);
  socket.setEncoding('utf8');
  socket.end(`${JSON.stringify(request)}\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  const answer = JSON.parse(text) as Envelope;
  if (answer.kind === 'error') throw new Error(`the shared cluster says: ${answer.message}`);
  return answer.reply;
}

/**
 * Ends this process when the desk is gone, which happens in the middle of tests only when the run was killed. The
 * connection that watches for it does not keep the process alive.
 */
export function endWithDesk(path: string): void {
  const socket = connect(path);
  socket.unref();
  socket.on('error', () => {}); // followed by close
  socket.on('close', () => {
    process.stderr.write('the test run is gone, and so this test process ends\n');
    process.exit(1);
  });
}

/** The clusters of one test run, for as long as the run lasts: one with a stub kubelet, one with a real node. */
export class ClusterDesk {
  readonly #server: Server;
  readonly #folder: string;
  #running: Promise<EquippedCluster> | undefined;
  #withNode: Promise<TestCluster> | undefined;

  private constructor(server: Server, folder: string) {
    this.#server = server;
    this.#folder = folder;
  }

  static async open(): Promise<ClusterDesk> {
    await removeOrphans();
    const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
    const server = createServer({ allowHalfOpen: true });
    const desk = new ClusterDesk(server, folder);
    server.on('connection', (socket) => void desk.#serve(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(desk.path, resolve);
    });
    server.unref(); // the run ends when its tests do
    return desk;
  }

  /** Path of the socket, the value of the variable. */
  get path(): string {
    return join(this.#folder, SOCKET);
  }

  /** Ends the clusters that any test asked for. */
  async close(): Promise<void> {
    this.#server.close();
    for (const starting of [this.#running, this.#withNode]) {
      const running = await starting?.catch(() => undefined);
      await running?.stop();
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #serve(socket: Socket): Promise<void> {
    socket.on('error', () => {}); // a test process that died asks no more
    for await (const line of createInterface({ input: socket })) {
      socket.end(JSON.stringify(await this.#answer(line)));
    }
  }

  async #answer(line: string): Promise<Envelope> {
    try {
      const request = JSON.parse(line) as DeskRequest; // half of one, when its test process was killed
      if (request.kind === 'join-node') return { kind: 'ok', reply: await this.#joinNode() };
      this.#running ??= EquippedCluster.start();
      const { kubelet, coordinates } = await this.#running;
      if (request.kind === 'add-node') await kubelet.addNode(request.name);
      if (request.kind === 'set-pod-state') await kubelet.setPodState(request.selector, request.state);
      return { kind: 'ok', reply: { coordinates, nodes: kubelet.nodes, realNodes: [] } };
    } catch (error) {
      return { kind: 'error', message: error instanceof Error ? error.message : String(error) };
    }
  }

  async #joinNode(): Promise<DeskReply> {
    this.#withNode ??= startNodeToShare();
    const { coordinates, nodes } = await this.#withNode;
    return { coordinates, nodes: nodes.map(({ name }) => name), realNodes: nodes };
  }
}

/** Removes the folders of runs that were killed: nobody listens there any more. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const socket = connect(join(folder, SOCKET));
    const code = await new Promise<string | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    socket.destroy();
    // Not ENOENT: a run that is about to listen has its folder already.
    if (code === 'ECONNREFUSED') await rm(folder, { recursive: true, force: true });
  }
}
