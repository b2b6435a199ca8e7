// What the operator keeps of a Pacto: its spec and status as they stand, and a fingerprint of all but the status.
import { createHash } from 'node:crypto';
import type { PactoSpec, PactoStatus } from '../../api/pacto.ts';
import * as read from '../../api/read.ts';
import { resolveWorkload, serviceNameOf } from '../../evaluation/target.ts';
import { objectKey } from '../../kube/object-meta.ts';
import { readSpec, readStatus } from './pacto-shape.ts';

export type PactoRecord = {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Opaque; compared for equality only. */
  readonly resourceVersion: string;
  readonly generation: number;
  /** Equal as long as nothing but status, resourceVersion and managedFields differs. */
  readonly fingerprint: string;
  /** As stored; of a malformed one only the target's Service. */
  readonly spec: PactoSpec;
  /** What is wrong with the shape of the stored spec. */
  readonly malformed?: string;
  /** As stored, with fields this version does not know and without those of a wrong shape. */
  readonly status: PactoStatus;
};

/** Reads a Pacto. Throws a TypeError when it has no name, which the API server rules out. */
export function pactoRecord(object: unknown): PactoRecord {
  const metadata = read.object(object, 'metadata');
  const [namespace, name] = [read.string(metadata, 'namespace'), read.string(metadata, 'name')];
  if (namespace === undefined || name === undefined) throw new TypeError('a Pacto without namespace or name');
  const spec = read.field(object, 'spec');
  return {
    namespace,
    name,
    uid: read.string(metadata, 'uid') ?? '',
    resourceVersion: read.string(metadata, 'resourceVersion') ?? '',
    generation: read.integer(metadata, 'generation') ?? 0,
    fingerprint: fingerprint(metadata, spec),
    ...readSpec(spec),
    status: readStatus(read.field(object, 'status')),
  };
}

export function pactoKey(pacto: Pick<PactoRecord, 'namespace' | 'name'>): string {
  return objectKey(pacto.namespace, pacto.name);
}

function fingerprint(metadata: read.Json | undefined, spec: unknown): string {
  const { resourceVersion: _version, managedFields: _fields, ...rest } = metadata ?? {};
  const hash = createHash('sha256')
    .update(JSON.stringify([rest, spec]))
    .digest();
  // Half of it is more than enough to tell two versions of one object apart.
  return hash.toString('base64url', 0, 16);
}

/** Names of the Service and the workload, each once: an object of one of these names concerns the Pacto. */
export function targetNames({ target }: PactoSpec): readonly string[] {
  const names = [serviceNameOf(target), resolveWorkload(target)?.name];
  return [...new Set(names.filter((name): name is string => name !== undefined))];
}
