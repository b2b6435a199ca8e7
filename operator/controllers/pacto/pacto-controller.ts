// The controller of Pactos: wakes them on changes, judges one at a time per key, writes verdicts, and asks for the next look.
import { FIELD_MANAGERS, PACTO_API_VERSION } from '../../../api/names.ts';
import type { PactoStatus } from '../../../api/pacto.ts';
import { parseTime } from '../../../api/time.ts';
import { AnswerBook } from '../../../evaluation/observe/inquiry.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { Controller, type ReconcileContext, type ReconcileResult } from '../../../kube/controller.ts';
import type { EventRecorder } from '../../../kube/event-recorder.ts';
import { splitKey } from '../../../kube/object-meta.ts';
import { WorkQueue } from '../../../kube/workqueue.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Metrics } from '../../../runtime/metrics.ts';
import type { OperatorCache } from '../../cache/operator-cache.ts';
import { type PactoRecord, pactoKey } from '../../cache/pacto-record.ts';
import type { OperatorMetrics } from '../../operator-metrics.ts';
import type { PactoContracts } from '../../pacto-contracts.ts';
import type { Interrupted, PactoInquiries } from '../../pacto-inquiries.ts';
import { PACTOS } from '../../resources.ts';
import { contractEvent } from './contract-event.ts';
import { FailureLog } from './failure-log.ts';
import { judgePacto, type JudgedPacto, type JudgeSettings } from './judge-pacto.ts';
import { type PassCause, PassCauses } from './pass-causes.ts';
import { sameVerdict } from './same-verdict.ts';
import { mergePatchOf } from './status-patch.ts';

