// Tells on a stream how a long build is getting on: a line that renews itself on a terminal, a plain one now and then else.

const ON_TERMINAL_MS = 1_000;
const ELSEWHERE_MS = 15_000;
const CLEAR_LINE = '\r\u001B[2K';

/** What progress is written to; standard error fits. */
export type ProgressStream = {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
};

/** Progress of one build. Call `stop` at the end, also after a failure. */
export class BuildProgress {
  readonly #stream: ProgressStream;
  readonly #begin = Date.now();
  readonly #timer: NodeJS.Timeout;
  #phase = '';
  #done = 0;
  #total = 0;
  #now = '';

  constructor(stream: ProgressStream) {
    this.#stream = stream;
    this.#timer = setInterval(() => this.#show(), stream.isTTY ? ON_TERMINAL_MS : ELSEWHERE_MS);
    this.#timer.unref();
  }

  /** One sentence that stays. */
  say(text: string): void {
    this.#stream.write(`${this.#stream.isTTY ? CLEAR_LINE : ''}${text}\n`);
  }

  /** @param total number of steps of the phase, 0 when it is not known */
  phase(name: string, total = 0): void {
    this.#phase = name;
    this.#done = 0;
    this.#total = total;
    this.#now = '';
  }

  /** Counts one step, and names it. */
  step(name: string): void {
    this.#done += 1;
    this.#now = name;
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.#stream.isTTY) this.#stream.write(CLEAR_LINE);
  }

  #show(): void {
    if (this.#phase === '') return;
    const seconds = Math.round((Date.now() - this.#begin) / 1_000);
    const elapsed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const count = this.#total > 0 ? `${this.#done}/${this.#total}` : this.#done > 0 ? `${this.#done}` : '';
    const line = [elapsed, this.#phase, count, this.#now].filter((word) => word !== '').join(' ');
    this.#stream.write(
      this.#stream.isTTY ? `${CLEAR_LINE}${line.slice(0, (this.#stream.columns ?? 80) - 1)}` : `${line}\n`,
    );
  }
}
