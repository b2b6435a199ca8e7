// What a policy may demand of a verdict that is good in itself: how long it stands, readiness, coverage (rules 12 to 14).
import { formatTime } from '../api/time.ts';
import { CONTINUE, type Ruling } from './judgement.ts';
import { NEXT_PASS_SECONDS, type RuleContext, seconds } from './rule-context.ts';
import { pactoKey } from './verdict.ts';

export function soak({ verdict, rules, nowMs }: RuleContext): Ruling {
  if (rules.soakMs <= 0) return CONTINUE;
  const pacto = pactoKey(verdict);
  const since = verdict.statusSinceMs;
  const stood = since === undefined ? 0 : Math.max(0, nowMs - since);
  if (stood >= rules.soakMs) return CONTINUE;
  const rest = rules.soakMs - stood;
  return {
    kind: 'stop',
    outcome: 'hold',
    reasons: [
      {
        code: 'SoakNotOver',
        pacto,
        message: `Pacto ${pacto} has been ${verdict.contractStatus ?? 'judged'} for ${seconds(stood)} and must be so for ${seconds(rules.soakMs)}`,
        until: formatTime(nowMs + rest),
      },
    ],
    unblock: [`wait ${seconds(rest)} while Pacto ${pacto} stays as it is`],
    retryAfterSeconds: Math.ceil(rest / 1000),
  };
}

export function readiness({ verdict, rules }: RuleContext): Ruling {
  if (rules.readiness !== 'Required' || verdict.readiness?.passing === true) return CONTINUE;
  const pacto = pactoKey(verdict);
  const state =
    verdict.readiness === undefined
      ? 'declares none'
      : verdict.readiness.expired
        ? 'has expired'
        : 'is below its minimum';
  return {
    kind: 'stop',
    outcome: 'deny',
    reasons: [
      {
        code: 'ReadinessUnmet',
        pacto,
        message: `readiness is required and the one of Pacto ${pacto} ${state}`,
      },
    ],
    unblock: [`bring the readiness block of the contract of Pacto ${pacto} up to date`],
  };
}

export function coverage({ verdict, rules }: RuleContext): Ruling {
  if (rules.minCoverage <= 0) return CONTINUE;
  const { evaluated = 0, required = 0 } = verdict.coverage ?? {};
  const known = verdict.coverage !== undefined;
  const percent = required === 0 ? 100 : (evaluated * 100) / required;
  if (known && percent >= rules.minCoverage) return CONTINUE;
  const pacto = pactoKey(verdict);
  const shown = known
    ? `${evaluated} of ${required} required assertions were evaluated`
    : 'it does not say how many required assertions were evaluated';
  return {
    kind: 'stop',
    outcome: 'hold',
    reasons: [
      {
        code: 'CoverageBelow',
        pacto,
        message: `Pacto ${pacto}: ${shown}; ${rules.minCoverage} % is required`,
      },
    ],
    unblock: [`make the missing evidence for Pacto ${pacto} available`],
    retryAfterSeconds: NEXT_PASS_SECONDS,
  };
}
