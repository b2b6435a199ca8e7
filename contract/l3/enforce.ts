// L3b: the whole document against every policy; each failing leaf is one violation (contract.md 5.5).
import { byText } from '../../api/by-text.ts';
import type { GenericReading } from '../generic-reading.ts';
import type { Report } from '../issue.ts';
import type { ContractPolicy } from './contract-policy.ts';

/** Policies in their order; the leaves of one policy sorted by text. */
export function enforcePolicies(
  document: GenericReading,
  policies: readonly ContractPolicy[],
  report: Report,
): void {
  if (policies.length === 0) return;
  if (document.kind === 'unreadable') {
    report('POLICY_ENFORCEMENT_ERROR', [], `the document cannot be read: ${document.problem.message}`);
    return;
  }
  for (const { origin, check } of policies) {
    const leaves = check(document.value).map(({ pointer, reason, path }) => ({
      text: `at '${pointer}': ${reason}`,
      path,
    }));
    for (const { text, path } of leaves.toSorted((a, b) => byText(a.text, b.text))) {
      report('POLICY_VIOLATION', [], `policy ${origin}: ${text}`, path);
    }
  }
}
