// Images of the test workload: packed without a container engine, and brought to the registry that nodes pull from.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureTools } from '../tools/build.ts';
import type { ClusterCoordinates } from './cluster.ts';

const run = promisify(execFile);

/** How nodes call the registry, wherever it listens. */
export const IMAGE_REGISTRY = 'registry.test';

export type WorkloadImage = {
  /** Without registry and tag, as in `shop/api`. */
  readonly name: string;
  /** Also the version that the workload tells, so that equal tags have equal digests and others have not. */
  readonly tag: string;
  /** Arguments the image has of its own. See `test/tools/workload`. Default: none. */
  readonly args?: readonly string[];
};

export type PushedImage = {
  /** `registry.test/shop/api:1` */
  readonly byTag: string;
  /** `registry.test/shop/api@sha256:…` */
  readonly byDigest: string;
  readonly digest: string;
};

/**
 * Packs the workload as an image and pushes it. Doing so again changes nothing.
 * @throws Error with what the packer or `oras` wrote
 */
export async function pushWorkload(
  { registry, dir }: Pick<ClusterCoordinates, 'registry' | 'dir'>,
  { name, tag, args = [] }: WorkloadImage,
): Promise<PushedImage> {
  const { image, workload, oras } = await ensureTools(['image', 'workload', 'oras']);
  const folder = join(dir, 'images');
  await mkdir(folder, { recursive: true });
  // The same image may be packed twice at once, by this process or another.
  const file = join(folder, `${name.replaceAll('/', '-')}-${tag}-${randomUUID()}.tar`);
  const byTag = `${IMAGE_REGISTRY}/${name}:${tag}`;
  const entrypoint = ['/workload', ...args].join(' ');
  const packed = await run(image, [
    ...['-o', file, '-ref', byTag, '-entrypoint', entrypoint, '-env', `VERSION=${tag}`],
    // Images that differ in their name alone would have one digest, and kubelet may call it by either name.
    ...['-env', `IMAGE=${byTag}`],
    `${workload}=/workload`,
  ]);
  const digest = packed.stdout.trim();
  const target = `${registry}/${name}:${tag}`;
  await run(oras, ['cp', '--from-oci-layout', `${file}:${tag}`, '--to-plain-http', target]);
  await rm(file);
  return { byTag, byDigest: `${IMAGE_REGISTRY}/${name}@${digest}`, digest };
}

/** Puts the image of the container that holds a pod's namespaces where a node imports it from: beside its programs. */
export async function packSandboxImage(bin: string): Promise<void> {
  const { image, workload } = await ensureTools(['image', 'workload']);
  const flags = ['-ref', `${IMAGE_REGISTRY}/pause:1`, '-entrypoint', '/workload pause'];
  await run(image, ['-o', join(bin, 'pause.tar'), ...flags, `${workload}=/workload`]);
}
