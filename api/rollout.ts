// When the rollout of a Deployment, StatefulSet or ReplicaSet has ended, read from the object itself.
import * as read from './read.ts';

/**
 * True when the controller has seen the spec, every replica is of the new template and available, and none of an older
 * one remains. Undefined for an object without replicas in its status, such as a Job.
 */
export function rolloutComplete(object: unknown): boolean | undefined {
  const spec = read.object(object, 'spec');
  const status = read.object(object, 'status');
  if (read.object(spec, 'template') === undefined || read.object(spec, 'selector') === undefined)
    return undefined;
  const count = (key: string): number => read.integer(status, key) ?? 0;
  const generation = read.integer(read.object(object, 'metadata'), 'generation') ?? 0;
  if (count('observedGeneration') < generation) return false;
  const wanted = read.integer(spec, 'replicas') ?? 1;
  // A ReplicaSet has one template and so no count of updated replicas.
  const updated =
    read.integer(status, 'updatedReplicas') ?? (wanted === 0 || hasStrategy(spec) ? 0 : count('replicas'));
  return updated >= wanted && count('availableReplicas') >= wanted && count('replicas') <= updated;
}

function hasStrategy(spec: read.Json | undefined): boolean {
  return read.object(spec, 'strategy') !== undefined || read.object(spec, 'updateStrategy') !== undefined;
}

/** Images of the containers, then of the init containers, of a pod template. */
export function templateImages(podSpec: unknown): {
  readonly containers: readonly string[];
  readonly initContainers: readonly string[];
} {
  const images = (key: string): string[] =>
    read.list(podSpec, key).flatMap((container) => read.string(container, 'image') ?? []);
  return { containers: images('containers'), initContainers: images('initContainers') };
}
