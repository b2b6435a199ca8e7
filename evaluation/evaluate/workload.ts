// Judges what runs the service: its kind and the durability of its state.
import type { Contract } from '../../contract/model.ts';
import type { Observed } from '../evidence.ts';
import type { Assertion, Judgement } from './judgement.ts';

export function evaluateWorkload(judgement: Judgement, { workload, service }: Contract): void {
  if (workload === undefined) return;
  const assertion = {
    kind: 'WorkloadObserved',
    name: service.name,
    subject: `service/${service.name}`,
    path: 'workload',
    required: true,
  } as const;
  const observation = judgement.observed(assertion);
  if (observation === undefined || observation.value.type === workload) return;
  const message = `${assertion.subject} is declared to run as ${workload} and runs as ${observation.value.type}`;
  judgement.contradiction('WORKLOAD_MISMATCH', assertion, { message, observation });
}

/** Only persistent state declares anything to check. */
export function evaluatePersistence(judgement: Judgement, { state, service }: Contract): void {
  if (state?.persistence.durability !== 'persistent') return;
  const assertion = {
    kind: 'PersistenceObserved',
    name: service.name,
    subject: `service/${service.name}`,
    path: 'state.persistence.durability',
    required: true,
  } as const;
  const observation = judgement.observed(assertion);
  if (observation === undefined) return;
  if (!observation.value.durable) {
    const message = `${assertion.subject} is declared to keep its state, and its workload has only ephemeral volumes`;
    judgement.contradiction('PERSISTENCE_MISMATCH', assertion, { message, observation });
  }
  checkScope(judgement, assertion, state.persistence.scope, observation);
}

/** Declared scope against what was seen (evaluation.md 9.4). */
function checkScope(
  judgement: Judgement,
  assertion: Assertion<'PersistenceObserved'>,
  declared: 'local' | 'shared',
  observation: Observed<'PersistenceObserved'>,
): void {
  const path = 'state.persistence.scope';
  const { scope } = observation.value;
  // A store outside the cluster cannot be ruled out, so shared state is never refuted.
  if (scope === undefined || (declared === 'shared' && scope === 'local')) return judgement.unverified(path);
  if (declared === scope) return;
  const message = `${assertion.subject} declares local state, and several pods share one writable volume`;
  judgement.contradiction('PERSISTENCE_MISMATCH', assertion, { message, observation, path });
}
