// What the webhook counts: decisions, reviews that could not be read or judged, time per review, cache age.
import { METRIC_PREFIX } from '../api/names.ts';
import { OUTCOMES } from '../gate/decision.ts';
import type { WriteAnswer } from '../gate/judge-write.ts';
import type { Counter, Histogram, Metrics } from '../runtime/metrics.ts';

const MOVEMENTS = ['none', 'rollback', 'promotion'] as const;

export class WebhookMetrics {
  readonly #decisions: Counter<'surface' | 'movement' | 'decision'>;
  readonly #policies: Counter<'policy' | 'mode' | 'decision'>;
  readonly #reasons: Counter<'surface' | 'code'>;
  readonly #errors: Counter<'cause'>;
  readonly #seconds: Histogram<'surface'>;

  constructor(metrics: Metrics) {
    this.#decisions = metrics.counter({
      name: `${METRIC_PREFIX}decisions_total`,
      help: 'Answers given, by surface, what the write does, and decision.',
      labels: ['surface', 'movement', 'decision'],
      zero: MOVEMENTS.flatMap((movement) =>
        OUTCOMES.map((decision) => ({ surface: 'webhook', movement, decision })),
      ),
    });
    this.#policies = metrics.counter({
      name: `${METRIC_PREFIX}policy_decisions_total`,
      help: 'What each policy answered, whatever its mode; in Warn and Audit a deny or hold would have blocked.',
      labels: ['policy', 'mode', 'decision'],
    });
    this.#reasons = metrics.counter({
      name: `${METRIC_PREFIX}reasons_total`,
      help: 'Reasons given for answers, by surface and code.',
      labels: ['surface', 'code'],
    });
    this.#errors = metrics.counter({
      name: `${METRIC_PREFIX}review_errors_total`,
      help: 'Reviews that could not be read, or failed while being judged.',
      labels: ['cause'],
      zero: [{ cause: 'unreadable' }, { cause: 'failed' }],
    });
    this.#seconds = metrics.histogram({
      name: `${METRIC_PREFIX}decision_seconds`,
      help: 'Time from the whole request body to the answer.',
      labels: ['surface'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5],
      zero: [{ surface: 'webhook' }],
    });
  }

  decided(answer: WriteAnswer): void {
    const surface = 'webhook';
    this.#decisions.inc({ surface, movement: answer.movement, decision: answer.decision.decision });
    for (const { policy, mode, decision } of answer.policies) {
      this.#policies.inc({ policy, mode, decision: decision.decision });
    }
    for (const reason of answer.decision.reasons) this.#reasons.inc({ surface, code: reason.code });
  }

  unreadable(): void {
    this.#errors.inc({ cause: 'unreadable' });
  }

  failed(): void {
    this.#errors.inc({ cause: 'failed' });
  }

  took(milliseconds: number): void {
    this.#seconds.observe({ surface: 'webhook' }, milliseconds / 1000);
  }
}
