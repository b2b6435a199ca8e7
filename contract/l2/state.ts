// State that contradicts itself (STATELESS_PERSISTENT_CONFLICT).
import type { Check } from './context.ts';

export const statePersistence: Check = ({ contract, report }) => {
  if (contract.state?.type !== 'stateless' || contract.state.persistence.durability !== 'persistent') return;
  report(
    'STATELESS_PERSISTENT_CONFLICT',
    ['state', 'persistence', 'durability'],
    'a stateless service cannot have persistent state; declare it stateful or the state ephemeral',
  );
};
