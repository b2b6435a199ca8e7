// What evaluation reads of a Pod, for matching it with what its node saw.
import * as read from '../../api/read.ts';
import type { PodView } from '../view-objects.ts';
import { namesOf } from './names.ts';

/** A static pod is known to its node by the hash of its manifest; its mirror in the API has another uid. */
const CONFIG_HASH = 'kubernetes.io/config.hash';

export function podView(object: unknown): PodView {
  const metadata = read.object(object, 'metadata');
  const spec = read.object(object, 'spec');
  const status = read.object(object, 'status');
  const startTime = read.time(status, 'startTime');
  return {
    ...namesOf(object),
    nodeUid: read.stringMap(metadata, 'annotations')[CONFIG_HASH] ?? read.string(metadata, 'uid') ?? '',
    nodeName: read.string(spec, 'nodeName') ?? '',
    running:
      read.string(status, 'phase') === 'Running' && read.string(metadata, 'deletionTimestamp') === undefined,
    ...(startTime === undefined ? {} : { startTime }),
    hostNetwork: read.boolean(spec, 'hostNetwork'),
    sandboxed: read.string(spec, 'runtimeClassName') !== undefined,
    labels: read.stringMap(metadata, 'labels'),
  };
}
