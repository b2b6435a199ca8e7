// The states the stub kubelet can bring a pod into, and how a test says which pods it means.
import { at, type KubeObject } from './kube-object.ts';

/** Annotation of a pod, usually set in the template of its workload. A change on the running pod counts as well. */
export const STATE_ANNOTATION = 'test.pacto-gate/state';

const STATES = [
  /** Runs and is ready. */
  'ready',
  /** Runs and is not ready. */
  'unready',
  /** Its containers fail and are waited with. */
  'crash-loop',
  /** Its containers are being created, for ever. */
  'pending',
  /** Its image cannot be pulled. */
  'image-pull-error',
  /** Every container ended with 0. Final. */
  'succeeded',
  /** Every container ended with 1. Final. */
  'failed',
] as const;

/** What a pod does. Without being told, it is `ready`. */
export type PodState = (typeof STATES)[number];

export const isPodState = (text: string): text is PodState => STATES.some((state) => state === text);

/** Which pods, present and future: those of a namespace that have the name, when given, and all of the labels. */
export type PodSelector = {
  readonly namespace: string;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
};

/** Whether a pod is meant. */
export function matchesPod(selector: PodSelector, { metadata }: KubeObject): boolean {
  if (metadata?.namespace !== selector.namespace) return false;
  if (selector.name !== undefined && metadata.name !== selector.name) return false;
  return Object.entries(selector.labels ?? {}).every(
    ([label, value]) => at(metadata.labels, label) === value,
  );
}
