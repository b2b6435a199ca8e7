// AdmissionReview v1 on the wire: bytes in, a write and its uid out; an answer in, a review out.
import * as read from '../api/read.ts';
import type { Reason } from '../gate/reasons.ts';
import type { Write } from '../gate/write.ts';

/** One admission request with what only the wire knows. */
export type Review = {
  readonly uid: string;
  readonly write: Write;
  readonly user: string;
  readonly dryRun: boolean;
};

export type ParsedReview =
  | { readonly kind: 'review'; readonly review: Review }
  /** `uid` is there when one could be read, so that the API server still gets an answer to its question. */
  | { readonly kind: 'unreadable'; readonly uid?: string; readonly why: string };

const API_VERSION = 'admission.k8s.io/v1';

/** Reads a request body. Never throws. */
export function parseReview(body: Buffer): ParsedReview {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    return { kind: 'unreadable', why: 'the body is not JSON' };
  }
  const request = read.object(parsed, 'request');
  const uid = read.string(request, 'uid');
  if (
    read.string(parsed, 'kind') !== 'AdmissionReview' ||
    read.string(parsed, 'apiVersion') !== API_VERSION
  ) {
    return {
      kind: 'unreadable',
      ...(uid === undefined ? {} : { uid }),
      why: `the body is no AdmissionReview of ${API_VERSION}`,
    };
  }
  if (uid === undefined) return { kind: 'unreadable', why: 'the review has no request with a uid' };
  const kind = read.object(request, 'kind');
  return {
    kind: 'review',
    review: {
      uid,
      user: read.string(read.object(request, 'userInfo'), 'username') ?? '',
      dryRun: read.boolean(request, 'dryRun'),
      write: {
        operation: read.string(request, 'operation') ?? '',
        group: read.string(kind, 'group') ?? '',
        kind: read.string(kind, 'kind') ?? '',
        subresource: read.string(request, 'subResource') ?? '',
        namespace: read.string(request, 'namespace') ?? '',
        name: read.string(request, 'name') ?? '',
        object: read.object(request, 'object'),
        oldObject: read.object(request, 'oldObject'),
      },
    },
  };
}

export type ReviewAnswer = {
  readonly uid: string;
  readonly allowed: boolean;
  /** Only on a refusal: one line. */
  readonly message?: string;
  readonly reasons?: readonly Reason[];
  readonly retryAfterSeconds?: number;
  readonly warnings?: readonly string[];
  readonly audit?: Readonly<Record<string, string>>;
};

/**
 * The review that answers one. A refusal is 403 Forbidden, never 409 or 422: Flux with force enabled deletes and
 * recreates an object on those (gate 3.3).
 */
export function reviewBody(answer: ReviewAnswer): object {
  const { uid, allowed, message = '', reasons = [], retryAfterSeconds, warnings = [], audit = {} } = answer;
  const causes = reasons.map((reason) => ({
    reason: reason.code,
    ...(reason.subject === undefined ? {} : { field: reason.subject }),
    message: reason.message,
  }));
  const details = { causes, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  return {
    apiVersion: API_VERSION,
    kind: 'AdmissionReview',
    response: {
      uid,
      allowed,
      ...(allowed ? {} : { status: { status: 'Failure', code: 403, reason: 'Forbidden', message, details } }),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(Object.keys(audit).length === 0 ? {} : { auditAnnotations: audit }),
    },
  };
}
