// Judges health and metrics; an extension cannot be judged here and is listed as unverified.
import type { ContractCapability } from '../../contract/model.ts';
import type { Judgement } from './judgement.ts';

/** Health and metrics, in contract order. */
export function evaluateCapabilities(
  judgement: Judgement,
  capabilities: readonly ContractCapability[],
): void {
  for (const { type, ref = '' } of capabilities) {
    if (type === 'extension') {
      judgement.unverified(`capabilities[ref=${ref}]`);
      continue;
    }
    const assertion = {
      kind: 'CapabilityObserved',
      name: type,
      subject: `capability/${type}`,
      path: `capabilities[type=${type}]`,
      required: true,
    } as const;
    const observation = judgement.observed(assertion);
    if (observation === undefined || observation.value.present) continue;
    const message = `${assertion.subject} is declared, and its path has answered "not found" for a whole window`;
    judgement.contradiction('CAPABILITY_ABSENT', assertion, { message, observation });
  }
}
