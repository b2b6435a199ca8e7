// The rules for one Pacto, read from the top (gate 1.3): hold and deny end the reading, the end of the list is allow.
import { findingRemedy } from '../api/finding-remedies.ts';
import { formatTime } from '../api/time.ts';
import type { Finding } from '../api/finding.ts';
import { effectiveStatus, type EffectiveStatus } from './effective-status.ts';
import { coverage, readiness, soak } from './judge-demands.ts';
import { CONTINUE, configurable, type Judgement, type Ruling } from './judgement.ts';
import type { Reason } from './reasons.ts';
import { judgeRevision } from './revision.ts';
import { NEXT_PASS_SECONDS, type Rule, type RuleContext, seconds } from './rule-context.ts';
import type { Rules } from './rules.ts';
import { type MissingVerdict, pactoKey, type Verdict } from './verdict.ts';

/** How far ahead of our clock a verdict may be dated before it proves nothing. */
const FUTURE_TOLERANCE_MS = 5_000;
/** Slack on top of check interval and window before a verdict counts as stale. */
const MAX_AGE_SLACK_MS = 60_000;

/** Rules 2 to 5: nothing below them is worth asking, because the verdict proves nothing yet or has proven a violation. */
const FIRST: readonly Rule[] = [notJudgedYet, stale, invalid, nonCompliant];
/** Rules 6 to 14: independent questions about a verdict that counts. */
const THEN: readonly Rule[] = [
  undecided,
  warning,
  reference,
  ({ verdict, rules }) => judgeRevision(verdict, rules.revision, NEXT_PASS_SECONDS),
  soak,
  readiness,
  coverage,
];

/** Rule 1: no such Pacto, or none selected. */
export function judgeMissing(missing: MissingVerdict, rules: Rules): Judgement {
  const shown = pactoKey(missing);
  const reason: Reason = {
    code: 'Missing',
    ...(missing.name === undefined ? {} : { pacto: shown }),
    message: missing.name === undefined ? missing.why : `Pacto ${shown}: ${missing.why}`,
  };
  const unblock =
    missing.unblock ??
    (missing.name === undefined
      ? `make a Pacto in namespace ${missing.namespace} that covers this service, or correct the selection`
      : `create Pacto ${shown}, or correct its name`);
  const ruling = configurable(rules.onMissing, reason, unblock, { onAllow: 'end', retryAfterSeconds: 30 });
  return close(ruling, [], []);
}

/**
 * Rules 2 to 14 and 16 for one Pacto that exists. Rule 15 joins other Pactos and stands in `decide`.
 *
 * From rule 6 on a hold does not hide a deny further down: a wait that can only end in a refusal helps nobody, and an
 * added finding that holds must not soften an answer that was deny without it.
 */
export function judgeVerdict(verdict: Verdict, rules: Rules, nowMs: number): Judgement {
  const context = { verdict, rules, nowMs, status: effectiveStatus(verdict, rules.waivers, nowMs) };
  const warnings: string[] = [];
  for (const rule of FIRST) {
    const ruling = rule(context);
    if (ruling.kind === 'stop') return close(ruling, warnings, context.status.waived);
    if (ruling.warning !== undefined) warnings.push(ruling.warning);
  }
  let held: Ruling | undefined;
  for (const rule of THEN) {
    const ruling = rule(context);
    if (ruling.kind === 'stop' && ruling.outcome === 'deny')
      return close(ruling, warnings, context.status.waived);
    if (ruling.kind === 'stop') held ??= ruling;
    else if (ruling.warning !== undefined) warnings.push(ruling.warning);
    if (ruling.kind === 'end') break;
  }
  return close(held ?? CONTINUE, warnings, context.status.waived);
}

function close(ruling: Ruling, warnings: readonly string[], waived: Judgement['waived']): Judgement {
  if (ruling.kind === 'stop') {
    return {
      outcome: ruling.outcome,
      reasons: ruling.reasons,
      unblock: ruling.unblock,
      ...(ruling.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: ruling.retryAfterSeconds }),
      warnings,
      waived,
    };
  }
  const all = ruling.warning === undefined ? warnings : [...warnings, ruling.warning];
  return { outcome: 'allow', reasons: [], unblock: [], warnings: all, waived };
}