export type PactoControllerOptions = {
  readonly client: KubeClient;
  readonly cache: OperatorCache;
  readonly contracts: PactoContracts;
  readonly events: EventRecorder;
  readonly operatorMetrics: OperatorMetrics;
  readonly settings: JudgeSettings;
  /** Answers what the cache does not hold. */
  readonly inquiries: PactoInquiries;
  /** Pactos judged at once. */
  readonly workers: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** How a pass waits without its worker. */
type Outside = { readonly signal: AbortSignal; readonly wake: () => void };

/** While Pactos cannot be read nothing is judged; the watch wakes the key when they can, this only makes sure. */
const UNREADABLE_RETRY_MS = 5_000;

export class PactoController {
  readonly #options: PactoControllerOptions;
  readonly #causes = new PassCauses();
  readonly #failures = new FailureLog();

  constructor(options: PactoControllerOptions) {
    this.#options = options;
  }

  /** Works until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { cache, clock, log, metrics, workers } = this.#options;
    const queue = new WorkQueue({ name: 'pacto', clock, metrics });
    const controller = new Controller({
      name: 'pacto',
      queue,
      workers,
      reconcile: (key, context) => this.#reconcile(key, context, { signal, wake: () => queue.add(key) }),
      clock,
      log,
      metrics,
    });
    const unsubscribe = cache.subscribe((key, cause) => {
      this.#causes.note(key, cause);
      queue.add(key);
    });
    log.info('operator is judging', { count: queue.length });
    try {
      await controller.run(signal);
    } finally {
      unsubscribe();
      queue.stop();
    }
  }

  async #reconcile(key: string, context: ReconcileContext, outside: Outside): Promise<ReconcileResult> {
    const { cache, clock } = this.#options;
    const found = cache.pacto(key);
    if (found.kind === 'absent') {
      this.#forget(key);
      return { kind: 'done' };
    }
    if (found.kind === 'unreadable') return { kind: 'requeueAfter', ms: UNREADABLE_RETRY_MS };
    const judged = await this.#judge(found.value, context, outside);
    // The worker is for other Pactos until the contract or the answers have come; what caused this pass stays noted.
    if (judged === undefined) return { kind: 'done' };
    const judgedAt = clock.monotonic.now();
    const cause = this.#causes.take(key, judgedAt);
    try {
      await this.#write(found.value, judged, cause, context);
      // Counted from the moment the judgement speaks of; writing it takes time too.
      this.#causes.due(key, judgedAt + judged.requeueMs);
      return {
        kind: 'requeueAfter',
        ms: Math.max(1, judgedAt + judged.requeueMs - clock.monotonic.now()),
      };
    } catch (error) {
      this.#causes.restore(key, cause);
      throw error;
    }
  }

  /** The judgement, or undefined when something from outside is missing; then the key is woken once it is there. */
  async #judge(
    pacto: PactoRecord,
    { log }: ReconcileContext,
    outside: Outside,
  ): Promise<JudgedPacto | undefined> {
    const { inquiries } = this.#options;
    const pass = await this.#begin(pacto, outside);
    if (pass === undefined) return undefined;
    let judged = this.#attempt(pacto, pass);
    while (judged.open.length > 0) {
      const asked = await inquiries.ask(pacto, pass, judged.open, outside);
      if (asked === 'later') return undefined;
      if (asked === 'enough') break;
      judged = this.#attempt(pacto, pass);
    }
    const key = pactoKey(pacto);
    inquiries.forget(key);
    for (const failure of this.#failures.news(key, judged.failures)) {
      log.warn('an object cannot be read', {
        kind: failure.resource,
        key: failure.name,
        reason: failure.reason,
      });
    }
    return judged;
  }

  /** Where a pass starts from: the answers that were waited for, or its contract. */
  async #begin(pacto: PactoRecord, outside: Outside): Promise<Interrupted | undefined> {
    const { contracts, inquiries } = this.#options;
    const interrupted = await inquiries.resume(pacto);
    if (interrupted === 'waiting') return undefined;
    if (interrupted !== undefined) return interrupted;
    const contract = await contracts.obtain(pacto, outside);
    return contract === undefined ? undefined : { contract, answers: new AnswerBook() };
  }

  #attempt(pacto: PactoRecord, { contract, answers }: Interrupted): JudgedPacto {
    const { cache, settings, clock } = this.#options;
    // What is seen last is judged by the time at which it is seen.
    return judgePacto({ pacto, view: cache.view, contract, settings, answers, now: clock.wall.now() });
  }

  async #write(
    pacto: PactoRecord,
    judged: JudgedPacto,
    cause: PassCause,
    { signal, log }: ReconcileContext,
  ): Promise<void> {
    const { client, cache, operatorMetrics, events } = this.#options;
    if (cause === 'other' && isQuiet(pacto, judged)) return;
    const patch = mergePatchOf(pacto.status, judged.status);
    if (patch === undefined) return;
    // The version in the patch makes the server refuse it when the Pacto is not the one that was judged.
    const body = {
      apiVersion: PACTO_API_VERSION,
      kind: 'Pacto',
      metadata: { resourceVersion: pacto.resourceVersion },
      status: patch,
    };
    const { namespace, name } = pacto;
    const written = await client.mergePatch(PACTOS, { namespace, name }, body, {
      signal,
      subresource: 'status',
      fieldManager: FIELD_MANAGERS.operator,
    });
    cache.wrote(pacto, written);
    operatorMetrics.judged(pacto, judged.end.status);
    const event = contractEvent(pacto.status.contractStatus, judged.end);
    if (pacto.status.contractStatus !== judged.end.status) {
      log.info('verdict changed', {
        result: judged.end.status,
        reason: pacto.status.contractStatus ?? 'never judged',
      });
    }
    if (event === undefined) return;
    events.record({
      ...event,
      subject: { apiVersion: PACTO_API_VERSION, kind: 'Pacto', namespace, name, uid: pacto.uid },
    });
  }

  #forget(key: string): void {
    const { namespace, name } = splitKey(key);
    this.#causes.forget(key);
    this.#failures.forget(key);
    this.#options.contracts.forget(key);
    this.#options.inquiries.forget(key);
    this.#options.operatorMetrics.gone(namespace, name);
  }
}

/**
 * Whether a pass that another object caused may leave the status alone: nothing but the times would move, and the stored
 * reading is younger than half the interval (controller.md D15).
 */
function isQuiet(pacto: PactoRecord, judged: JudgedPacto): boolean {
  const stored = parseTime(pacto.status.lastReconciledAt ?? '');
  const next = parseTime(judged.status.lastReconciledAt ?? '');
  if (stored === undefined || next === undefined || next - stored >= judged.intervalMs / 2) return false;
  return sameVerdict(pacto.status, judged.status satisfies PactoStatus);
}
