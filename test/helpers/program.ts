// Starts pacto-gate as a process of its own and reads what it says.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Finished, finished } from './finished.ts';

const TETHERED = fileURLToPath(new URL('tethered.ts', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** Longest wait for a line; generous, since a loaded machine is no failure. */
const LINE_DEADLINE_MS = 60_000;

export type LogLine = Readonly<Record<string, unknown>> & { readonly message?: string };

export type ProgramOptions = {
  /** Beside PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /** File with the program's `main`. Default: the sources. */
  readonly entry?: string;
  /** Words of a command that runs the rest of its words, as `nice` does. Default: none. */
  readonly through?: readonly string[];
};

/** A running program; ends with this process, whatever happens to that. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: LogLine[] = [];
  readonly #text: string[] = [];
  readonly #waiting = new Set<() => void>();
  /** Exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
  #end: number | string | undefined;

  constructor(words: readonly string[], options: ProgramOptions = {}) {
    this.#child = start(words, options);
    for (const input of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input }).on('line', (line) => this.#take(line));
    }
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => {
        this.#end = code ?? signal ?? 'unknown';
        resolve(this.#end);
        this.#wake();
      });
    });
    this.ended.catch(() => undefined);
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Log lines so far. */
  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Everything it wrote so far. */
  get text(): string {
    return this.#text.join('\n');
  }

  /**
   * The first log line that `matches`, also one that was written before. Rejects with everything the program wrote when
   * it ends without one.
   */
  async line(what: string, matches: (line: LogLine) => boolean): Promise<LogLine> {
    const deadline = performance.now() + LINE_DEADLINE_MS;
    for (;;) {
      const found = this.#lines.find(matches);
      if (found !== undefined) return found;
      if (this.#end !== undefined) throw new Error(`ended (${this.#end}) before ${what}:\n${this.text}`);
      const left = deadline - performance.now();
      if (left <= 0)
        throw new Error(`waited ${LINE_DEADLINE_MS / 1000} s for ${what}; it wrote:\n${this.text}`);
      await this.#change(left);
    }
  }

  /** Resolves at the next line or at the end, at the latest after `ms`. */
  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** The port an `address` of `:1234` names in the first line with this message. */
  async port(message: string): Promise<number> {
    const { address } = await this.line(message, (line) => line.message === message);
    return Number(String(address).split(':').at(-1));
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Asks it to stop and waits for the end. */
  async stop(): Promise<number | string> {
    if (this.#end === undefined) this.#child.kill('SIGTERM');
    return this.ended;
  }

  /** Ends it at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.kill('SIGKILL');
    await this.ended;
  }

  #take(line: string): void {
    this.#text.push(line);
    const parsed = line.startsWith('{') ? parse(line) : undefined;
    if (parsed !== undefined) this.#lines.push(parsed);
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}

function parse(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

/** Runs a command to its end. */
export function runProgram(words: readonly string[], options: ProgramOptions = {}): Promise<Finished> {
  return finished(start(words, options));
}

function start(
  words: readonly string[],
  { env = {}, entry = SOURCES, through = [] }: ProgramOptions,
): ChildProcessWithoutNullStreams {
  const { PATH = '', HOME = '' } = process.env;
  const [command = '', ...rest] = [...through, process.execPath, TETHERED, entry, ...words];
  return spawn(command, rest, { env: { PATH, HOME, ...env } });
}
