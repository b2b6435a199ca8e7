// How a decision is shown: a few lines for people, one JSON object for programs.
import type { Colors } from '../colors.ts';
import { GATE_API_VERSION } from '../../api/names.ts';
import { printable } from '../../api/printable.ts';
import type { Decision } from '../../gate/decision.ts';

/** The Decision object of `-o json`. */
export function decisionJson(decision: Decision): string {
  return `${JSON.stringify({ apiVersion: GATE_API_VERSION, kind: 'Decision', ...decision }, null, 2)}\n`;
}

/** The answer first, then why, then what to do. */
export function decisionText(decision: Decision, colors: Colors, nowMs: number): string {
  const lines = [headline(decision, colors)];
  for (const pacto of decision.pactos) {
    const version = pacto.contractVersion === undefined ? '' : ` v${pacto.contractVersion}`;
    lines.push(
      `  ${pacto.namespace}/${pacto.name}: ${pacto.contractStatus ?? 'not judged yet'}${version}${age(pacto.lastReconciledAt, nowMs)}`,
    );
  }
  for (const reason of decision.reasons) {
    lines.push(`  ${colors.bold(reason.code)}: ${printable(reason.message)}`);
  }
  for (const waived of decision.waived) {
    lines.push(
      `  waived until ${waived.until} by ${waived.by} (${waived.reason}): ${waived.code}${waived.subject === undefined ? '' : ` of ${waived.subject}`} on ${waived.pacto}`,
    );
  }
  for (const warning of decision.warnings) lines.push(`  ${colors.yellow('warning')}: ${printable(warning)}`);
  for (const step of decision.unblock) lines.push(`  to unblock: ${printable(step)}`);
  return `${lines.join('\n')}\n`;
}

function headline(decision: Decision, colors: Colors): string {
  switch (decision.decision) {
    case 'allow':
      return colors.green('allow');
    case 'deny':
      return colors.red('deny');
    case 'hold':
      return colors.yellow(
        decision.retryAfterSeconds === undefined ? 'hold' : `hold, retry in ${decision.retryAfterSeconds} s`,
      );
  }
}

function age(at: string | undefined, nowMs: number): string {
  const ms = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(ms) ? '' : `, judged ${Math.max(0, Math.round((nowMs - ms) / 1000))} s ago`;
}
