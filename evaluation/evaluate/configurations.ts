// Judges configurations: the bound object exists, and its document fits the declared schema.
import type { ContractConfiguration } from '../../contract/model.ts';
import type { Judgement } from './judgement.ts';

export function evaluateConfigurations(
  judgement: Judgement,
  configurations: readonly ContractConfiguration[],
): void {
  for (const { name, required } of configurations) {
    const assertion = {
      kind: 'ConfigurationPresent',
      name,
      subject: `configuration/${name}`,
      path: `configurations[name=${name}]`,
      required,
    } as const;
    const observation = judgement.observed(assertion);
    if (observation === undefined) continue;
    if (!observation.value.present) {
      const message = `${assertion.subject} is bound to an object that has been missing for a whole window`;
      judgement.contradiction('CONFIGURATION_ABSENT', assertion, { message, observation });
    } else if (!observation.value.conformant) {
      // The message names no key and quotes no value: configuration may be secret.
      const message = `${assertion.subject} does not fit its declared schema`;
      judgement.contradiction('CONFIGURATION_MISMATCH', assertion, { message, observation });
    }
  }
}
