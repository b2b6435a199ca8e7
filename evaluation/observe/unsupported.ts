// Dimensions this collector cannot look at yet: declared means Unsupported, so that nothing undecided reads as kept.
import type { Observer } from './observer-context.ts';

export const dependenciesUnsupported: Observer = ({ input, make }) =>
  input.contract.dependencies.map(({ name }) => make.without('DependencyReachable', name, 'Unsupported'));

export const capabilitiesUnsupported: Observer = ({ input, make }) =>
  input.contract.capabilities
    .filter(({ type }) => type !== 'extension')
    .map(({ type }) => make.without('CapabilityObserved', type, 'Unsupported'));

export const configurationsUnsupported: Observer = ({ input, make }) =>
  input.contract.configurations.map(({ name }) => make.without('ConfigurationPresent', name, 'Unsupported'));

export const persistenceUnsupported: Observer = ({ input, make }) =>
  input.contract.state?.persistence.durability === 'persistent'
    ? [make.without('PersistenceObserved', input.contract.service.name, 'Unsupported')]
    : [];
