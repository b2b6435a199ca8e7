// The one decision function behind every surface: verdicts and rules in, allow, hold or deny out. Pure.
import { byText } from '../api/by-text.ts';
import { formatTime } from '../api/time.ts';
import { combine, type Decision, type JudgedPacto, type Outcome, severityOf } from './decision.ts';
import { judgeMissing, judgeVerdict } from './judge-verdict.ts';
import type { Judgement } from './judgement.ts';
import type { Reason } from './reasons.ts';
import type { Rules } from './rules.ts';
import { type MissingVerdict, pactoKey, type Verdict } from './verdict.ts';

/** What a decision is made from. Nothing selected at all is said by a `missing` entry, never by an empty list alone. */
export type DecideInput = {
  readonly verdicts: readonly (Verdict | MissingVerdict)[];
  readonly rules: Rules;
  readonly now: Date;
  /** Verdicts of depth-one providers by `namespace/name`; needed where rules.dependencies is Required. */
  readonly providers?: ReadonlyMap<string, readonly (Verdict | MissingVerdict)[]>;
};

/** Decides for all verdicts together: deny beats hold beats allow, the longest wait counts, all reasons are kept. */
export function decide({ verdicts, rules, now, providers }: DecideInput): Decision {
  const nowMs = now.getTime();
  const evaluatedAt = formatTime(nowMs);
  const subjects: readonly (Verdict | MissingVerdict)[] =
    verdicts.length === 0 ? [{ kind: 'missing', namespace: '', why: 'no Pacto was selected' }] : verdicts;
  const decisions = [...subjects].sort(byKey).map((subject): Decision => {
    const own = judge(subject, rules, nowMs);
    const joined =
      subject.kind === 'verdict' ? withProviders(own, subject, { rules, nowMs, providers }) : own;
    return { ...fromJudgement(joined), pactos: judgedPactos(subject), evaluatedAt };
  });
  return combine(decisions, evaluatedAt);
}

function judge(subject: Verdict | MissingVerdict, rules: Rules, nowMs: number): Judgement {
  return subject.kind === 'missing' ? judgeMissing(subject, rules) : judgeVerdict(subject, rules, nowMs);
}

/** Rule 15. Providers are judged by the same rules, less those that speak about this change alone. */
function withProviders(
  own: Judgement,
  verdict: Verdict,
  context: { readonly rules: Rules; readonly nowMs: number; readonly providers: DecideInput['providers'] },
): Judgement {
  const { rules, nowMs, providers } = context;
  if (rules.dependencies !== 'Required' || own.outcome !== 'allow' || verdict.dependencies.length === 0)
    return own;
  const found = providers?.get(pactoKey(verdict)) ?? [
    {
      kind: 'missing' as const,
      namespace: verdict.namespace,
      why: `the providers of Pacto ${pactoKey(verdict)} are not known here`,
    },
  ];
  const providerRules: Rules = { ...rules, dependencies: 'Ignored', revision: { kind: 'any' } };
  const judgements = found.map((provider) => ({
    provider,
    judgement: judge(provider, providerRules, nowMs),
  }));
  const worst = judgements.reduce<Outcome>(
    (outcome, { judgement }) =>
      severityOf(judgement.outcome) > severityOf(outcome) ? judgement.outcome : outcome,
    'allow',
  );
  const blocking = judgements.filter(({ judgement }) => judgement.outcome !== 'allow');
  const reasons = blocking.flatMap(({ provider, judgement }) =>
    judgement.reasons.map(
      (reason): Reason => ({
        ...reason,
        code: 'DependencyNotCompliant',
        message:
          provider.kind === 'missing'
            ? reason.message
            : `dependency ${pactoKey(provider)} of ${pactoKey(verdict)}: ${reason.message}`,
      }),
    ),
  );
  const waits = blocking.flatMap(({ judgement }) => judgement.retryAfterSeconds ?? []);
  return {
    outcome: worst,
    ...(worst === 'hold' && waits.length > 0 ? { retryAfterSeconds: Math.max(...waits) } : {}),
    reasons,
    unblock: blocking.flatMap(({ judgement }) => judgement.unblock),
    warnings: [...own.warnings, ...judgements.flatMap(({ judgement }) => judgement.warnings)],
    waived: [...own.waived, ...judgements.flatMap(({ judgement }) => judgement.waived)],
  };
}

function fromJudgement(judgement: Judgement): Omit<Decision, 'pactos' | 'evaluatedAt'> {
  const { outcome, retryAfterSeconds, ...rest } = judgement;
  return {
    decision: outcome,
    ...(outcome === 'hold' && retryAfterSeconds !== undefined ? { retryAfterSeconds } : {}),
    ...rest,
  };
}

function judgedPactos(subject: Verdict | MissingVerdict): JudgedPacto[] {
  if (subject.kind === 'missing') return [];
  const { namespace, name, contractStatus, contractVersion, lastReconciledAt } = subject;
  return [
    {
      namespace,
      name,
      ...(contractStatus === undefined ? {} : { contractStatus }),
      ...(contractVersion === undefined ? {} : { contractVersion }),
      ...(lastReconciledAt === undefined ? {} : { lastReconciledAt }),
    },
  ];
}

function byKey(a: Verdict | MissingVerdict, b: Verdict | MissingVerdict): number {
  return byText(pactoKey(a), pactoKey(b));
}
