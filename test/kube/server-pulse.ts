// Feels the pulse of an API server once a second: how long it has been there for others, and what it said when it was not.
import { setTimeout as delay } from 'node:timers/promises';
import type { Transport } from '../../kube/transport.ts';

const EVERY_MS = 1_000;
/** A server that takes longer for an answer is too busy for others as well. */
const PROMPT_MS = 1_000;
const KEPT = 5;

export class ServerPulse implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #beating: Promise<void>;
  readonly #complaints: string[] = [];
  #beats = 0;

  constructor(transport: Transport) {
    this.#beating = this.#run(transport);
  }

  /** Seconds in which the server answered at once that it is ready. */
  get beats(): number {
    return this.#beats;
  }

  /** What it said last when it was not ready. */
  get complaints(): readonly string[] {
    return this.#complaints;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#beating;
  }

  async #run(transport: Transport): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const asked = performance.now();
      const answer = await ask(transport, signal).catch((error: unknown) => String(error));
      const tookMs = performance.now() - asked;
      if (answer === 'ok' && tookMs <= PROMPT_MS) this.#beats += 1;
      else this.#complaints.push(`${answer} after ${Math.round(tookMs)} ms`);
      if (this.#complaints.length > KEPT) this.#complaints.shift();
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** `ok`, or the checks that failed. */
async function ask(transport: Transport, signal: AbortSignal): Promise<string> {
  const { body } = await transport.request({ method: 'GET', path: '/readyz', signal, timeoutMs: 5_000 });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString('utf8').split('\n');
  return lines.length === 1 ? (lines[0] ?? '') : lines.filter((line) => line.startsWith('[-]')).join(' ');
}
