// The view over raw objects, some of whose kinds the operator cannot read.
import { viewOfObjects } from '../../evaluation/object-view.ts';
import type { ClusterView, Lookup } from '../../evaluation/view.ts';

/** Kind that each look-up reads; a workload's and a monitor's stand in its first argument. */
const KINDS: Readonly<Record<keyof ClusterView, string | undefined>> = {
  service: 'Service',
  servicesAt: 'Service',
  endpointSlices: 'EndpointSlice',
  endpointSlicesAt: 'EndpointSlice',
  workload: undefined,
  jobsOwnedBy: 'Job',
  pactosOfRepository: 'Pacto',
  pactosNamed: 'Pacto',
  pactosOn: 'Pacto',
  ingressesTo: 'Ingress',
  httpRoutesTo: 'HTTPRoute',
  monitors: undefined,
  pod: 'Pod',
  podsMatching: 'Pod',
  nodeObservation: 'NodeRuntimeObservation',
  lease: 'Lease',
};

export function viewWithGaps(objects: readonly unknown[], unreadable: readonly string[] = []): ClusterView {
  const whole = viewOfObjects(objects);
  return Object.fromEntries(
    Object.entries(whole).map(([look, answer]: [string, (...args: never[]) => Lookup<unknown>]) => [
      look,
      (...args: never[]): Lookup<unknown> => {
        const kind = KINDS[look as keyof ClusterView] ?? String(args[0]);
        return unreadable.includes(kind)
          ? { kind: 'unreadable', reason: `${kind} is forbidden (403)` }
          : answer(...args);
      },
    ]),
  ) as unknown as ClusterView;
}
