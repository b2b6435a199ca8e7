// The Event that tells of a changed verdict: on the way into a bad status, on the way back, and never twice for one.
import type { ContractStatus } from '../../../api/contract-status.ts';
import type { Summary } from '../../../api/pacto.ts';

export type ContractEvent = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'ContractInvalid' | 'ContractUnavailable' | 'ValidationFailed' | 'ContractRecovered';
  readonly message: string;
};

/** How a pass ended: with a judgement, or without a contract to judge by. */
export type PassEnd =
  | { readonly kind: 'finished'; readonly status: ContractStatus; readonly summary: Summary }
  | { readonly kind: 'failed'; readonly status: 'Invalid' | 'Unknown'; readonly message: string };

/**
 * The event for a change from `previous` (undefined: never judged), or nothing. A change of cause inside one status is
 * silent, and so is a first judgement that is good (controller.md 4).
 */
export function contractEvent(previous: ContractStatus | undefined, end: PassEnd): ContractEvent | undefined {
  if (isDegraded(end.status)) {
    if (end.status === previous) return undefined;
    if (end.kind === 'finished') return { type: 'Warning', reason: 'ValidationFailed', message: counts(end) };
    const reason = end.status === 'Unknown' ? 'ContractUnavailable' : 'ContractInvalid';
    return { type: 'Warning', reason, message: end.message };
  }
  if (!isDegraded(previous) || end.kind !== 'finished') return undefined;
  return { type: 'Normal', reason: 'ContractRecovered', message: counts(end) };
}

function isDegraded(status: ContractStatus | undefined): boolean {
  return status !== undefined && status !== 'Compliant' && status !== 'Reference';
}

function counts({ status, summary }: Extract<PassEnd, { kind: 'finished' }>): string {
  return `ContractStatus: ${status}, ${summary.errorCount} errors, ${summary.warningCount} warnings`;
}
