// L2, the cross-field checks, in the order in which their findings are listed (contract.md 4.3).
import { capabilities } from './capabilities.ts';
import type { Check } from './context.ts';
import {
  configurationContent,
  configurationFiles,
  interfaceContent,
  interfaceFiles,
  policyContent,
  policyEntries,
} from './files.ts';
import { configurationNames, dependencyNames, interfaceNames, policyNames } from './names.ts';
import { readiness } from './readiness.ts';
import { configurationReferences, dependencyReferences } from './references.ts';
import { serviceVersion } from './service-version.ts';
import { statePersistence } from './state.ts';
import { configurationValues } from './values.ts';

export const CROSS_FIELD_CHECKS: readonly Check[] = [
  serviceVersion,
  interfaceNames,
  configurationNames,
  policyNames,
  dependencyNames,
  capabilities,
  interfaceFiles,
  interfaceContent,
  configurationFiles,
  configurationContent,
  configurationReferences,
  policyEntries,
  policyContent,
  dependencyReferences,
  configurationValues,
  statePersistence,
  readiness,
];
