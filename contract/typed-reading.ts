// The typed reading: a tree as a Contract. Field names and kinds of the language stand here once (contract.md 1.1).
import type {
  CapabilityBinding,
  ClaimStatus,
  Contract,
  ContractCapability,
  ContractConfiguration,
  ContractDependency,
  ContractInterface,
  ContractPolicyEntry,
  ContractReadiness,
  ContractState,
  InterfaceType,
  Owner,
  ReadinessClaimEntry,
  ReadinessRevision,
  Visibility,
  WorkloadType,
} from './model.ts';
import type { TreeNode } from './tree.ts';
import { type Slot, type TypedProblem, TypedReader } from './typed-reader.ts';

export type TypedReading = {
  readonly contract: Contract;
  /** In document order; not empty means the contract is not to be used. */
  readonly problems: readonly TypedProblem[];
};

/** Reads `root`. Words of closed lists are taken as written; the schema of the language holds them to their lists. */
export function readTyped(root: TreeNode): TypedReading {
  const reader = new TypedReader();
  const contract = readContract(reader, { node: root, path: [] });
  return { contract, problems: reader.problems.toSorted((a, b) => a.offset - b.offset) };
}

const EMPTY: Slot = { node: undefined, path: [] };

function readContract(reader: TypedReader, slot: Slot): Contract {
  const at = reader.object(slot, [
    'pactoVersion',
    'service',
    'interfaces',
    'configurations',
    'policies',
    'dependencies',
    'workload',
    'state',
    'capabilities',
    'readiness',
    'metadata',
    'extensions',
  ]);
  const service = reader.object(at?.service ?? EMPTY, ['name', 'version', 'owner']);
  const owner = readOwner(reader, service?.owner ?? EMPTY);
  const workload = reader.text(at?.workload ?? EMPTY) as WorkloadType | undefined;
  const state = readState(reader, at?.state ?? EMPTY);
  const readiness = readReadiness(reader, at?.readiness ?? EMPTY);
  const each = <T>(list: Slot | undefined, read: (reader: TypedReader, item: Slot) => T): readonly T[] =>
    reader.list(list ?? EMPTY).map((item) => read(reader, item));
  return {
    pactoVersion: reader.text(at?.pactoVersion ?? EMPTY) ?? '',
    service: {
      name: reader.text(service?.name ?? EMPTY) ?? '',
      version: reader.text(service?.version ?? EMPTY) ?? '',
      ...(owner !== undefined && { owner }),
    },
    interfaces: each(at?.interfaces, readInterface),
    configurations: each(at?.configurations, readConfiguration),
    policies: each(at?.policies, readPolicy),
    dependencies: each(at?.dependencies, readDependency),
    ...(workload !== undefined && { workload }),
    ...(state !== undefined && { state }),
    capabilities: each(at?.capabilities, readCapability),
    ...(readiness !== undefined && { readiness }),
    metadata: reader.free(at?.metadata ?? EMPTY) ?? {},
    extensions: reader.free(at?.extensions ?? EMPTY) ?? {},
  };
}

function readOwner(reader: TypedReader, slot: Slot): Owner | undefined {
  const at = reader.object(slot, ['team', 'dri', 'contacts']);
  if (at === undefined) return undefined;
  const team = reader.text(at.team);
  const dri = reader.text(at.dri);
  const contacts = reader.list(at.contacts).map((item) => {
    const contact = reader.object(item, ['type', 'value', 'purpose']);
    const purpose = reader.text(contact?.purpose ?? EMPTY);
    return {
      type: reader.text(contact?.type ?? EMPTY) ?? '',
      value: reader.text(contact?.value ?? EMPTY) ?? '',
      ...(purpose !== undefined && { purpose }),
    };
  });
  return { ...(team !== undefined && { team }), ...(dri !== undefined && { dri }), contacts };
}

function readInterface(reader: TypedReader, slot: Slot): ContractInterface {
  const at = reader.object(slot, ['name', 'type', 'ref', 'visibility']);
  const visibility = reader.text(at?.visibility ?? EMPTY) as Visibility | undefined;
  return {
    name: reader.text(at?.name ?? EMPTY) ?? '',
    type: (reader.text(at?.type ?? EMPTY) ?? '') as InterfaceType,
    ref: reader.text(at?.ref ?? EMPTY) ?? '',
    ...(visibility !== undefined && { visibility }),
  };
}

function readConfiguration(reader: TypedReader, slot: Slot): ContractConfiguration {
  const at = reader.object(slot, ['name', 'required', 'schema', 'ref', 'values']);
  const schema = reader.text(at?.schema ?? EMPTY);
  const ref = reader.text(at?.ref ?? EMPTY);
  const values = reader.free(at?.values ?? EMPTY);
  return {
    name: reader.text(at?.name ?? EMPTY) ?? '',
    required: reader.boolean(at?.required ?? EMPTY),
    ...(schema !== undefined && { schema }),
    ...(ref !== undefined && { ref }),
    ...(values !== undefined && { values }),
  };
}

