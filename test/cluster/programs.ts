// Chooses the programs of a control plane: those of the folder KUBEBUILDER_ASSETS names, and built ones for the rest.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureTools, type ToolName } from '../tools/build.ts';

/** A process of the control plane. */
export type PartName = 'etcd' | 'apiserver' | 'controller-manager' | 'scheduler';

/** All of them, in the order in which they can start. */
export const PARTS: readonly PartName[] = ['etcd', 'apiserver', 'controller-manager', 'scheduler'];

const FILES: Readonly<Record<PartName, string>> = {
  etcd: 'etcd',
  apiserver: 'kube-apiserver',
  'controller-manager': 'kube-controller-manager',
  scheduler: 'kube-scheduler',
};

export type Programs = {
  readonly launcher: string;
  /** Built programs by their names. */
  readonly built: Readonly<Partial<Record<ToolName, string>>>;
  /** Folder whose programs are preferred. */
  readonly assets: string | undefined;
};

/**
 * @param env its KUBEBUILDER_ASSETS names a folder with at least etcd and kube-apiserver, as other projects have it
 * @throws ToolError when a program must be built and cannot
 */
export async function choosePrograms(env: NodeJS.ProcessEnv): Promise<Programs> {
  const assets = env['KUBEBUILDER_ASSETS'] || undefined;
  const all = PARTS.every((part) => assets !== undefined && existsSync(join(assets, FILES[part])));
  if (all) {
    const { 'cluster-up': launcher } = await ensureTools(['cluster-up'], { env });
    return { launcher, built: {}, assets };
  }
  const { 'cluster-up': launcher, testcluster } = await ensureTools(['cluster-up', 'testcluster'], { env });
  return { launcher, built: { testcluster }, assets };
}
