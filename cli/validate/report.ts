// What `pacto-gate validate` found, in the one form all outputs are made from.
import { FINDING_CODES, findingCodeInfo } from '../../api/finding-codes.ts';
import type { ScalarNote } from '../../contract/scalar-notes.ts';
import type { StaticIssue } from '../../contract/issue.ts';

export type ReportedFinding = {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** Empty for what is no finding of a contract but keeps it from being one. */
  readonly category: string;
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
};

export type ValidationReport = {
  /** Name of the contract's file, as given or as a reference. */
  readonly file: string;
  readonly text: string;
  readonly contract: { readonly name: string; readonly version: string } | undefined;
  /** Errors, then warnings. */
  readonly findings: readonly ReportedFinding[];
  /** What is no finding but good to know. */
  readonly notes: readonly ScalarNote[];
};

/** Label of a contract that could not be loaded; it is no finding code. */
const PARSE_ERROR = 'PARSE_ERROR';

export function isValid({ findings }: ValidationReport): boolean {
  return findings.every(({ severity }) => severity !== 'error');
}

export function findingOf({ code, path, message, line, column }: StaticIssue): ReportedFinding {
  const { severities, category } = findingCodeInfo(code);
  return {
    code,
    severity: severities[0] === 'warning' ? 'warning' : 'error',
    category,
    path,
    line,
    column,
    message,
  };
}

/** Why there is no contract, as a finding. */
export function loadFinding(error: {
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}): ReportedFinding {
  const { message, path = '', line, column } = error;
  return { code: PARSE_ERROR, severity: 'error', category: '', path, line, column, message };
}

/** What a code means, for catalogues of rules. */
export function meaningOf(code: string): string {
  return (
    FINDING_CODES.entries().find(([known]) => known === code)?.[1].meaning ?? 'The contract cannot be loaded.'
  );
}
