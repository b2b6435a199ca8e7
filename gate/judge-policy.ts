// What one policy says about one promotion: freezes, evidence, and the guarantee that a repair passes.
import { formatTime, parseTime } from '../api/time.ts';
import { decide } from './decide.ts';
import { combine, type Decision, decisionOf } from './decision.ts';
import { evidenceFor, type Evidence, grantedPactos, isOwn } from './evidence.ts';
import type { Lookup } from '../api/lookup.ts';
import type { RuleAction } from '../api/promotion-policy.ts';
import type { GateView } from './gate-view.ts';
import type { Policy } from './policy.ts';
import { providersOf } from './providers.ts';
import type { Reason } from './reasons.ts';
import { isJudgedImage } from './revision.ts';
import type { RevisionRule, Rules } from './rules.ts';
import { type MissingVerdict, pactoKey, type Verdict } from './verdict.ts';
import type { Movement } from './write.ts';

export type Promotion = Extract<Movement, { kind: 'promotion' }>;

/** How a policy or an evidence that cannot be read is answered. */
export type CacheStaleAction = RuleAction;

export type JudgeContext = {
  readonly view: GateView;
  readonly now: Date;
  readonly onCacheStale: CacheStaleAction;
};

/** Wait proposed while the gate itself is out of touch with the API server. */
const CACHE_STALE_SECONDS = 10;

/** Decides one promotion by one policy, whatever the policy's mode. */
export function judgePolicy(policy: Policy, promotion: Promotion, context: JudgeContext): Decision {
  const evidence = evidenceFor(policy, promotion.target, context.view);
  if (evidence.kind === 'unreadable') return { ...cacheStale(evidence.reason, context), policy: policy.name };
  const counted = (evidence.kind === 'found' ? evidence.value : []).filter((e) => counts(e, promotion));
  const decisions = counted.map((e) => judgeEvidence(e, policy, promotion, context));
  const repaired = decisions.some((d) => d.reasons.some((r) => r.code === 'FixForward'));
  const frozen = repaired ? [] : freezes(policy, context.now);
  const decision = combine([...decisions, ...frozen], formatTime(context.now.getTime()));
  const problems = policy.problems.map((p) => `policy ${policy.name}: ${p}; its default is used`);
  return { ...decision, warnings: [...decision.warnings, ...problems], policy: policy.name };
}

/** The decision when something the gate must know cannot be read from its caches. */
export function cacheStale(why: string, { now, onCacheStale }: Omit<JudgeContext, 'view'>): Decision {
  const message = `the gate cannot vouch for anything now: ${why}`;
  const nowMs = now.getTime();
  if (onCacheStale === 'Allow') return decisionOf('allow', nowMs, { warnings: [message] });
  const reasons: readonly Reason[] = [{ code: 'CacheStale', message }];
  const unblock = ['check the connection of the gate to the API server, and its rights; its log says more'];
  if (onCacheStale === 'Deny') return decisionOf('deny', nowMs, { reasons, unblock });
  return decisionOf('hold', nowMs, { retryAfterSeconds: CACHE_STALE_SECONDS, reasons, unblock });
}

/** A new object has no verdict of its own yet, so its own namespace cannot vouch for its creation. */
function counts(evidence: Evidence, promotion: Promotion): boolean {
  return promotion.first === 'update' || evidence.source.namespace !== promotion.target.namespace;
}

function judgeEvidence(
  evidence: Evidence,
  policy: Policy,
  promotion: Promotion,
  context: JudgeContext,
): Decision {
  const { view, now } = context;
  const repairs: Verdict[] = [];
  const rest: (Verdict | MissingVerdict)[] = [];
  for (const verdict of evidence.verdicts) {
    if (verdict.kind === 'verdict' && isRepair(verdict, policy, promotion)) repairs.push(verdict);
    else rest.push(verdict);
  }
  const decisions = repairs.map((verdict) => fixForward(verdict, now));
  if (rest.length > 0) {
    const rules: Rules = { ...policy.rules, revision: revisionRule(evidence, promotion) };
    const seen: (Verdict | MissingVerdict)[] = [];
    for (const verdict of rest) {
      const known =
        verdict.kind === 'verdict' && rules.revision.kind !== 'any' ? withRunning(verdict, view) : verdict;
      if (known.kind === 'unreadable') return cacheStale(known.reason, context);
      seen.push(known);
    }
    const providers = providerMap(seen, rules, { policy, view });
    if (providers.kind === 'unreadable') return cacheStale(providers.reason, context);
    decisions.push(decide({ verdicts: seen, rules, now, providers: providers.value }));
  }
  return combine(decisions, formatTime(now.getTime()));
}

