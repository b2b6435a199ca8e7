// The streaks a contract can have: one per assertion whose absence waits for a window.
import { streakKey, type StreakKey } from '../api/windows.ts';
import { capabilityKey, type Contract } from '../contract/model.ts';

/** Keys of every assertion the effective contract declares (controller.md 2.5). */
export function declaredStreaks(contract: Contract): ReadonlySet<StreakKey> {
  return new Set([
    ...contract.interfaces.map(({ name }) => streakKey({ kind: 'interface', subject: name })),
    ...contract.dependencies.map(({ name }) => streakKey({ kind: 'dependency', subject: name })),
    ...contract.capabilities.map((capability) =>
      streakKey({ kind: 'capability', subject: capabilityKey(capability) }),
    ),
    ...contract.configurations.map(({ name }) => streakKey({ kind: 'configuration', subject: name })),
  ]);
}
