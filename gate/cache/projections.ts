// What the gate keeps of each object it watches: a few fields, read once when the object arrives.
import type { EvidenceGrant } from '../../api/promotion-policy.ts';
import * as read from '../../api/read.ts';
import { templateKey } from '../promotions/workload.ts';
import type { RunningWorkload } from '../revision.ts';
import type { Revision } from '../write.ts';

export type OwnedRevision = Revision & { readonly ownerUid: string };

export type LabelledNamespace = { readonly name: string; readonly labels: Readonly<Record<string, string>> };

const REVISION_ANNOTATION = 'deployment.kubernetes.io/revision';

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

/**
 * A rollout of a Deployment or StatefulSet has ended when the controller has seen the spec, every replica is of the new
 * template and available, and none of an older one remains.
 */
export function runningWorkload(object: unknown): RunningWorkload {
  const spec = read.object(object, 'spec');
  const status = read.object(object, 'status');
  const count = (key: string): number => read.integer(status, key) ?? 0;
  const generation = read.integer(read.object(object, 'metadata'), 'generation') ?? 0;
  const seen = count('observedGeneration') >= generation;
  const wanted = read.integer(spec, 'replicas') ?? 1;
  const updated = count('updatedReplicas');
  const rolledOut =
    seen && updated >= wanted && count('availableReplicas') >= wanted && count('replicas') <= updated;
  return { generation, rolledOut };
}

/** A ReplicaSet as a revision of the Deployment that controls it; nothing for any other. */
export function ownedRevision(object: unknown): OwnedRevision | undefined {
  const metadata = read.object(object, 'metadata');
  const owner = read
    .list(metadata, 'ownerReferences')
    .find((o) => read.boolean(o, 'controller') && read.string(o, 'kind') === 'Deployment');
  const ownerUid = read.string(owner, 'uid');
  const number = Number(read.stringMap(metadata, 'annotations')[REVISION_ANNOTATION]);
  if (ownerUid === undefined || !Number.isSafeInteger(number)) return undefined;
  return { ownerUid, number, templateKey: templateKey(read.field(read.object(object, 'spec'), 'template')) };
}
