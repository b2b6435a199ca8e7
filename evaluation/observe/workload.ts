// Workload: of which kind is what runs the service? (evaluation.md 8)
import type { WorkloadKind } from '../../api/pacto.ts';
import type { ObservedWorkload } from '../evidence.ts';
import { resolveWorkload } from '../target.ts';
import { noted, type Observer } from './observer-context.ts';

const KIND = 'WorkloadObserved';

const TYPES: Readonly<Record<WorkloadKind, ObservedWorkload>> = {
  Deployment: 'service',
  StatefulSet: 'service',
  ReplicaSet: 'service',
  Job: 'job',
  CronJob: 'scheduled',
};

export const observeWorkload: Observer = (context) => {
  const { input, make } = context;
  const { contract, namespace, target, view } = input;
  const workload = resolveWorkload(target);
  if (contract.workload === undefined || workload === undefined) return [];
  const found = noted(
    context,
    workload.kind,
    workload.name,
    view.workload(workload.kind, namespace, workload.name),
  );
  if (found.kind === 'unreadable') return [make.without(KIND, contract.service.name, 'Failed')];
  if (found.kind === 'absent') return [];
  const type = TYPES[workload.kind];
  // A kind nobody asserted may be ours alone; it decides nothing against the contract.
  const decides = type === contract.workload || workload.explicit;
  return [
    decides
      ? make.value(KIND, contract.service.name, { type })
      : make.without(KIND, contract.service.name, 'Insufficient'),
  ];
};
