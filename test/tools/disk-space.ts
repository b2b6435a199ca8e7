// Asks before a build whether the disks have room for it, so that none runs full in the middle.
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from './tool-error.ts';

/** So many bytes will be written below a folder, which need not exist yet. */
export type DiskNeed = { readonly folder: string; readonly bytes: number };

/** Free bytes for this user on the disk that holds an existing folder. */
export type FreeBytes = (folder: string) => Promise<number>;

/** The system's own answer. */
export const freeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * @param what named in the message
 * @throws ToolError `disk-full` when a disk has less free space than all the needs on it together
 */
export async function requireSpace(
  what: string,
  needs: readonly DiskNeed[],
  free: FreeBytes = freeBytes,
): Promise<void> {
  const disks = new Map<number, { folder: string; bytes: number }>();
  for (const { folder, bytes } of needs) {
    const { existing, device } = await nearest(folder);
    const disk = disks.get(device) ?? { folder: existing, bytes: 0 };
    disk.bytes += bytes;
    disks.set(device, disk);
  }
  for (const { folder, bytes } of disks.values()) {
    const available = await free(folder);
    if (available < bytes) {
      throw new ToolError(
        'disk-full',
        `Building ${what} needs about ${inWords(bytes)} on the disk of ${folder}, where ${inWords(available)} are free: free some space there, or name folders on another disk by GOCACHE and GOMODCACHE (Go's caches), TMPDIR, and PACTO_GATE_CACHE (the built programs).`,
      );
    }
  }
}

/** `6.1 GB`, `350 MB`. */
export function inWords(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;
}

async function nearest(folder: string): Promise<{ existing: string; device: number }> {
  try {
    return { existing: folder, device: (await stat(folder)).dev };
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return nearest(parent);
  }
}
