// Deployments, StatefulSets, DaemonSets and CronJobs: a promotion is a container image that differs (gate 3.1).
import { createHash } from 'node:crypto';
import type { TargetKind } from '../../api/promotion-policy.ts';
import * as read from '../../api/read.ts';
import type { PromotedImage } from '../rules.ts';
import type { Movement, Revision, Target, Write } from '../write.ts';

/** Kinds whose pods come from a template, by `group/kind`. */
const WORKLOADS: ReadonlyMap<string, TargetKind> = new Map([
  ['apps/Deployment', 'Deployment'],
  ['apps/StatefulSet', 'StatefulSet'],
  ['apps/DaemonSet', 'DaemonSet'],
  ['batch/CronJob', 'CronJob'],
]);

/** The label a ReplicaSet carries besides its Deployment's template. */
const TEMPLATE_HASH_LABEL = 'pod-template-hash';

/** The target kind of a workload write, or nothing for another object. */
export function workloadKind(write: Pick<Write, 'group' | 'kind'>): TargetKind | undefined {
  return WORKLOADS.get(`${write.group}/${write.kind}`);
}

/**
 * Reads what a write to a workload does.
 * @param revisions revisions this object ran, in any order; empty where its kind keeps none or it is new
 */
export function classifyWorkload(write: Write, kind: TargetKind, revisions: readonly Revision[]): Movement {
  if (write.subresource !== '')
    return { kind: 'none', why: `a write to the ${write.subresource} subresource` };
  const object = write.object;
  if (object === undefined) return { kind: 'none', why: 'nothing is written' };
  const metadata = read.object(object, 'metadata');
  if (read.string(metadata, 'deletionTimestamp') !== undefined) {
    return { kind: 'none', why: 'the object is being deleted' };
  }
  const template = podTemplate(object, kind);
  const before = write.oldObject === undefined ? undefined : podTemplate(write.oldObject, kind);
  const images = promotedImages(template, before);
  const target: Target = {
    kind,
    namespace: write.namespace,
    name: write.name === '' ? (read.string(metadata, 'generateName') ?? '') : write.name,
    labels: read.stringMap(metadata, 'labels'),
    labelsBefore: read.stringMap(read.object(write.oldObject, 'metadata'), 'labels'),
  };
  if (write.oldObject === undefined) return { kind: 'promotion', target, first: 'create', images };
  if (!images.some((image) => image.changed) && !imagesRemoved(template, before)) {
    return { kind: 'none', why: 'no container image changes' };
  }
  const earlier = earlierRevision(template, before, revisions);
  if (earlier !== undefined) return { kind: 'rollback', target, to: earlier.name };
  return { kind: 'promotion', target, first: 'update', images };
}

/** A key that is equal for equal templates, whatever the order of their fields; the ReplicaSet's own label is left out. */
export function templateKey(template: unknown): string {
  return createHash('sha256')
    .update(canonical(withoutHashLabel(template)))
    .digest('base64url');
}

/** `spec.template` of a workload, for a CronJob the one of its Jobs. */
export function podTemplate(object: unknown, kind: TargetKind): read.Json | undefined {
  const spec = read.object(object, 'spec');
  return kind === 'CronJob'
    ? read.object(read.object(read.object(spec, 'jobTemplate'), 'spec'), 'template')
    : read.object(spec, 'template');
}

/**
 * The revision the new template returns to: one that ran before the present template first did. A present template whose
 * revision is not known (its controller has not kept it yet, or that was not seen) is newer than all that are.
 */
function earlierRevision(
  template: unknown,
  before: unknown,
  revisions: readonly Revision[],
): Revision | undefined {
  const [wanted, present] = [templateKey(template), templateKey(before)];
  if (wanted === present) return undefined;
  const presentFirst = firstOf(revisions, present) ?? Number.POSITIVE_INFINITY;
  return revisions.find((r) => r.templateKey === wanted && r.first < presentFirst);
}

function firstOf(revisions: readonly Revision[], key: string): number | undefined {
  const firsts = revisions.filter((r) => r.templateKey === key).map((r) => r.first);
  return firsts.length === 0 ? undefined : Math.min(...firsts);
}

function promotedImages(template: unknown, before: unknown): PromotedImage[] {
  const old = containerImages(before);
  return [...containerImages(template)].map(([name, { image, container }]) => ({
    image,
    container,
    changed: old.get(name)?.image !== image,
  }));
}

function imagesRemoved(template: unknown, before: unknown): boolean {
  const now = containerImages(template);
  return [...containerImages(before).keys()].some((container) => !now.has(container));
}

type ContainerImage = Pick<PromotedImage, 'image' | 'container'>;

/** Image by container name; a container and an init container cannot share one. */
function containerImages(template: unknown): Map<string, ContainerImage> {
  const spec = read.object(template, 'spec');
  const entries = (key: string, container: ContainerImage['container']): [string, ContainerImage][] =>
    read
      .list(spec, key)
      .map((item) => [
        read.string(item, 'name') ?? '',
        { image: read.string(item, 'image') ?? '', container },
      ]);
  return new Map([...entries('initContainers', 'init'), ...entries('containers', 'main')]);
}

function withoutHashLabel(template: unknown): unknown {
  const metadata = read.object(template, 'metadata');
  const labels = read.object(metadata, 'labels');
  if (!read.isObject(template) || labels === undefined) return template;
  const { [TEMPLATE_HASH_LABEL]: _hash, ...rest } = labels;
  return { ...template, metadata: { ...metadata, labels: rest } };
}

/** JSON with sorted keys; nulls and `creationTimestamp` of a template, which clients add and drop freely, are left out. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!read.isObject(value)) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([key, v]) => v !== null && v !== undefined && key !== 'creationTimestamp')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, v]) => `${JSON.stringify(key)}:${canonical(v)}`);
  return `{${entries.join(',')}}`;
}