function revisionRule(evidence: Evidence, promotion: Promotion): RevisionRule {
  const elsewhere = evidence.source.namespace !== promotion.target.namespace;
  const asked = evidence.source.revision ?? (elsewhere ? 'SameImages' : 'Any');
  return asked === 'SameImages' ? { kind: 'sameImages', images: promotion.images } : { kind: 'any' };
}

/** The verdict with what runs now. Kinds that do not roll out (Job, CronJob) are not looked at. */
function withRunning(
  verdict: Verdict,
  view: GateView,
): Verdict | Extract<Lookup<never>, { kind: 'unreadable' }> {
  if (verdict.workload === undefined) return verdict;
  const running = view.running(verdict.workload.kind, verdict.namespace, verdict.workload.name);
  switch (running?.kind) {
    case undefined:
      return verdict;
    case 'unreadable':
      return running;
    case 'absent':
      return { ...verdict, running: { kind: 'gone' } };
    case 'found':
      return { ...verdict, running: running.value };
  }
}

type Providers =
  | { readonly kind: 'known'; readonly value: ReadonlyMap<string, readonly (Verdict | MissingVerdict)[]> }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Providers among the Pactos the policy may read; what is not granted is as good as missing. */
function providerMap(
  verdicts: readonly (Verdict | MissingVerdict)[],
  rules: Rules,
  { policy, view }: { readonly policy: Policy; readonly view: GateView },
): Providers {
  if (rules.dependencies === 'Ignored') return { kind: 'known', value: new Map() };
  const all = view.allVerdicts();
  if (all.kind === 'unreadable') return all;
  const known: Verdict[] = [];
  const grants = new Map<string, ReturnType<typeof grantedPactos>>();
  for (const verdict of all.kind === 'found' ? all.value : []) {
    const granted = grants.get(verdict.namespace) ?? grantedPactos(verdict.namespace, policy, view);
    grants.set(verdict.namespace, granted);
    if (granted.kind === 'unreadable') return granted;
    if (granted.kind === 'found' && granted.value(verdict)) known.push(verdict);
  }
  const entries = verdicts.flatMap((v) =>
    v.kind === 'verdict' ? [[pactoKey(v), providersOf(v, known)] as const] : [],
  );
  return { kind: 'known', value: new Map(entries) };
}

/** A violation must not lock out its own repair: another image than the judged ones replaces what breaks the contract. */
function isRepair(verdict: Verdict, policy: Policy, promotion: Promotion): boolean {
  if (policy.fixForward === 'Deny' || verdict.contractStatus !== 'NonCompliant') return false;
  if (!isOwn(verdict, promotion.target)) return false;
  return promotion.images.some(
    (image) => image.container === 'main' && image.changed && !isJudgedImage(image, verdict),
  );
}

function fixForward(verdict: Verdict, now: Date): Decision {
  const pacto = pactoKey(verdict);
  const judged = verdict.lastReconciledAt === undefined ? '' : ` (judged at ${verdict.lastReconciledAt})`;
  const message = `Pacto ${pacto} was last found NonCompliant${judged} and this change replaces what it runs, so it passes as a repair`;
  return decisionOf('allow', now.getTime(), {
    reasons: [{ code: 'FixForward', pacto, message }],
    pactos: [{ namespace: verdict.namespace, name: verdict.name, contractStatus: 'NonCompliant' }],
    warnings: [message],
  });
}

/** One hold for each freeze of a policy that is on now. */
export function freezes(policy: Pick<Policy, 'name' | 'freezes'>, now: Date): Decision[] {
  const nowMs = now.getTime();
  return policy.freezes.flatMap((freeze): Decision[] => {
    const [from, until] = [parseTime(freeze.from), parseTime(freeze.until)];
    if (from === undefined || until === undefined || nowMs < from || nowMs >= until) return [];
    const message = `promotions are frozen until ${freeze.until}${freeze.reason === '' ? '' : ` (${freeze.reason})`}`;
    return [
      decisionOf('hold', nowMs, {
        retryAfterSeconds: Math.ceil((until - nowMs) / 1000),
        reasons: [{ code: 'Frozen', message, until: freeze.until }],
        unblock: [`wait until ${freeze.until}, or have policy ${policy.name} changed`],
      }),
    ];
  });
}
