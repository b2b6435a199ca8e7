// The seam between Kubernetes and HTTP: what a client needs of a connection, and the error when there is none.
import { ClusterConfigError } from './cluster-config.ts';

export type QueryValue = string | number | undefined;

export type TransportRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path without query, already percent-encoded. */
  readonly path: string;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborting ends the request and its body; the promise or the iteration rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Longest wait for the answer's headers, connecting and all tries included, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Called when the connection stands, right before the request is written, for each try; throws to forbid it. */
  readonly beforeSend?: () => void;
  /** Longest silence within the body, in milliseconds; 0 allows any. Default: `timeoutMs`. */
  readonly silenceMs?: number;
};

export type TransportResponse = {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Bytes as they come; leaving the iteration early ends the request. Rejects with {@link KubeConnectionError}. */
  readonly body: AsyncIterable<Uint8Array>;
};

export type Transport = {
  /** Whether a dead connection is noticed by itself (`pinged`) or only by its silence. */
  readonly liveness: 'pinged' | 'silent';
  /** Sends one request. Rejects with {@link KubeConnectionError} when no answer came. */
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Closes all connections; requests in flight fail. */
  close(): Promise<void>;
};

/** No (whole) answer: refused, reset, timed out, cut off, or the server's certificate is not trusted. */
export class KubeConnectionError extends Error {
  override readonly name = 'KubeConnectionError';
  readonly code = 'KUBE_CONNECTION_FAILED';
}

/** Whether no server was reached: there was no connection, or there were no credentials to ask with at the moment. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof KubeConnectionError || error instanceof ClusterConfigError;
}

/** Appends a query to a path; keys in the order given. */
export function withQuery(path: string, query?: Readonly<Record<string, QueryValue>>): string {
  if (query === undefined) return path;
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(key, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}
