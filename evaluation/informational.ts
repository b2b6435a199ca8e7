// The parts of a status that only repeat the contract for readers (controller.md 7.2).
import { byText } from '../api/by-text.ts';
import type { ContractInfo, PactoStatus } from '../api/pacto.ts';
import type { Json } from '../contract/json.ts';
import type { Contract, ContractConfiguration, ContractPolicyEntry, Owner } from '../contract/model.ts';
import {
  type DescribedSchema,
  describeValues,
  NO_DESCRIPTIONS,
  type SchemaDescriptions,
  textOf,
} from './schema-description.ts';

export type InformationalFields = Pick<
  PactoStatus,
  | 'contract'
  | 'contractVersion'
  | 'interfaces'
  | 'capabilities'
  | 'configurations'
  | 'dependencies'
  | 'policies'
  | 'metadata'
>;

export type InformationalOptions = {
  /** Full reference with tag or digest; absent for an inline contract. */
  readonly resolvedRef?: string;
  /** Keys each configuration got from the resource, by configuration name. */
  readonly overriddenKeys?: ReadonlyMap<string, readonly string[]>;
  /** Titles and properties of schemas in the bundle. Default: none are known. */
  readonly descriptions?: SchemaDescriptions;
};

/** Fields of the effective contract. Empty lists and maps are left out. */
export function informationalFields(
  contract: Contract,
  options: InformationalOptions = {},
): InformationalFields {
  const descriptions = options.descriptions ?? NO_DESCRIPTIONS;
  const metadata = Object.entries(contract.metadata).map(([key, value]) => [key, textOf(value)] as const);
  return {
    contractVersion: contract.service.version,
    contract: contractInfo(contract, options.resolvedRef),
    ...list(
      'interfaces',
      contract.interfaces.map(({ name, type, ref, visibility }) => ({
        name,
        type,
        ...(ref !== '' && { ref }),
        ...(visibility !== undefined && { visibility }),
      })),
    ),
    ...list(
      'capabilities',
      contract.capabilities.map(({ type, ref }) => ({ type, ...(ref !== undefined && { ref }) })),
    ),
    ...list(
      'configurations',
      contract.configurations.map((configuration) =>
        configurationInfo(configuration, options.overriddenKeys?.get(configuration.name), descriptions),
      ),
    ),
    ...list(
      'dependencies',
      contract.dependencies.map(({ name, ref, required, compatibility }) => ({
        name,
        ref,
        required,
        ...(compatibility !== '' && { compatibility }),
      })),
    ),
    ...list(
      'policies',
      contract.policies.map((policy) => policyInfo(policy, descriptions)),
    ),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
  };
}

function contractInfo({ service }: Contract, resolvedRef: string | undefined): ContractInfo {
  const { name, version, owner } = service;
  const shown = owner?.team ?? owner?.dri;
  const info = owner === undefined ? undefined : ownerInfo(owner);
  return {
    serviceName: name,
    version,
    ...(info !== undefined && { owner: info }),
    ...(shown !== undefined && { ownerDisplay: shown }),
    ...(resolvedRef !== undefined && { resolvedRef }),
  };
}

function ownerInfo({ team, dri, contacts }: Owner): ContractInfo['owner'] {
  if (team === undefined && dri === undefined && contacts.length === 0) return undefined;
  return {
    ...(team !== undefined && { team }),
    ...(dri !== undefined && { dri }),
    ...(contacts.length > 0 && { contacts }),
  };
}

type ConfigurationInfo = NonNullable<PactoStatus['configurations']>[number];

function configurationInfo(
  { name, schema, ref, values = {} }: ContractConfiguration,
  overriddenKeys: readonly string[] | undefined,
  descriptions: SchemaDescriptions,
): ConfigurationInfo {
  const keys = sorted(Object.keys(values));
  const secrets = keys.filter((key) => isSecretReference(values[key]));
  const properties = keys.length > 0 ? describeValues(values) : describe(descriptions, schema)?.properties;
  return {
    name,
    hasSchema: schema !== undefined && schema !== '',
    ...(ref !== undefined && { ref }),
    ...(keys.length > 0 && { valueKeys: keys }),
    ...(secrets.length > 0 && { secretKeys: secrets }),
    ...(overriddenKeys !== undefined &&
      overriddenKeys.length > 0 && { overriddenKeys: sorted(overriddenKeys) }),
    ...(properties !== undefined && properties.length > 0 && { properties }),
  };
}

type PolicyInfo = NonNullable<PactoStatus['policies']>[number];

function policyInfo(
  { name, schema, ref }: ContractPolicyEntry,
  descriptions: SchemaDescriptions,
): PolicyInfo {
  const described = describe(descriptions, schema);
  return {
    name,
    hasSchema: schema !== undefined && schema !== '',
    ...(schema !== undefined && { schema }),
    ...(ref !== undefined && { ref }),
    ...(described?.title !== undefined && { title: described.title }),
    ...(described?.description !== undefined && { description: described.description }),
    ...(described !== undefined && described.properties.length > 0 && { properties: described.properties }),
  };
}

function describe(descriptions: SchemaDescriptions, path: string | undefined): DescribedSchema | undefined {
  return path === undefined || path === '' ? undefined : descriptions.get(path);
}

function isSecretReference(value: Json | undefined): boolean {
  return typeof value === 'string' && value.startsWith('secret://');
}

function sorted(texts: readonly string[]): readonly string[] {
  return texts.toSorted(byText);
}

function list<Key extends string, Item>(
  key: Key,
  items: readonly Item[],
): Partial<Readonly<Record<Key, readonly Item[]>>> {
  if (items.length === 0) return {};
  const entry: Partial<Record<Key, readonly Item[]>> = {};
  entry[key] = items;
  return entry;
}
