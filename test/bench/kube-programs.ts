// The programs that the bench of kube/ compares, each a process of its own that speaks in lines of JSON.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ensureTool } from '../tools/build.ts';

export type ProgramName = 'kube/' | 'client-node' | 'controller-runtime';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function command(name: ProgramName): Promise<readonly string[]> {
  if (name === 'controller-runtime') return [await ensureTool('ctrlcache')];
  const subject = name === 'kube/' ? 'kube-subject.ts' : 'client-node-subject.ts';
  return [process.execPath, '--expose-gc', here(subject)];
}

/** One that runs. What it says is kept until somebody asks for it. */
export class Program implements AsyncDisposable {
  readonly name: ProgramName;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #said: Record<string, unknown>[] = [];
  readonly #waiting = new Set<() => void>();
  #ended: string | undefined;

  private constructor(name: ProgramName, child: ChildProcessByStdio<Writable, Readable, null>) {
    this.name = name;
    this.#child = child;
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#said.push(JSON.parse(line) as Record<string, unknown>);
      this.#wake();
    });
    child.once('close', (code, signal) => {
      this.#ended = signal ?? `code ${code}`;
      this.#wake();
    });
  }

  /** Starts one with a scenario, a kubeconfig and a server in place of the kubeconfig's. */
  static async start(name: ProgramName, ...words: readonly string[]): Promise<Program> {
    const [file = '', ...args] = await command(name);
    return new Program(name, spawn(file, [...args, ...words], { stdio: ['pipe', 'pipe', 'inherit'] }));
  }

  /** The first number it says under this name from now on, or has said and nobody asked for. Rejects when it ends without. */
  async number(key: string): Promise<number> {
    const line = await this.#line((said) => typeof said[key] === 'number');
    return line[key] as number;
  }

  /** All it says in its only line. */
  async result(): Promise<Readonly<Record<string, number>>> {
    return (await this.#line(() => true)) as Record<string, number>;
  }

  /** Waits until its caches hold `text`. */
  async saw(text: string): Promise<void> {
    await this.#line((said) => said['saw'] === text);
  }

  /** Milliseconds of processor time it has used. */
  async cpuMs(): Promise<number> {
    this.#child.stdin.write('cpu\n');
    return this.number('cpuMs');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    this.#child.kill();
    if (this.#ended === undefined) await once(this.#child, 'close');
  }

  async #line(wanted: (said: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const place = this.#said.findIndex(wanted);
      const [line] = place === -1 ? [] : this.#said.splice(0, place + 1).slice(-1);
      if (line !== undefined) return line;
      if (this.#ended !== undefined)
        throw new Error(
          `the program of ${this.name} ended with ${this.#ended} and had not said what was waited for`,
        );
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
