// Starts what the benches of the operator measure, compiled: reading TypeScript takes memory that no product uses.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { anonymousKubeconfig } from './anonymous-kubeconfig.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type Figures = Readonly<Record<string, number>>;

/** A folder with the compiled programs and with kubeconfigs, gone with its scope. */
export class Workshop implements AsyncDisposable {
  readonly folder: string;
  #files = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<Workshop> {
    // Below the sources, where packages are found.
    const folder = await mkdtemp(`${root}node_modules/.bench-`);
    await build({
      absWorkingDir: root,
      entryPoints: {
        subject: 'test/bench/operator-start.ts',
        cluster: 'test/bench/operator-cluster.ts',
        // The thread for long checks is found beside the file that starts it.
        'check-worker': 'contract/check/check-worker.ts',
      },
      outdir: folder,
      bundle: true,
      splitting: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node24',
      outExtension: { '.js': '.js' },
      logLevel: 'warning',
    });
    await writeFile(`${folder}/package.json`, '{"type":"module"}');
    return new Workshop(folder);
  }

  /** A kubeconfig for a server without credentials. */
  async kubeconfig(server: { readonly url: string; readonly ca: string }): Promise<string> {
    this.#files += 1;
    const file = `${this.folder}/config-${this.#files}.json`;
    await writeFile(file, anonymousKubeconfig(server));
    return file;
  }

  start(program: 'subject' | 'cluster', words: readonly string[], env: NodeJS.ProcessEnv = {}): BenchProgram {
    return new BenchProgram([...FLAGS, `${this.folder}/${program}.js`, ...words], env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

const FLAGS = ['--expose-gc'] as const;

/** A process that speaks in lines of JSON; ends with its scope, and with this process. */
export class BenchProgram implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  /** `env` is set beside what this process has. */
  constructor(words: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, words, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    this.#child.stdin.on('error', () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** The next line it says. */
  async said<T = Figures>(): Promise<T> {
    const { done, value } = await this.#lines.next();
    if (done === true) throw new Error('a program of the bench ended early');
    return JSON.parse(value) as T;
  }

  /** What it answers to a command. */
  ask(command: string): Promise<Figures> {
    this.#child.stdin.write(`${command}\n`);
    return this.said();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.stdin.end();
    await closed;
  }
}

/** The middle one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