function readPolicy(reader: TypedReader, slot: Slot): ContractPolicyEntry {
  const at = reader.object(slot, ['name', 'schema', 'ref', 'target']);
  const schema = reader.text(at?.schema ?? EMPTY);
  const ref = reader.text(at?.ref ?? EMPTY);
  const target = reader.text(at?.target ?? EMPTY);
  return {
    name: reader.text(at?.name ?? EMPTY) ?? '',
    ...(schema !== undefined && { schema }),
    ...(ref !== undefined && { ref }),
    ...(target !== undefined && { target }),
  };
}

function readDependency(reader: TypedReader, slot: Slot): ContractDependency {
  const at = reader.object(slot, ['name', 'ref', 'required', 'compatibility']);
  return {
    name: reader.text(at?.name ?? EMPTY) ?? '',
    ref: reader.text(at?.ref ?? EMPTY) ?? '',
    required: reader.boolean(at?.required ?? EMPTY),
    compatibility: reader.text(at?.compatibility ?? EMPTY) ?? '',
  };
}

function readState(reader: TypedReader, slot: Slot): ContractState | undefined {
  const at = reader.object(slot, ['type', 'persistence', 'dataCriticality']);
  if (at === undefined) return undefined;
  const persistence = reader.object(at.persistence, ['scope', 'durability']);
  return {
    type: (reader.text(at.type) ?? '') as ContractState['type'],
    persistence: {
      scope: (reader.text(persistence?.scope ?? EMPTY) ?? '') as ContractState['persistence']['scope'],
      durability: (reader.text(persistence?.durability ?? EMPTY) ??
        '') as ContractState['persistence']['durability'],
    },
    dataCriticality: (reader.text(at.dataCriticality) ?? '') as ContractState['dataCriticality'],
  };
}

function readCapability(reader: TypedReader, slot: Slot): ContractCapability {
  const at = reader.object(slot, ['type', 'ref', 'binding']);
  const ref = reader.text(at?.ref ?? EMPTY);
  const binding = readBinding(reader, at?.binding ?? EMPTY);
  return {
    type: (reader.text(at?.type ?? EMPTY) ?? '') as ContractCapability['type'],
    ...(ref !== undefined && { ref }),
    ...(binding !== undefined && { binding }),
  };
}

function readBinding(reader: TypedReader, slot: Slot): CapabilityBinding | undefined {
  const at = reader.object(slot, ['type', 'interface', 'path']);
  if (at === undefined) return undefined;
  const path = reader.text(at.path);
  return {
    type: reader.text(at.type) ?? '',
    interface: reader.text(at.interface) ?? '',
    ...(path !== undefined && { path }),
  };
}

function readReadiness(reader: TypedReader, slot: Slot): ContractReadiness | undefined {
  const at = reader.object(slot, ['expires', 'claims', 'minScore', 'partialCredit', 'history']);
  if (at === undefined) return undefined;
  const minScore = reader.integer(at.minScore);
  const partialCredit = reader.number(at.partialCredit);
  return {
    expires: reader.text(at.expires) ?? '',
    claims: reader.list(at.claims).map((item) => readClaim(reader, item)),
    ...(minScore !== undefined && { minScore }),
    ...(partialCredit !== undefined && { partialCredit }),
    history: reader.list(at.history).map((item) => readRevision(reader, item)),
  };
}

function readRevision(reader: TypedReader, slot: Slot): ReadinessRevision {
  const at = reader.object(slot, ['date', 'version', 'author', 'description']);
  return {
    date: reader.text(at?.date ?? EMPTY) ?? '',
    version: reader.text(at?.version ?? EMPTY) ?? '',
    author: reader.text(at?.author ?? EMPTY) ?? '',
    description: reader.text(at?.description ?? EMPTY) ?? '',
  };
}

function readClaim(reader: TypedReader, slot: Slot): ReadinessClaimEntry {
  const at = reader.object(slot, ['id', 'type', 'category', 'status', 'evidence', 'weight', 'description']);
  const category = reader.text(at?.category ?? EMPTY);
  const description = reader.text(at?.description ?? EMPTY);
  return {
    id: reader.text(at?.id ?? EMPTY) ?? '',
    type: reader.text(at?.type ?? EMPTY) ?? '',
    ...(category !== undefined && { category }),
    status: (reader.text(at?.status ?? EMPTY) ?? '') as ClaimStatus,
    evidence: reader.text(at?.evidence ?? EMPTY) ?? '',
    weight: reader.integer(at?.weight ?? EMPTY) ?? 0,
    ...(description !== undefined && { description }),
  };
}
