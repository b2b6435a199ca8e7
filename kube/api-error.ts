// An API server's refusal: its Status object as a typed error. Bodies and headers are never part of it.
import { isRecord, numberAt, recordAt, stringAt } from './json.ts';

export type StatusCause = { readonly reason: string; readonly message: string; readonly field: string };

export type KubeApiErrorInit = {
  /** What was asked: `GET /api/v1/pods`. */
  readonly request: string;
  readonly status: number;
  /** Machine word of the Status, `NotFound`; made from the status code when the server gave none. */
  readonly reason: string;
  readonly message: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
};

const NO_STATUS = 'the server answered without a Status';

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** An answer with a status of 400 or above, or an ERROR event of a watch. */
export class KubeApiError extends Error {
  override readonly name = 'KubeApiError';
  readonly code = 'KUBE_API_ERROR';
  readonly request: string;
  readonly status: number;
  readonly reason: string;
  readonly causes: readonly StatusCause[];
  /** Seconds the server asks to wait, from the Retry-After header or the Status details. */
  readonly retryAfterSeconds: number | undefined;

  constructor(init: KubeApiErrorInit) {
    super(`${init.request}: ${init.message} (${init.status} ${init.reason})`);
    this.request = init.request;
    this.status = init.status;
    this.reason = init.reason;
    this.causes = init.causes ?? [];
    this.retryAfterSeconds = init.retryAfterSeconds;
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** The server has no such kind: it answers without a Status for an unknown group, and in these words for a kind. */
  get isNotServed(): boolean {
    return (
      this.status === 404 &&
      (this.message.includes(NO_STATUS) || this.message.includes('could not find the requested resource'))
    );
  }

  /** The object exists already, or it changed since it was read. */
  get isConflict(): boolean {
    return this.status === 409;
  }

  get isAlreadyExists(): boolean {
    return this.status === 409 && this.reason === 'AlreadyExists';
  }

  /** The asked version is no longer served. */
  get isGone(): boolean {
    return this.status === 410 || this.reason === 'Expired' || this.reason === 'Gone';
  }

  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  get isForbidden(): boolean {
    return this.status === 403;
  }

  /** The object breaks its schema or a rule of the server. */
  get isInvalid(): boolean {
    return this.status === 422 || this.status === 400;
  }

  get isTooManyRequests(): boolean {
    return this.status === 429;
  }

  /** The server has not caught up with the version that was asked for; a later one would do. */
  get isTooLargeResourceVersion(): boolean {
    return (
      this.status === 504 &&
      (this.causes.some((cause) => cause.reason === 'ResourceVersionTooLarge') ||
        this.message.includes('Too large resource version'))
    );
  }
}

/** Reads a Status object (or anything else a server sent with an error status) into an error. */
export function decodeStatus(
  request: string,
  status: number,
  body: unknown,
  retryAfter?: string,
): KubeApiError {
  const object = isRecord(body) && body['kind'] === 'Status' ? body : {};
  const code = numberAt(object, 'code') ?? status;
  const details = recordAt(object, 'details') ?? {};
  const causes = details['causes'];
  const seconds = parseRetryAfter(retryAfter) ?? numberAt(details, 'retryAfterSeconds');
  return new KubeApiError({
    request,
    status: code,
    reason: stringAt(object, 'reason') ?? REASONS[code] ?? 'Unknown',
    message: stringAt(object, 'message') ?? NO_STATUS,
    causes: Array.isArray(causes) ? causes.filter(isRecord).map(decodeCause) : [],
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  });
}

function decodeCause(cause: Readonly<Record<string, unknown>>): StatusCause {
  return {
    reason: stringAt(cause, 'reason') ?? '',
    message: stringAt(cause, 'message') ?? '',
    field: stringAt(cause, 'field') ?? '',
  };
}

/** API servers send whole seconds; a date, which proxies may send, is left alone: its meaning hangs on two clocks. */
function parseRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