function notJudgedYet({ verdict }: RuleContext): Ruling {
  const pacto = pactoKey(verdict);
  const { observedGeneration, generation } = verdict;
  const judged =
    observedGeneration !== undefined && generation !== undefined && verdict.contractStatus !== undefined;
  if (judged && observedGeneration === generation) return CONTINUE;
  const message = judged
    ? `Pacto ${pacto} was changed (generation ${generation}) and the verdict is still about generation ${observedGeneration}`
    : `Pacto ${pacto} has not been judged yet`;
  return {
    kind: 'stop',
    outcome: 'hold',
    reasons: [{ code: 'NotJudgedYet', pacto, message }],
    unblock: [
      `wait for the operator to judge Pacto ${pacto}; if it never does, check that the operator is running`,
    ],
    retryAfterSeconds: NEXT_PASS_SECONDS,
  };
}

function stale({ verdict, rules, nowMs }: RuleContext): Ruling {
  const pacto = pactoKey(verdict);
  const at = verdict.lastReconciledAtMs;
  const unblock = `check that the operator is running; any update of Pacto ${pacto} makes it look again`;
  const ruling = (message: string): Ruling =>
    configurable(rules.onStale, { code: 'StaleVerdict', pacto, message }, unblock, {
      retryAfterSeconds: NEXT_PASS_SECONDS,
    });
  if (at === undefined) return ruling(`the verdict on Pacto ${pacto} does not say when it was made`);
  const age = nowMs - at;
  if (age < -FUTURE_TOLERANCE_MS) {
    return ruling(
      `the verdict on Pacto ${pacto} is dated ${seconds(-age)} in the future; the clocks of operator and gate differ`,
    );
  }
  const limit =
    rules.maxAgeMs ??
    (verdict.checkIntervalSeconds + (verdict.windowSeconds ?? rules.windowSeconds)) * 1000 + MAX_AGE_SLACK_MS;
  if (age <= limit) return CONTINUE;
  return ruling(`the verdict on Pacto ${pacto} is ${seconds(age)} old and counts for ${seconds(limit)}`);
}

function invalid({ verdict, status }: RuleContext): Ruling {
  if (status.word !== 'Invalid') return CONTINUE;
  const pacto = pactoKey(verdict);
  return {
    kind: 'stop',
    outcome: 'deny',
    reasons: [{ code: 'Invalid', pacto, message: `the contract of Pacto ${pacto} is structurally invalid` }],
    unblock: [
      `correct the contract of Pacto ${pacto}; \`kubectl describe pacto\` lists what is wrong with it`,
    ],
  };
}

function nonCompliant({ verdict, status }: RuleContext): Ruling {
  if (status.word !== 'NonCompliant') return CONTINUE;
  const pacto = pactoKey(verdict);
  const violations = status.violations.map(
    (f): Reason => ({
      code: 'NotCompliant',
      pacto,
      finding: f.finding.code,
      ...(f.finding.subject === undefined ? {} : { subject: f.finding.subject }),
      message: `${describe(f.finding)}${f.expired === undefined ? '' : ` (its waiver by ${f.expired.by} expired at ${f.expired.until})`}`,
    }),
  );
  const reasons =
    violations.length > 0
      ? violations
      : [
          {
            code: 'NotCompliant' as const,
            pacto,
            message: `Pacto ${pacto} is NonCompliant without a finding that says why`,
          },
        ];
  return {
    kind: 'stop',
    outcome: 'deny',
    reasons,
    unblock: unblockFindings(
      pacto,
      status.violations.map((v) => v.finding),
    ),
  };
}

function unblockFindings(pacto: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [`bring Pacto ${pacto} back to Compliant`];
  return findings.map(({ code, subject }) => {
    const remedy = findingRemedy(code);
    const where = `${code}${subject === undefined ? '' : ` of ${subject}`}`;
    return remedy === undefined
      ? `resolve ${where} on Pacto ${pacto}`
      : `on Pacto ${pacto}, for ${where}: ${clause(remedy)}`;
  });
}

/** A sentence as a part of another one. */
function clause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
}

