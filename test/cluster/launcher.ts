// The process that runs a control plane, seen from here: commands go in, one answer to each comes out.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** One line of the launcher: `ready` and `done` answer, `failed` refuses, `exited` comes unasked. */
type Message = {
  readonly event: 'ready' | 'done' | 'failed' | 'exited';
  readonly message?: string;
  readonly part?: string;
  readonly status?: string;
  readonly pids?: Readonly<Record<string, number>>;
  readonly nodes?: NodeInfos;
  readonly [field: string]: unknown;
};

/** A running node, as it tells about itself. */
export type NodeInfo = {
  readonly name: string;
  /** Address of the node on its network. */
  readonly ip: string;
  /** Address of this machine on the node's network: pods reach the machine there. */
  readonly hostIP: string;
  /** The /24 of the pods. */
  readonly subnet: string;
  /** First process in the node's namespaces, as this machine counts. */
  readonly pid: number;
  /** The machine's end of the cable to the node. */
  readonly link: string;
  /** Whether the node sees cgroup v2 alone. */
  readonly cgroup2Only: boolean;
  /** The node's folder in each cgroup hierarchy of the machine; `options` is empty for cgroup v2. */
  readonly cgroups: readonly { readonly mount: string; readonly options: string; readonly folder: string }[];
};

type NodeInfos = Readonly<Record<string, NodeInfo>>;

/** Where a control plane is, as its launcher tells it. */
export type Ready = {
  /** Address of the registry, whether or not it runs yet. */
  readonly registry: string;
  readonly kubeconfig: string;
  readonly server: string;
  readonly etcd: string;
  readonly pki: string;
  /** Milliseconds from the launcher's start until each part was ready. */
  readonly millis: Readonly<Record<string, number>>;
};

/**
 * Owns one launcher process. It keeps this process alive only while an answer is awaited: a test that forgets its cluster
 * ends all the same, and the cluster with it, since the launcher ends when its input does.
 */
export class Launcher {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting: PromiseWithResolvers<Message>[] = [];
  readonly #gone = Promise.withResolvers<void>();
  readonly #errors: string[] = [];
  #pids: Readonly<Record<string, number>> = {};
  #nodes: NodeInfos = {};
  #ended: Error | undefined;

  constructor(program: string, args: readonly string[]) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.once('error', (cause) => this.#end(new Error(`cannot start ${program}`, { cause })));
    this.#child.once('close', (code, signal) => {
      this.#end(new Error(`${program} ended (${signal ?? `status ${code}`}) ${this.#errors.join('\n')}`));
    });
    this.#child.stdin.on('error', () => {}); // a launcher that is gone is noticed by its end
    createInterface({ input: this.#child.stderr }).on('line', (line) => this.#errors.push(line));
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#hear(JSON.parse(line) as Message);
    });
  }

  /** Process id of the launcher. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Process ids of the parts that run, by their names. */
  get pids(): Readonly<Record<string, number>> {
    return this.#pids;
  }

  /** The nodes that run, by their names. */
  get nodes(): NodeInfos {
    return this.#nodes;
  }

  /** Resolves when the parts it was started with are ready. Call once, first. */
  async ready(): Promise<Ready> {
    return (await this.#answer()) as unknown as Ready;
  }

  /** @throws Error with the launcher's words when it cannot do that */
  async command(verb: 'start' | 'stop' | 'kill' | 'pause' | 'resume', part: string): Promise<void> {
    const answer = this.#answer();
    this.#child.stdin.write(`${verb} ${part}\n`);
    await answer;
  }

  /** Ends it and all it started; resolves when they are gone. */
  async stop(): Promise<void> {
    if (this.#ended) return;
    this.#hold('ref');
    this.#child.stdin.end();
    await this.#gone.promise;
  }

  #answer(): Promise<Message> {
    if (this.#ended) return Promise.reject(this.#ended);
    const waiting = Promise.withResolvers<Message>();
    this.#waiting.push(waiting);
    this.#hold('ref');
    return waiting.promise;
  }

  #hear(message: Message): void {
    if (message.pids) this.#pids = message.pids;
    if (message.nodes) this.#nodes = message.nodes;
    if (message.event === 'exited') return;
    const waiting = this.#waiting.shift();
    if (message.event === 'failed') waiting?.reject(new Error(message.message));
    else waiting?.resolve(message);
    if (this.#waiting.length === 0) this.#hold('unref');
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#pids = {};
    this.#nodes = {};
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
    this.#gone.resolve();
  }

  #hold(how: 'ref' | 'unref'): void {
    this.#child[how]();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
      if (stream instanceof Socket) stream[how]();
    }
  }
}
