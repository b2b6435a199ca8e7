// The status a kubelet would write for a pod in a given state. Pure.
import { createHash } from 'node:crypto';
import { at, conditionStatus, type KubeObject, listAt, textAt } from './kube-object.ts';
import type { PodState } from './pod-state.ts';

export type PodStatusInput = {
  readonly pod: KubeObject;
  readonly state: PodState;
  readonly podIP: string;
  readonly hostIP: string;
  /** RFC 3339, whole seconds. */
  readonly now: string;
};

/** Conditions that the kubelet owns; others (PodScheduled, readiness gates) are kept as they are. */
const OWN_CONDITIONS = ['PodReadyToStartContainers', 'Initialized', 'ContainersReady', 'Ready'];

/** A `status` for a merge patch: fields that must go are null. */
export function stubPodStatus(input: PodStatusInput): Record<string, unknown> {
  const { pod, state, podIP, hostIP, now } = input;
  const hasStarted = state !== 'pending' && state !== 'image-pull-error';
  const ip = at(pod, 'spec', 'hostNetwork') === true ? hostIP : podIP;
  return {
    observedGeneration: pod.metadata?.generation ?? null,
    phase: phaseOf(state),
    startTime: textAt(pod, 'status', 'startTime') || now,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP: hasStarted ? ip : null,
    podIPs: hasStarted ? [{ ip }] : null,
    conditions: conditionsOf(input),
    initContainerStatuses: containersOf(input, 'initContainers', 'initContainerStatuses'),
    containerStatuses: containersOf(input, 'containers', 'containerStatuses'),
  };
}

/** `NAME@sha256:…`: the digest the image reference has, else one made from its text, so equal images get equal ones. */
export function stubImageID(image: string): string {
  const [reference = '', digest] = image.split('@');
  if (digest !== undefined) return image.replace(/:[^:/@]+@/, '@');
  const name = reference.replace(/:[^:/]+$/, '');
  return `${name}@sha256:${createHash('sha256').update(image).digest('hex')}`;
}

function phaseOf(state: PodState): string {
  switch (state) {
    case 'ready':
    case 'unready':
    case 'crash-loop':
      return 'Running';
    case 'pending':
    case 'image-pull-error':
      return 'Pending';
    case 'succeeded':
      return 'Succeeded';
    case 'failed':
      return 'Failed';
  }
}

function conditionsOf({ pod, state, now }: PodStatusInput): readonly unknown[] {
  const word = (truth: boolean): string => (truth ? 'True' : 'False');
  const gates = listAt(pod, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
  const open = gates.every((type) => conditionStatus(pod, type) === 'True');
  const values: Record<string, string> = {
    PodReadyToStartContainers: word(state !== 'pending'),
    Initialized: word(state !== 'pending' && state !== 'image-pull-error'),
    ContainersReady: word(state === 'ready'),
    Ready: word(state === 'ready' && open),
  };
  const old = listAt(pod, 'status', 'conditions');
  const own = OWN_CONDITIONS.map((type) => {
    const before = old.find((condition) => at(condition, 'type') === type);
    const status = values[type];
    const since = at(before, 'status') === status ? at(before, 'lastTransitionTime') : now;
    const reason = status === 'False' && state !== 'succeeded' ? { reason: 'ContainersNotReady' } : {};
    return { type, status, lastProbeTime: null, lastTransitionTime: since, ...reason };
  });
  return [...old.filter((condition) => !OWN_CONDITIONS.includes(textAt(condition, 'type'))), ...own];
}

function containersOf(input: PodStatusInput, specs: string, statuses: string): readonly unknown[] {
  const old = listAt(input.pod, 'status', statuses);
  return listAt(input.pod, 'spec', specs).map((spec) => {
    const before = old.find((status) => at(status, 'name') === at(spec, 'name'));
    const once = specs === 'initContainers' && at(spec, 'restartPolicy') !== 'Always';
    return containerOf(input, spec, before, once);
  });
}

/** @param once an init container, which is over when the others run */
function containerOf(
  { pod, state, now }: PodStatusInput,
  spec: unknown,
  before: unknown,
  once: boolean,
): Record<string, unknown> {
  const image = textAt(spec, 'image');
  const name = textAt(spec, 'name');
  const isNewCrash =
    state === 'crash-loop' && !once && at(before, 'state', 'waiting', 'reason') !== 'CrashLoopBackOff';
  const restarts = Number(at(before, 'restartCount') ?? 0) + (isNewCrash ? 1 : 0);
  const id = createHash('sha256').update(`${pod.metadata?.uid} ${name} ${restarts}`).digest('hex');
  const since = textAt(before, 'state', 'running', 'startedAt') || now;
  const ended = (exitCode: number): object => ({
    terminated: {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: since,
      finishedAt: now,
      containerID: `stub://${id}`,
    },
  });
  const base = { name, image, restartCount: restarts, lastState: {} };
  const pulled = { imageID: stubImageID(image), containerID: `stub://${id}` };
  switch (state) {
    case 'pending':
      return { ...base, imageID: '', ready: false, started: false, state: waiting('ContainerCreating') };
    case 'image-pull-error':
      return { ...base, imageID: '', ready: false, started: false, state: waiting('ImagePullBackOff') };
    case 'ready':
    case 'unready':
      if (once) return { ...base, ...pulled, ready: true, started: false, state: ended(0) };
      return {
        ...base,
        ...pulled,
        ready: state === 'ready',
        started: true,
        state: { running: { startedAt: since } },
      };
    case 'crash-loop':
      if (once) return { ...base, ...pulled, ready: true, started: false, state: ended(0) };
      return {
        ...base,
        ...pulled,
        ready: false,
        started: false,
        state: waiting('CrashLoopBackOff'),
        lastState: ended(1),
      };
    case 'succeeded':
    case 'failed':
      return {
        ...base,
        ...pulled,
        ready: once,
        started: false,
        state: ended(state === 'failed' && !once ? 1 : 0),
      };
  }
}

const waiting = (reason: string): object => ({
  waiting: { reason, message: `the stub kubelet says ${reason}` },
});
