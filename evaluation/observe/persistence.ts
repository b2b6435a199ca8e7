// Persistence: does the state of the service outlive its pods, and who shares it? (evaluation.md 9)
import type { PersistenceScope } from '../evidence.ts';
import { resolveWorkload } from '../target.ts';
import type { WorkloadView } from '../view.ts';
import { noted, type Observer } from './observer-context.ts';

const KIND = 'PersistenceObserved';

export const observePersistence: Observer = (context) => {
  const { contract, namespace, target, view } = context.input;
  const resolved = resolveWorkload(target);
  if (contract.state?.persistence.durability !== 'persistent' || resolved === undefined) return [];
  const { kind, name } = resolved;
  const subject = contract.service.name;
  const workload = noted(context, kind, name, view.workload(kind, namespace, name));
  if (workload.kind === 'unreadable') return [context.make.without(KIND, subject, 'Failed')];
  if (workload.kind === 'absent') return [];
  const durable = isDurable(workload.value);
  if (durable === undefined) return [context.make.without(KIND, subject, 'Insufficient')];
  const scope = scopeOf(workload.value);
  return [context.make.value(KIND, subject, { durable, ...(scope !== undefined && { scope }) })];
};

/** A claim proves that state is kept, only ephemeral volumes that it is not; anything else proves nothing. */
function isDurable({ volumes, hasClaimTemplates }: WorkloadView): boolean | undefined {
  if (hasClaimTemplates || volumes.some(({ kind }) => kind === 'claim')) return true;
  return volumes.some(({ kind }) => kind === 'ambiguous') ? undefined : false;
}

/** Pods that name one claim share it, whatever its access modes; a claim template gives each pod its own. */
function scopeOf({ volumes, podsAtOnce, hasClaimTemplates }: WorkloadView): PersistenceScope | undefined {
  if (volumes.some((volume) => volume.kind === 'claim' && volume.writable)) {
    return podsAtOnce > 1 ? 'shared' : 'local';
  }
  return hasClaimTemplates ? 'local' : undefined;
}
