// One GET to a service in the cluster: bounded in time and bytes, without credentials, redirects or TLS (evaluation.md 5.2).
import { get } from 'node:http';
import type { HttpAnswer, HttpInquiry } from '../../evaluation/observe/inquiry.ts';
import type { Timers } from '../../runtime/clock.ts';

export type ProbeOptions = {
  readonly timers: Timers;
  /** Whole time of one probe in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
};

export const PROBE_TIMEOUT_MS = 5_000;
const MAX_BODY_BYTES = 4_096;

/** Asks once. Resolves with `unanswered` for everything that is no complete head of an answer, an abort included. */
export function probeHttp(
  { host, port, path }: Pick<HttpInquiry, 'host' | 'port' | 'path'>,
  { timers, timeoutMs = PROBE_TIMEOUT_MS }: ProbeOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const chunks: Buffer[] = [];
    let head: { readonly status: number; readonly contentType: string } | undefined;
    let size = 0;
    const finish = (): void => {
      cancelDeadline();
      signal.removeEventListener('abort', finish);
      resolve(
        head === undefined
          ? { kind: 'unanswered' }
          : { kind: 'answered', ...head, text: Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_BYTES) },
      );
      ended.abort();
    };
    const cancelDeadline = timers.after(timeoutMs > 0 ? timeoutMs : PROBE_TIMEOUT_MS, finish);
    signal.addEventListener('abort', finish, { once: true });
    // Host, port and path go in separately: no declared path can change where the request goes.
    const request = get(
      { hostname: host, port, path, agent: false, signal: ended.signal, headers: { connection: 'close' } },
      (response) => {
        const { statusCode = 0, headers } = response;
        head = { status: statusCode, contentType: headers['content-type'] ?? '' };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= MAX_BODY_BYTES) finish();
        });
        response.on('end', finish);
        response.on('error', finish);
        response.on('close', finish);
      },
    );
    // A 1xx is no answer to wait for the rest of; an upgrade is an answer that Node would hand to nobody.
    request.on('upgrade', (response, socket) => {
      head = { status: response.statusCode ?? 0, contentType: '' };
      socket.destroy();
      finish();
    });
    request.on('error', finish);
  });
}
