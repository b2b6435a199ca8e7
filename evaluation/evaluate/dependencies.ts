// Judges dependencies: reachability, the version of the provider, and peers nobody declared.
import type { ContractDependency } from '../../contract/model.ts';
import { parseVersion } from '../../contract/version.ts';
import { satisfiesText } from '../../contract/range.ts';
import type { Observed } from '../evidence.ts';
import type { Assertion, Judgement } from './judgement.ts';

export function evaluateDependencies(
  judgement: Judgement,
  dependencies: readonly ContractDependency[],
): void {
  for (const declared of dependencies) {
    const assertion = {
      kind: 'DependencyReachable',
      name: declared.name,
      subject: `dependency/${declared.name}`,
      path: `dependencies[name=${declared.name}]`,
      required: declared.required,
    } as const;
    const observation = judgement.observed(assertion);
    if (observation === undefined) continue;
    if (!observation.value.reachable) {
      const message = `${assertion.subject} has been out of reach for a whole window`;
      judgement.contradiction('DEPENDENCY_UNREACHABLE', assertion, { message, observation });
    }
    checkVersion(judgement, assertion, declared, observation);
  }
  evaluateUndeclared(judgement, dependencies);
}

function checkVersion(
  judgement: Judgement,
  assertion: Assertion<'DependencyReachable'>,
  { compatibility }: ContractDependency,
  observation: Observed<'DependencyReachable'>,
): void {
  const path = `${assertion.path}.compatibility`;
  const { version } = observation.value;
  if (version === undefined || parseVersion(version) === undefined) return judgement.unverified(path);
  if (satisfiesText(version, compatibility)) return;
  const message = `${assertion.subject} is provided in version ${version}, outside the accepted range ${compatibility}`;
  judgement.contradiction('DEPENDENCY_VERSION_MISMATCH', assertion, { message, observation, path });
}

/** Connections seen to services that no declared dependency names: worth a warning, never more. */
function evaluateUndeclared(judgement: Judgement, dependencies: readonly ContractDependency[]): void {
  let declared: ReadonlySet<string> | undefined;
  for (const observation of judgement.observations) {
    if (observation.kind !== 'DependencyReachable' || observation.outcome !== 'Observed') continue;
    const { name } = observation.subject;
    declared ??= new Set(dependencies.map((dependency) => dependency.name));
    if (!observation.value.reachable || declared.has(name)) continue;
    const assertion = {
      kind: 'DependencyReachable',
      name,
      subject: `dependency/${name}`,
      path: 'dependencies',
      required: false,
    } as const;
    const message = `the workload connects to ${name}, which the contract does not declare`;
    judgement.contradiction('DEPENDENCY_UNDECLARED', assertion, { message, observation });
  }
}
