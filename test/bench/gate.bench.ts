// What an admission decision and a pass over a Pacto cost in memory, beside the parsing of the same bytes.
import { Metrics } from '../../runtime/metrics.ts';
import { systemClock } from '../../runtime/clock.ts';
import { PromotionHandler } from '../../webhook/promotion-handler.ts';
import { WebhookMetrics } from '../../webhook/webhook-metrics.ts';
import { reviewBody } from '../../webhook/review.ts';
import { memoryView } from '../gate/memory-view.ts';
import { pactoObject } from '../gate/pactos.ts';
import { DEFAULT_FEATURES } from '../../evaluation/observe/observe-input.ts';
import { judgePacto } from '../../operator/controllers/pacto/judge-pacto.ts';
import { GOOD, loader, SPEC, view } from '../operator/views.ts';
import { deploymentReview, POLICY } from '../webhook/reviews.ts';

const ROUNDS = 9;
const CALLS = 2_000;

/** Median over rounds of the microseconds one call takes. */
function micros(call: () => unknown): number {
  for (let i = 0; i < CALLS; i += 1) call();
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    for (let i = 0; i < CALLS; i += 1) call();
    return ((performance.now() - started) * 1000) / CALLS;
  });
  return rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

/** An update review padded to about this many bytes by an annotation, as a template with long settings has. */
function review(bytes: number): Buffer {
  const padded = deploymentReview({ image: 'registry.test/api:2' });
  const object = padded.request['object'] as { metadata: Record<string, unknown> };
  const missing = bytes - JSON.stringify(padded).length;
  object.metadata['annotations'] = { padding: 'x'.repeat(Math.max(0, missing)) };
  return Buffer.from(JSON.stringify(padded));
}

const silent = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
  child: () => silent,
};
const now = new Date(systemClock.wall.now()).toISOString().replace(/\.\d+/, '');
const judged = pactoObject({
  status: { lastReconciledAt: now, observedRuntime: { containerImages: ['registry.test/api:2'] } },
});
const handler = new PromotionHandler({
  view: memoryView({ policies: [POLICY], pactos: [judged] }),
  onCacheStale: 'Hold',
  wall: systemClock.wall,
  log: silent,
  metrics: new WebhookMetrics(new Metrics()),
});

process.stdout.write('admission, one update review\n');
for (const kib of [5, 45]) {
  const body = review(kib * 1024);
  const parse = micros(() => JSON.parse(body.toString('utf8')));
  const answer = micros(() => {
    const { answer: given } = handler.handle(body) as { answer: Parameters<typeof reviewBody>[0] };
    return JSON.stringify(reviewBody(given));
  });
  process.stdout.write(
    `  ${String(kib).padStart(2)} KiB: parse ${parse.toFixed(1)} µs, parse + decide + answer ${answer.toFixed(1)} µs, ratio ${(answer / parse).toFixed(2)}\n`,
  );
}

const contract = await loader().load({ ...SPEC.contractRef }, new AbortController().signal);
const cluster = view(GOOD);
const pacto = {
  namespace: 'default',
  name: 'orders',
  uid: 'u',
  resourceVersion: '1',
  generation: 1,
  fingerprint: '',
  spec: SPEC,
  status: {},
};
const settings = { windowMs: 120_000, features: DEFAULT_FEATURES };
const pass = micros(() => judgePacto({ pacto, view: cluster, contract, settings, now: Date.now() }));
process.stdout.write(`operator, one pass over a Pacto with its contract in memory: ${pass.toFixed(1)} µs\n`);
