// One GET to a service in the cluster: bounded in time and bytes, without credentials, redirects or TLS (evaluation.md 5.2).
import type { HttpAnswer, HttpInquiry } from '../../evaluation/observe/inquiry.ts';
import { get, type IncomingMessage } from '../../runtime/node-http.ts';
import { probeDeadline, type ProbeOptions } from './probe-deadline.ts';

const MAX_BODY_BYTES = 4_096;

/** Asks once. Resolves with `unanswered` for everything that is no head of an answer, an abort included. */
export function probeHttp(
  { host, port, path }: Pick<HttpInquiry, 'host' | 'port' | 'path'>,
  options: ProbeOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const chunks: Buffer[] = [];
    let head: { readonly status: number; readonly contentType: string } | undefined;
    let size = 0;
    const finish = (): void => {
      cancelDeadline();
      resolve(
        head === undefined
          ? { kind: 'unanswered' }
          : { kind: 'answered', ...head, text: Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_BYTES) },
      );
      ended.abort();
    };
    // Host, port and path go in separately: no declared path can change where the request goes.
    const request = get(
      { hostname: host, port, path, agent: false, signal: ended.signal, headers: { connection: 'close' } },
      (response) => {
        head = headOf(response);
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
    const cancelDeadline = probeDeadline(options, signal, finish);
    // A server that says nothing more than a 1xx has answered with it.
    request.on('information', ({ statusCode }) => (head = { status: statusCode, contentType: '' }));
    // Node would hand an upgrade to nobody.
    request.on('upgrade', (response, socket) => {
      head = headOf(response);
      socket.destroy();
      finish();
    });
    request.on('error', finish);
  });
}

function headOf({ statusCode = 0, headers }: IncomingMessage): {
  readonly status: number;
  readonly contentType: string;
} {
  return { status: statusCode, contentType: headers['content-type'] ?? '' };
}
