// service.version must be a semantic version (INVALID_SEMVER).
import { quote } from '../json.ts';
import { parseVersion } from '../version.ts';
import type { Check } from './context.ts';

export const serviceVersion: Check = ({ contract, report }) => {
  const { version } = contract.service;
  if (parseVersion(version) !== undefined) return;
  report(
    'INVALID_SEMVER',
    ['service', 'version'],
    `${quote(version)} is not a semantic version; write major.minor.patch, for example 1.4.0`,
  );
};
