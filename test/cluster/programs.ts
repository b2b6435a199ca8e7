// Chooses the programs of a control plane: those of the folder KUBEBUILDER_ASSETS names, and built ones for the rest.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureTools, type ToolName } from '../tools/build.ts';
import { TOOL_SETS } from '../tools/tool-table.ts';

/** A process of the control plane. */
type ControlPart = 'etcd' | 'apiserver' | 'controller-manager' | 'scheduler';

/** A real node with its kubelet and containerd. */
export type NodeName = 'node-1' | 'node-2';

/** What can be started and stopped: of the control plane, the registry of images, nodes. */
export type PartName = ControlPart | 'registry' | NodeName;

/** The parts of the control plane, in the order in which they can start. */
export const PARTS: readonly ControlPart[] = ['etcd', 'apiserver', 'controller-manager', 'scheduler'];

/** The names of so many nodes. */
export const nodeNames = (count: 0 | 1 | 2): readonly NodeName[] =>
  (['node-1', 'node-2'] as const).slice(0, count);

const FILES: Readonly<Record<ControlPart, string>> = {
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

/** What a node runs, and what its images are made and brought with. */
const OF_NODES: readonly ToolName[] = [...TOOL_SETS['real-node'], 'registry', 'workload', 'image', 'oras'];

/**
 * @param nodes how many real nodes there will be
 * @param env its KUBEBUILDER_ASSETS names a folder with at least etcd and kube-apiserver, as other projects have it
 * @throws ToolError when a program must be built and cannot
 */
export async function choosePrograms(env: NodeJS.ProcessEnv, nodes: 0 | 1 | 2): Promise<Programs> {
  const assets = env['KUBEBUILDER_ASSETS'] || undefined;
  const all = PARTS.every((part) => assets !== undefined && existsSync(join(assets, FILES[part])));
  const needed: ToolName[] = all && nodes === 0 ? [] : ['testcluster']; // which is the kubelet, too
  if (nodes > 0) needed.push(...OF_NODES);
  const { 'cluster-up': launcher, ...built } = await ensureTools(['cluster-up', ...needed], { env });
  return { launcher, built, assets };
}
