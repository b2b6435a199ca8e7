// From findings to the verdict fields of a status (evaluation.md 16).
import { rankStatus, summarize } from '../api/contract-status.ts';
import { findingCodeInfo } from '../api/finding-codes.ts';
import type { Finding } from '../api/finding.ts';
import type { PactoStatus } from '../api/pacto.ts';
import type { StaticIssue } from '../contract/issue.ts';
import type { Evaluation } from './evaluate/index.ts';
import { evidenceRef } from './evaluate/judgement.ts';
import type { EvidenceSet } from './evidence.ts';

/** The fields of a status that make its verdict; the word and the counts are always there. */
export type VerdictFields = Required<Pick<PactoStatus, 'contractStatus' | 'summary'>> &
  Pick<PactoStatus, 'findings' | 'evaluationCoverage'>;

/** The verdict over structural warnings, then runtime findings. `findings` is left out when there are none. */
export function verdictOf(
  warnings: readonly StaticIssue[],
  { findings: runtime, coverage }: Evaluation,
  evidence: Pick<EvidenceSet, 'source' | 'observedAt'>,
): VerdictFields {
  const findings = [...warnings.map((warning) => structuralFinding(warning, evidence)), ...runtime];
  return {
    contractStatus: rankStatus(findings, coverage),
    summary: summarize(findings),
    ...(findings.length > 0 && { findings }),
    evaluationCoverage: coverage,
  };
}

/** A contract that is kept for reference: nothing was observed, nothing is held against it. */
export const REFERENCE_VERDICT: VerdictFields = { contractStatus: 'Reference', summary: summarize([]) };

/** A contract that could not be used. Invalid: it is at fault. Unknown: it could not be obtained. */
export function failedVerdict(contractStatus: 'Invalid' | 'Unknown'): VerdictFields {
  const none = summarize([]);
  return {
    contractStatus,
    summary: contractStatus === 'Invalid' ? { ...none, errorCount: 1 } : { ...none, unknownCount: 1 },
  };
}

/** A static issue as a finding: no subject, and a reference without collector, because nothing was observed for it. */
export function structuralFinding(
  { code, path, message }: Pick<StaticIssue, 'code' | 'path' | 'message'>,
  evidence: Pick<EvidenceSet, 'source' | 'observedAt'>,
): Finding {
  const { severities, category } = findingCodeInfo(code);
  return {
    code,
    severity: severities[0],
    category,
    ...(path !== '' && { contractPath: path }),
    message,
    evidenceRefs: [evidenceRef(evidence)],
  };
}
