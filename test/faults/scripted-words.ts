// The words of HTTP and of Kubernetes that a scripted API server reads and writes.
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

export type Seen = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** `1.1` or `2.0`. */
  readonly httpVersion: string;
  /** The client's port, which tells connections apart. */
  readonly clientPort: number | undefined;
};

export type Request = IncomingMessage | Http2ServerRequest;
/** What the responses of both HTTP versions have in common. */
export type Response = {
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(chunk: string | Uint8Array, sent?: () => void): boolean;
  end(chunk?: string): unknown;
  flushHeaders?(): void;
  on(event: 'close' | 'error', listener: () => void): unknown;
};

export function status({
  status,
  reason,
  message,
}: {
  status: number;
  reason: string;
  message: string;
}): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    code: status,
  };
}

export function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

export function bookmarkLine(revision: number, annotations?: Record<string, string>): string {
  return line('BOOKMARK', {
    metadata: { resourceVersion: String(revision), ...(annotations === undefined ? {} : { annotations }) },
  });
}

export function send(response: Response, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
