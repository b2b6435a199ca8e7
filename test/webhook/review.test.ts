// AdmissionReviews on the wire: what is read, and that every question gets an answer with its uid.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PromotionHandler } from '../../webhook/promotion-handler.ts';
import { parseReview, reviewBody } from '../../webhook/review.ts';
import { WebhookMetrics } from '../../webhook/webhook-metrics.ts';
import { wallTime } from '../../runtime/clock.ts';
import { Metrics } from '../../runtime/metrics.ts';
import { type MemoryContents, memoryView } from '../gate/memory-view.ts';
import { NOW, pactoObject } from '../gate/pactos.ts';
import { CapturedLog } from '../helpers/captured-log.ts';
import { deploymentReview, POLICY } from './reviews.ts';

function handler(
  contents: MemoryContents = {},
  view = memoryView(contents),
): {
  handler: PromotionHandler;
  log: CapturedLog;
  metrics: Metrics;
} {
  const log = new CapturedLog();
  const metrics = new Metrics();
  const wall = { now: () => wallTime(NOW.getTime()) };
  const options = {
    view,
    onCacheStale: 'Hold' as const,
    wall,
    log,
    metrics: new WebhookMetrics(metrics),
  };
  return { handler: new PromotionHandler(options), log, metrics };
}

type Response = {
  uid: string;
  allowed: boolean;
  status?: {
    code: number;
    reason: string;
    message: string;
    details: { causes: { reason: string; message: string }[]; retryAfterSeconds?: number };
  };
  warnings?: string[];
  auditAnnotations?: Record<string, string>;
};

function answer(contents: MemoryContents, body: unknown): Response {
  const result = handler(contents).handler.handle(Buffer.from(JSON.stringify(body)));
  assert.equal(result.kind, 'review');
  const review = reviewBody(result.kind === 'review' ? result.answer : { uid: '', allowed: false }) as {
    response: Response;
  };
  return review.response;
}

const BROKEN: MemoryContents = {
  policies: [POLICY],
  pactos: [
    pactoObject({
      status: {
        contractStatus: 'NonCompliant',
        findings: [
          {
            code: 'WORKLOAD_MISMATCH',
            severity: 'error',
            category: 'RuntimeDrift',
            subject: 'service/api',
            message: 'declared service, is job',
          },
        ],
      },
    }),
  ],
};

test('gate/3.3 a refusal is 403 Forbidden with causes, one line, and the uid', () => {
  const response = answer(BROKEN, deploymentReview({ uid: 'u-1', image: 'registry.test/api:2' }));
  assert.equal(response.uid, 'u-1');
  assert.equal(response.allowed, false);
  assert.equal(response.status?.code, 403);
  assert.equal(response.status?.reason, 'Forbidden');
  assert.match(
    response.status?.message ?? '',
    /^policy prod-follows-staging: deny: Pacto shop-staging\/api is NonCompliant: WORKLOAD_MISMATCH service\/api/,
  );
  assert.doesNotMatch(response.status?.message ?? '', /\n/);
  assert.deepEqual(
    response.status?.details.causes.map((c) => c.reason),
    ['NotCompliant'],
  );
  assert.equal(response.auditAnnotations?.['decision'], 'deny');
  assert.equal(response.auditAnnotations?.['policies'], 'prod-follows-staging=Enforce:deny');
});

test('gate/3.3 a hold carries its wait in the message and in the details', () => {
  const response = answer({ policies: [POLICY] }, deploymentReview({ image: 'registry.test/api:2' }));
  assert.equal(response.status?.details.retryAfterSeconds, 30);
  assert.match(response.status?.message ?? '', /retry in 30 s/);
});

test('gate/3.3 the decision id ties answer, audit annotation and log line together', () => {
  const { handler: h, log } = handler(BROKEN);
  const result = h.handle(Buffer.from(JSON.stringify(deploymentReview({ image: 'registry.test/api:2' }))));
  assert.ok(result.kind === 'review');
  const id = result.answer.audit?.['decision-id'];
  assert.ok(id !== undefined);
  assert.ok(result.answer.message?.includes(id));
  assert.equal(log.named('decided')[0]?.fields.decisionId, id);
});

test('gate/3.3 dry-run gets the same answer', () => {
  const review = deploymentReview({ image: 'registry.test/api:2' });
  const wet = answer(BROKEN, review);
  const dry = answer(BROKEN, { ...review, request: { ...review.request, dryRun: true } });
  assert.equal(dry.allowed, wet.allowed);
  assert.equal(dry.status?.code, wet.status?.code);
  assert.deepEqual(dry.status?.details, wet.status?.details);
});

test('gate/3.3 a body that is no review: 400 without a uid, a refusal with one', () => {
  const { handler: h } = handler();
  assert.equal(h.handle(Buffer.from('{')).kind, 'badRequest');
  assert.equal(h.handle(Buffer.from('null')).kind, 'badRequest');
  assert.equal(
    h.handle(Buffer.from('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}')).kind,
    'badRequest',
  );
  const other = h.handle(
    Buffer.from('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","request":{"uid":"u-2"}}'),
  );
  assert.ok(other.kind === 'review');
  assert.equal(other.answer.uid, 'u-2');
  assert.equal(other.answer.allowed, false);
});

test('gate/3.3 an error while judging still answers with the uid', () => {
  const failing = {
    ...memoryView({}),
    policies: () => {
      throw new Error('boom');
    },
  };
  const { handler: h, log } = handler({}, failing);
  const result = h.handle(
    Buffer.from(JSON.stringify(deploymentReview({ uid: 'u-3', image: 'registry.test/api:2' }))),
  );
  assert.ok(result.kind === 'review');
  assert.deepEqual([result.answer.uid, result.answer.allowed], ['u-3', false]);
  assert.doesNotMatch(result.answer.message ?? '', /boom/);
  assert.equal(log.named('a review could not be judged').length, 1);
});

test('gate/3.3 keys such as __proto__ and constructor are data', () => {
  const body = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u","operation":"UPDATE","kind":{"group":"apps","kind":"Deployment"},"object":{"metadata":{"labels":{"__proto__":"x","constructor":"y"}},"__proto__":{"polluted":true}},"oldObject":{}}}`;
  const parsed = parseReview(Buffer.from(body));
  assert.equal(parsed.kind, 'review');
  assert.equal(handler().handler.handle(Buffer.from(body)).kind, 'review');
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('gate/4 decisions, reasons and errors are counted from zero', async () => {
  const { handler: h, metrics } = handler(BROKEN);
  assert.match(
    await metrics.render(),
    /pacto_gate_decisions_total\{surface="webhook",movement="promotion",decision="deny"\} 0/,
  );
  h.handle(Buffer.from(JSON.stringify(deploymentReview({ image: 'registry.test/api:2' }))));
  h.handle(Buffer.from('nonsense'));
  const text = await metrics.render();
  assert.match(
    text,
    /pacto_gate_decisions_total\{surface="webhook",movement="promotion",decision="deny"\} 1/,
  );
  assert.match(
    text,
    /pacto_gate_policy_decisions_total\{policy="prod-follows-staging",mode="Enforce",decision="deny"\} 1/,
  );
  assert.match(text, /pacto_gate_review_errors_total\{cause="unreadable"\} 1/);
});
