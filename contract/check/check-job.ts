// What the thread for long checks is asked, and what it answers.
import { type DocumentFit, documentFit, type DocumentQuestion } from '../document-fit.ts';
import type { Contract } from '../model.ts';
import { type LoadError, parseContract } from '../parse.ts';
import { type CheckedContract, checkContract, type CheckFault, type CheckRequest } from './check-contract.ts';

export type CheckJob =
  | { readonly kind: 'parse'; readonly contract: string | Uint8Array }
  | { readonly kind: 'check'; readonly request: CheckRequest }
  | { readonly kind: 'fit'; readonly question: DocumentQuestion };

export type ParsedContract =
  | { readonly kind: 'parsed'; readonly contract: Contract }
  | { readonly kind: 'failed'; readonly fault: Exclude<CheckFault, 'override'>; readonly error: LoadError };

export type CheckAnswer =
  | { readonly kind: 'parse'; readonly parsed: ParsedContract }
  | { readonly kind: 'check'; readonly checked: CheckedContract }
  | { readonly kind: 'fit'; readonly fit: DocumentFit };

/** Does one job. */
export function runCheckJob(job: CheckJob): CheckAnswer {
  if (job.kind === 'fit') return { kind: 'fit', fit: documentFit(job.question) };
  if (job.kind === 'check') return { kind: 'check', checked: checkContract(job.request) };
  const result = parseContract(job.contract);
  const parsed: ParsedContract =
    result.kind === 'failed'
      ? { ...result, fault: 'parse' }
      : { kind: 'parsed', contract: result.loaded.contract };
  return { kind: 'parse', parsed };
}
