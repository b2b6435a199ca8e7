// What the operator remembers of every Pacto: what leads to it, ready to be looked up, and all the rest packed. Ten thousand of
// them are there all the time, and a pass needs one.
import { declaredRepository } from '../../evaluation/repository.ts';
import { providerOf } from '../../evaluation/projections/provider.ts';
import type { ProviderView } from '../../evaluation/view.ts';
import { objectKey } from '../../kube/object-meta.ts';
import { compact } from './compact.ts';
import { pack, unpack } from './packed.ts';
import { type PactoRecord, pactoRecord, targetNames } from './pacto-record.ts';

export type StoredPacto = Pick<PactoRecord, 'namespace' | 'name' | 'resourceVersion' | 'fingerprint'> & {
  /** What it means to those that depend on it. */
  readonly provider: ProviderView;
  /** `namespace/name` of its Service and its workload. */
  readonly targets: readonly string[];
  /** `namespace/name` of the ConfigMaps that configurations are bound to. */
  readonly configMaps: readonly string[];
  /** Repositories of what its contract depends on, as known from the last pass over it. */
  readonly dependencies: readonly string[];
  /** What is left of the record, as {@link pack} makes it. */
  readonly packed: string;
};

type Left = Omit<PactoRecord, 'namespace' | 'name' | 'resourceVersion' | 'fingerprint'>;

/** Reads a Pacto. Throws as {@link pactoRecord} does. */
export function storePacto(object: unknown): StoredPacto {
  const { namespace, name, resourceVersion, fingerprint, ...left } = pactoRecord(object);
  const { spec, status } = left;
  const bindings = spec.target?.configBindings ?? [];
  return compact({
    namespace,
    name,
    resourceVersion,
    fingerprint,
    provider: providerOf({ namespace, name }, spec, status),
    targets: targetNames(spec).map((target) => objectKey(namespace, target)),
    configMaps: bindings
      .filter(({ kind }) => kind === 'ConfigMap')
      .map((binding) => objectKey(namespace, binding.name)),
    dependencies: (status.dependencies ?? []).flatMap(({ ref }) => declaredRepository(ref) ?? []),
    packed: pack(left),
  });
}

/** The whole record again. */
export function openPacto(stored: StoredPacto): PactoRecord {
  const { namespace, name, resourceVersion, fingerprint, packed } = stored;
  return { namespace, name, resourceVersion, fingerprint, ...(unpack(packed) as Left) };
}
