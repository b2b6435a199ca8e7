// Answers promotion reviews: judges, counts, logs, and turns whatever goes wrong into an answer with the uid.
import { randomUUID } from 'node:crypto';
import type { GateView } from '../gate/gate-view.ts';
import type { CacheStaleAction } from '../gate/judge-policy.ts';
import { judgeWrite, type WriteAnswer } from '../gate/judge-write.ts';
import { admissionWarnings, harmless, refusal } from '../gate/message.ts';
import type { WallClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { parseReview, type Review, type ReviewAnswer } from './review.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export type PromotionHandlerOptions = {
  readonly view: GateView;
  readonly onCacheStale: CacheStaleAction;
  readonly wall: WallClock;
  readonly log: Logger;
  readonly metrics: WebhookMetrics;
};

/** What the server sends: a review, or a plain 400 for a body that holds no question to answer. */
export type HandlerAnswer =
  | { readonly kind: 'review'; readonly answer: ReviewAnswer }
  | { readonly kind: 'badRequest'; readonly why: string };

const AUDIT_LIMIT = 1024;

export class PromotionHandler {
  readonly #options: PromotionHandlerOptions;

  constructor(options: PromotionHandlerOptions) {
    this.#options = options;
  }

  /** Answers one request body. Never throws and never waits. */
  handle(body: Buffer): HandlerAnswer {
    const parsed = parseReview(body);
    if (parsed.kind === 'unreadable') {
      this.#options.metrics.unreadable();
      this.#options.log.warn('a review cannot be read', { reason: parsed.why, bytes: body.length });
      if (parsed.uid === undefined) return { kind: 'badRequest', why: parsed.why };
      return {
        kind: 'review',
        answer: refused(parsed.uid, `the gate cannot read this review: ${parsed.why}`),
      };
    }
    const { review } = parsed;
    try {
      return { kind: 'review', answer: this.#judge(review) };
    } catch (error) {
      this.#options.metrics.failed();
      this.#options.log.error('a review could not be judged', { uid: review.uid, error });
      const message =
        'the gate failed while judging this change; its log has the error under the uid of the review';
      return { kind: 'review', answer: refused(review.uid, message) };
    }
  }

  #judge(review: Review): ReviewAnswer {
    const { view, onCacheStale, wall, metrics } = this.#options;
    const answer = judgeWrite(review.write, { view, onCacheStale, now: new Date(wall.now()) });
    metrics.decided(answer);
    if (answer.movement === 'none') return { uid: review.uid, allowed: true };
    const decisionId = randomUUID();
    this.#record(review, answer, decisionId);
    return {
      uid: review.uid,
      allowed: answer.allowed,
      ...(answer.allowed
        ? {}
        : {
            message: `${refusal(answer)} [${decisionId}]`,
            reasons: answer.decision.reasons.map(harmlessReason),
          }),
      ...(answer.decision.retryAfterSeconds === undefined
        ? {}
        : { retryAfterSeconds: answer.decision.retryAfterSeconds }),
      warnings: admissionWarnings(answer),
      audit: auditAnnotations(answer, decisionId),
    };
  }

  #record(review: Review, answer: WriteAnswer, decisionId: string): void {
    const { namespace, name, kind } = review.write;
    this.#options.log.info('decided', {
      decisionId,
      kind,
      namespace,
      name,
      user: review.user,
      operation: review.dryRun ? 'dry-run' : review.write.operation,
      result: answer.decision.decision,
      code: [...new Set(answer.decision.reasons.map((r) => r.code))].join(','),
      reason: answer.allowed ? answer.movement : refusal(answer),
    });
  }
}

function harmlessReason<T extends { readonly message: string }>(reason: T): T {
  return { ...reason, message: harmless(reason.message) };
}

function refused(uid: string, message: string): ReviewAnswer {
  return { uid, allowed: false, message: harmless(message) };
}

/** What the API server's audit log keeps of the answer; values are cut, names are fixed. */
function auditAnnotations(answer: WriteAnswer, decisionId: string): Readonly<Record<string, string>> {
  const { decision, policies } = answer;
  const entries = {
    decision: decision.decision,
    'decision-id': decisionId,
    policies: policies.map((p) => `${p.policy}=${p.mode}:${p.decision.decision}`).join(','),
    pactos: decision.pactos.map((p) => `${p.namespace}/${p.name}`).join(','),
    reasons: [...new Set(decision.reasons.map((r) => r.code))].join(','),
  };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([key, value]) =>
      value === '' ? [] : [[key, value.slice(0, AUDIT_LIMIT)]],
    ),
  );
}
