// The running pods of a workload, found by its own selector (evaluation.md 12.1).
import { resolveWorkload } from '../../target.ts';
import type { Lookup, PodView, WorkloadView } from '../../view.ts';
import { noted, type ObserverContext } from '../observer-context.ts';

/** Empty when there is no such workload; unreadable when anything on the way to its pods is. */
export function targetPods(context: ObserverContext): Lookup<readonly PodView[]> {
  const { namespace, target, view } = context.input;
  const resolved = resolveWorkload(target);
  if (resolved === undefined) return { kind: 'found', value: [] };
  const { kind, name } = resolved;
  const workload = noted(context, kind, name, view.workload(kind, namespace, name));
  if (workload.kind === 'unreadable') return workload;
  if (workload.kind === 'absent') return { kind: 'found', value: [] };
  if (kind !== 'CronJob') return podsOf(context, workload.value);
  const jobs = noted(context, 'Job', name, view.jobsOwnedBy(namespace, workload.value.uid ?? ''));
  if (jobs.kind !== 'found') return jobs;
  const pods: PodView[] = [];
  for (const job of jobs.value) {
    const found = podsOf(context, job);
    if (found.kind !== 'found') return found;
    pods.push(...found.value);
  }
  return { kind: 'found', value: pods };
}

function podsOf(context: ObserverContext, workload: WorkloadView): Lookup<readonly PodView[]> {
  const { namespace, name, podSelector } = workload;
  // A workload without a selector owns no pods that could be told from others.
  if (podSelector === undefined) return { kind: 'found', value: [] };
  const pods = noted(context, 'Pod', name, context.input.view.podsMatching(namespace, podSelector));
  if (pods.kind !== 'found') return pods;
  return { kind: 'found', value: pods.value.filter(({ running }) => running) };
}
