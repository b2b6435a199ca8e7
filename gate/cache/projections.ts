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
export function ownedRevision(object: unknown): OwnedRevision | undefined {
  const metadata = read.object(object, 'metadata');
  const owner = read.list(metadata, 'ownerReferences').find(isDeployment);
  const ownerUid = read.string(owner, 'uid');
  const annotations = read.stringMap(metadata, 'annotations');
  const number = revisionNumber(annotations[REVISION_ANNOTATION]);
  if (ownerUid === undefined || number === undefined) return undefined;
  const earlier = (annotations[HISTORY_ANNOTATION] ?? '')
    .split(',')
    .flatMap((text) => revisionNumber(text) ?? []);
  return {
    ownerUid,
    first: Math.min(number, ...earlier),
    templateKey: templateKey(read.field(read.object(object, 'spec'), 'template')),
  };
}

function isDeployment(owner: unknown): boolean {
  const ofApps = read.string(owner, 'apiVersion')?.startsWith('apps/') === true;
  return ofApps && read.boolean(owner, 'controller') && read.string(owner, 'kind') === 'Deployment';
}

function revisionNumber(text: string | undefined): number | undefined {
  const number = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
  return number > 0 ? number : undefined;
}
