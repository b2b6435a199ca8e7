// What the gate keeps of each object it watches: a few fields, read once when the object arrives.
import type { EvidenceGrant } from '../../api/promotion-policy.ts';
import * as read from '../../api/read.ts';
import { rolloutComplete, templateImages } from '../../api/rollout.ts';
import { templateKey } from '../promotions/workload.ts';
import type { RunningWorkload } from '../revision.ts';
import type { Revision } from '../write.ts';

export type OwnedRevision = Revision & { readonly ownerUid: string };

export type LabelledNamespace = { readonly name: string; readonly labels: Readonly<Record<string, string>> };

const REVISION_ANNOTATION = 'deployment.kubernetes.io/revision';
/** Numbers the same template had before it came back, comma-separated. */
const HISTORY_ANNOTATION = 'deployment.kubernetes.io/revision-history';

export function labelledNamespace(object: unknown): LabelledNamespace {
  const metadata = read.object(object, 'metadata');
  return { name: read.string(metadata, 'name') ?? '', labels: read.stringMap(metadata, 'labels') };
}

/** A grant with an entry that names neither a namespace nor a selector grants nothing through that entry. */
export function evidenceGrant(object: unknown): EvidenceGrant {
  const metadata = read.object(object, 'metadata');
  const spec = read.object(object, 'spec');
  const selector = read.object(spec, 'selector');
  return {
    apiVersion: read.string(object, 'apiVersion') ?? '',
    kind: 'EvidenceGrant',
    metadata: {
      name: read.string(metadata, 'name') ?? '',
      namespace: read.string(metadata, 'namespace') ?? '',
    },
    spec: {
      from: read.list(spec, 'from').map((from) => {
        const namespaceSelector = read.object(from, 'namespaceSelector');
        return read.defined({
          kind: 'PromotionPolicy' as const,
          namespace: read.string(from, 'namespace'),
          namespaceSelector,
        });
      }),
      ...(selector === undefined ? {} : { selector }),
    },
  };
}

/** What runs now under a Deployment or StatefulSet. */
export function runningWorkload(object: unknown): RunningWorkload {
  const template = read.object(read.object(object, 'spec'), 'template');
  return {
    generation: read.integer(read.object(object, 'metadata'), 'generation') ?? 0,
    rolledOut: rolloutComplete(object) ?? false,
    images: templateImages(read.object(template, 'spec')).containers,
  };
}

/** A ReplicaSet as a revision of the Deployment that controls it; nothing for any other. */
export function replicaSetRevision(object: unknown): OwnedRevision | undefined {
  const metadata = read.object(object, 'metadata');
  const ownerUid = controllerOf(metadata, ['Deployment']);
  const annotations = read.stringMap(metadata, 'annotations');
  const number = revisionNumber(annotations[REVISION_ANNOTATION]);
  if (ownerUid === undefined || number === undefined) return undefined;
  const earlier = (annotations[HISTORY_ANNOTATION] ?? '')
    .split(',')
    .flatMap((text) => revisionNumber(text) ?? []);
  const first = Math.min(number, ...earlier);
  return {
    ownerUid,
    name: `revision ${first}`,
    first,
    templateKey: templateKey(read.field(read.object(object, 'spec'), 'template')),
  };
}

/**
 * A ControllerRevision as a revision of the StatefulSet or DaemonSet that controls it; nothing for any other. A rollback
 * gives it a new number and nothing remembers the old one, so that revisions rank by when they were made, to the second.
 */
export function controllerRevision(object: unknown): OwnedRevision | undefined {
  const metadata = read.object(object, 'metadata');
  const ownerUid = controllerOf(metadata, ['StatefulSet', 'DaemonSet']);
  const template = read.object(read.object(read.object(object, 'data'), 'spec'), 'template');
  const first = Date.parse(read.string(metadata, 'creationTimestamp') ?? '');
  if (ownerUid === undefined || template === undefined || Number.isNaN(first)) return undefined;
  // How the template is put back: an instruction for a patch, not a part of it.
  const { $patch: _instruction, ...kept } = template;
  return {
    ownerUid,
    name: `revision ${read.integer(object, 'revision') ?? 0}`,
    first,
    templateKey: templateKey(kept),
  };
}

/** UID of what controls an object, where that is one of these kinds of group `apps`. */
function controllerOf(metadata: read.Json | undefined, kinds: readonly string[]): string | undefined {
  const owner = read
    .list(metadata, 'ownerReferences')
    .find(
      (one) =>
        read.string(one, 'apiVersion')?.startsWith('apps/') === true &&
        read.boolean(one, 'controller') &&
        kinds.includes(read.string(one, 'kind') ?? ''),
    );
  return read.string(owner, 'uid');
}

function revisionNumber(text: string | undefined): number | undefined {
  const number = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
  return number > 0 ? number : undefined;
}
