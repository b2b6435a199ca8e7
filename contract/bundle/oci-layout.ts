// Images on disk in the OCI image layout: a folder that `oras` and other tools read and write.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { descriptorJson, MEDIA_TYPES } from './manifest.ts';
import type { PackedBundle } from './pack-bundle.ts';

/** Writes an image into `folder`, which is made when it is missing, under `tag`. An index that is there is replaced. */
export async function writeOciLayout(
  folder: string,
  { manifest, blobs }: PackedBundle,
  tag: string,
): Promise<void> {
  const blobFolder = join(folder, 'blobs', 'sha256');
  await mkdir(blobFolder, { recursive: true });
  for (const [digest, bytes] of blobs)
    await writeFile(join(blobFolder, digest.slice('sha256:'.length)), bytes);
  await writeFile(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  const named = { ...descriptorJson(manifest), annotations: { 'org.opencontainers.image.ref.name': tag } };
  const index = { schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests: [named] };
  await writeFile(join(folder, 'index.json'), JSON.stringify(index));
}