function stabilizing({ verdict, rules, nowMs, status }: RuleContext): Ruling {
  if (status.word !== 'Unknown') return CONTINUE;
  const windowMs = (verdict.windowSeconds ?? rules.windowSeconds) * 1000;
  const starts = new Map(verdict.windows.map((w) => [w.key, w.firstObservedNegativeAtMs]));
  const undecided = status.findings.filter((f) => f.severity === 'unknown');
  const open = undecided.flatMap((f) => {
    const start = f.code === 'EVIDENCE_INSUFFICIENT' ? starts.get(f.subject ?? '') : undefined;
    const remaining = start === undefined ? 0 : start + windowMs - nowMs;
    return remaining > 0 ? [{ finding: f, remaining }] : [];
  });
  if (open.length === 0) return CONTINUE;
  const pacto = pactoKey(verdict);
  if (open.length < undecided.length && rules.onUnknown === 'Deny')
    return unknownRuling(verdict, status, rules);
  const longest = Math.max(...open.map((o) => o.remaining));
  return {
    kind: 'stop',
    outcome: 'hold',
    reasons: open.map((o) => ({
      code: 'Stabilizing',
      pacto,
      finding: o.finding.code,
      ...(o.finding.subject === undefined ? {} : { subject: o.finding.subject }),
      message: `${o.finding.subject ?? pacto} is absent and may still appear for ${seconds(o.remaining)} (${o.finding.code})`,
      until: formatTime(nowMs + o.remaining),
    })),
    unblock: [
      `wait, or make ${open.map((o) => o.finding.subject ?? pacto).join(', ')} appear; Pacto ${pacto} is judged at once when it does`,
    ],
    // The operator judges at the end of the window; one second later its verdict is there.
    retryAfterSeconds: Math.ceil(longest / 1000) + 1,
  };
}

/** Rules 6 to 8: an open window is a wait of its own, whatever the setting for the undecided says. */
function undecided(context: RuleContext): Ruling {
  const { verdict, rules, status } = context;
  const waiting = stabilizing(context);
  if (waiting.kind === 'stop') return waiting;
  return status.undecided ? unknownRuling(verdict, status, rules) : CONTINUE;
}

function unknownRuling(verdict: Verdict, status: EffectiveStatus, rules: Rules): Ruling {
  const pacto = pactoKey(verdict);
  const undecided = status.findings.filter((f) => f.severity === 'unknown');
  const why = undecided.length === 0 ? '' : `: ${undecided.map((f) => describe(f)).join('; ')}`;
  const reason: Reason = {
    code: 'Unknown',
    pacto,
    message: `Pacto ${pacto} is ${status.word}, so nothing is proven${why}`,
  };
  const unblock =
    undecided.length === 0
      ? `make the evidence for Pacto ${pacto} available: the operator could not decide`
      : unblockFindings(pacto, undecided).join('; ');
  return configurable(rules.onUnknown, reason, unblock, { retryAfterSeconds: NEXT_PASS_SECONDS });
}

/** Also asked when an unknown was let through, so that adding an unknown finding never hides a warning. */
function warning({ verdict, rules, status }: RuleContext): Ruling {
  const warnings = status.findings.filter((f) => f.severity === 'warning');
  const warned =
    status.word === 'Warning' ||
    (status.undecided && (warnings.length > 0 || verdict.contractStatus === 'Warning'));
  if (!warned) return CONTINUE;
  const pacto = pactoKey(verdict);
  const why = warnings.length === 0 ? '' : `: ${warnings.map((f) => describe(f)).join('; ')}`;
  const reason: Reason = { code: 'NotCompliant', pacto, message: `Pacto ${pacto} has warnings${why}` };
  return configurable(rules.onWarning, reason, unblockFindings(pacto, warnings).join('; '), {
    retryAfterSeconds: NEXT_PASS_SECONDS,
  });
}

function reference({ verdict, rules, status }: RuleContext): Ruling {
  if (status.word !== 'Reference') return CONTINUE;
  const pacto = pactoKey(verdict);
  const reason: Reason = {
    code: 'Unknown',
    pacto,
    message: `Pacto ${pacto} is a reference without a target, so it says nothing about a running service`,
  };
  return configurable(rules.onReference, reason, `give Pacto ${pacto} a target`, {
    onAllow: 'end',
    retryAfterSeconds: NEXT_PASS_SECONDS,
  });
}

function describe(finding: Finding): string {
  const subject = finding.subject === undefined ? '' : ` ${finding.subject}`;
  return finding.message === ''
    ? `${finding.code}${subject}`
    : `${finding.code}${subject}: ${finding.message}`;
}
