// Whether two statuses say the same, whatever the moment at which they say it.
import type { Finding } from '../../../api/finding.ts';
import type { PactoStatus } from '../../../api/pacto.ts';
import { deepEqual } from './status-patch.ts';

/** True when nothing differs but lastReconciledAt and the observedAt and detectedAt of findings. */
export function sameVerdict(a: PactoStatus, b: PactoStatus): boolean {
  return deepEqual(timeless(a), timeless(b));
}

function timeless(status: PactoStatus): object {
  const { lastReconciledAt: _at, findings, ...rest } = status;
  return { ...rest, ...(findings === undefined ? {} : { findings: findings.map(timelessFinding) }) };
}

function timelessFinding(finding: Finding): object {
  const { evidenceRefs, ...rest } = finding;
  const refs = evidenceRefs?.map(({ observedAt: _observed, detectedAt: _detected, ...ref }) => ref);
  return refs === undefined ? rest : { ...rest, evidenceRefs: refs };
}
