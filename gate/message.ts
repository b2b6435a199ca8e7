// The one line people read when a promotion is held or denied, and the warnings of one that passes (gate 3.3).
import { printable } from '../api/printable.ts';
import type { Decision } from './decision.ts';
import type { PolicyAnswer, WriteAnswer } from './judge-write.ts';

/** Longest list of reasons, and of ways out, in one policy's answer. */
const MAX_PART = 900;
const MAX_WARNINGS = 5;
const MAX_WARNING = 200;

/** One line: which policy, what stands against it, what unblocks it, and for a hold the wait. */
export function refusal(answer: WriteAnswer): string {
  const blocking = answer.policies.filter((p) => p.mode === 'Enforce' && p.decision.decision !== 'allow');
  const parts = blocking.length > 0 ? blocking.map(policyLine) : [decisionLine(answer.decision)];
  return harmless(parts.join(' | '));
}

/** What an admitted write is told, most important first: policies that would have blocked, then warnings. */
export function admissionWarnings(answer: WriteAnswer): string[] {
  const warned = answer.policies
    .filter((p) => p.mode === 'Warn' && p.decision.decision !== 'allow')
    .map((p) => `would be refused under Enforce: ${policyLine(p)}`);
  const others = answer.policies.filter((p) => p.mode !== 'Audit').flatMap((p) => p.decision.warnings);
  return [...new Set([...warned, ...others, ...answer.decision.warnings])]
    .slice(0, MAX_WARNINGS)
    .map((text) => harmless(cut(text, MAX_WARNING)));
}

function policyLine({ policy, decision }: PolicyAnswer): string {
  return `policy ${policy}: ${decisionLine(decision)}`;
}

/** `hold: why; to unblock: what; retry in 47 s`. The wait is never cut off. */
export function decisionLine(decision: Decision): string {
  const why = cut(reasonTexts(decision).join('; '), MAX_PART);
  const unblock =
    decision.unblock.length === 0 ? '' : `; to unblock: ${cut(decision.unblock.join('; '), MAX_PART)}`;
  const retry = decision.retryAfterSeconds === undefined ? '' : `; retry in ${decision.retryAfterSeconds} s`;
  return `${decision.decision}: ${why}${unblock}${retry}`;
}

/** Reasons in order; the first finding of each Pacto is introduced by the Pacto and its status. */
function reasonTexts({ reasons, pactos }: Decision): string[] {
  const introduced = new Set<string>();
  return reasons.map(({ finding, pacto, message }) => {
    if (finding === undefined || pacto === undefined || introduced.has(pacto)) return message;
    introduced.add(pacto);
    const status = pactos.find((p) => `${p.namespace}/${p.name}` === pacto)?.contractStatus;
    return `Pacto ${pacto} is ${status ?? 'not in order'}: ${message}`;
  });
}

function cut(text: string, max: number): string {
  const points = Array.from(text);
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}

/**
 * Flux and kubectl delete and recreate an object when an error says that a field cannot be changed, so no text of ours,
 * whatever a finding says, may contain those words. Line breaks go too: the answer is one line.
 */
export function harmless(text: string): string {
  return printable(text.replaceAll(/immutable/gi, 'fixed'));
}
