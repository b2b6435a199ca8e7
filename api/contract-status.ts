// The verdict words and the one ladder that ranks findings into a verdict (evaluation 16.1).
import type { Finding } from './finding.ts';
import type { EvaluationCoverage, Summary } from './pacto.ts';

export const CONTRACT_STATUSES = [
  'Compliant',
  'Warning',
  'NonCompliant',
  'Reference',
  'Unknown',
  'Invalid',
  'NotEvaluated',
] as const;
export type ContractStatus = (typeof CONTRACT_STATUSES)[number];

/** Counts by severity over the list that is written to `status.findings`. */
export function summarize(findings: readonly Finding[]): Summary {
  const count = (severity: Finding['severity']): number =>
    findings.reduce((n, f) => (f.severity === severity ? n + 1 : n), 0);
  return {
    errorCount: count('error'),
    warningCount: count('warning'),
    infoCount: count('info'),
    unknownCount: count('unknown'),
  };
}

/**
 * Ranks findings and coverage: any error is NonCompliant, else any unknown or coverage gap is Unknown, else any
 * warning is Warning, else Compliant. `info` counts for nothing.
 */
export function rankStatus(
  findings: readonly Finding[],
  coverage: Pick<EvaluationCoverage, 'evaluated' | 'required'>,
): 'Compliant' | 'Warning' | 'NonCompliant' | 'Unknown' {
  const summary = summarize(findings);
  if (summary.errorCount > 0) return 'NonCompliant';
  if (summary.unknownCount > 0 || coverage.evaluated < coverage.required) return 'Unknown';
  return summary.warningCount > 0 ? 'Warning' : 'Compliant';
}
