// Readiness: real days, no blank texts, unique claim ids (contract.md 7.1).
import { parseDay } from '../calendar-day.ts';
import { quote } from '../json.ts';
import type { ContractReadiness } from '../model.ts';
import type { Check, CheckContext } from './context.ts';

export const readiness: Check = (context) => {
  const declared = context.contract.readiness;
  if (declared === undefined) return;
  if (parseDay(declared.expires) === undefined) {
    const message = `${quote(declared.expires)} is not a calendar day of the form YYYY-MM-DD`;
    context.report('INVALID_READINESS_EXPIRES', ['readiness', 'expires'], message);
  }
  checkHistory(context, declared);
  checkClaims(context, declared);
};

function checkHistory({ report }: CheckContext, { history }: ContractReadiness): void {
  for (const [index, entry] of history.entries()) {
    const at = ['readiness', 'history', index] as const;
    if (parseDay(entry.date) === undefined) {
      const message = `${quote(entry.date)} is not a calendar day of the form YYYY-MM-DD`;
      report('INVALID_READINESS_REVISION', [...at, 'date'], message);
    }
    for (const field of ['version', 'author', 'description'] as const) {
      if (isBlank(entry[field])) report('INVALID_READINESS_REVISION', [...at, field], `${field} is blank`);
    }
  }
}

function checkClaims({ report }: CheckContext, { claims }: ContractReadiness): void {
  const seen = new Map<string, number>();
  for (const [index, { id, evidence, description }] of claims.entries()) {
    const at = ['readiness', 'claims', index] as const;
    const previous = seen.get(id);
    if (previous !== undefined) {
      const message = `claim ${quote(id)} is already declared at readiness.claims[${previous}].id`;
      report('DUPLICATE_READINESS_ID', [...at, 'id'], message);
    }
    seen.set(id, index);
    if (isBlank(evidence))
      report('EMPTY_READINESS_EVIDENCE', [...at, 'evidence'], `claim ${quote(id)} has blank evidence`);
    if (description !== undefined && isBlank(description)) {
      report(
        'EMPTY_READINESS_DESCRIPTION',
        [...at, 'description'],
        `claim ${quote(id)} has a blank description`,
      );
    }
  }
}

/** Nothing but Unicode white space. */
function isBlank(text: string): boolean {
  return /^[\s\u0085]*$/u.test(text);
}
