// What the volumes of a pod template say about the durability of its state (evaluation.md 9).
import * as read from '../../api/read.ts';
import type { VolumeView } from '../view-objects.ts';

/** Volumes that certainly go with the pod or hold nothing of its own. A closed list: everything else is ambiguous. */
const EPHEMERAL = ['emptyDir', 'projected', 'configMap', 'secret', 'downwardAPI'] as const;

export function volumeViews(podSpec: unknown): readonly VolumeView[] {
  const writable = writableVolumes(podSpec);
  return read.list(podSpec, 'volumes').map((volume): VolumeView => {
    const claim = read.object(volume, 'persistentVolumeClaim');
    if (claim !== undefined) {
      const name = read.string(volume, 'name') ?? '';
      return { kind: 'claim', writable: !read.boolean(claim, 'readOnly') && writable.has(name) };
    }
    // A volume without any source is an emptyDir.
    const sources = Object.keys(read.isObject(volume) ? volume : {}).filter((key) => key !== 'name');
    const ephemeral = sources.length === 0 || EPHEMERAL.some((source) => read.object(volume, source));
    return { kind: ephemeral ? 'ephemeral' : 'ambiguous' };
  });
}

/** Names of volumes that some container can write to, as a file system or as a block device. */
function writableVolumes(podSpec: unknown): ReadonlySet<string> {
  const containers = ['containers', 'initContainers'].flatMap((key) => read.list(podSpec, key));
  return new Set(
    containers.flatMap((container) => [
      ...read
        .list(container, 'volumeMounts')
        .filter((mount) => !read.boolean(mount, 'readOnly'))
        .flatMap((mount) => read.string(mount, 'name') ?? []),
      ...read.list(container, 'volumeDevices').flatMap((device) => read.string(device, 'name') ?? []),
    ]),
  );
}
