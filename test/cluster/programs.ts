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
  /** Built programs by the names they are called by. */
  readonly built: Readonly<Partial<Record<ToolName, string>>>;
  /** Folder whose programs are preferred. */
  readonly assets: string | undefined;
};

/** Minors of Kubernetes, newest first, by the programs that hold them. */
const MINORS = { '1.37': 'testcluster', '1.34': 'testcluster-1.34' } as const satisfies Record<
  string,
  ToolName
>;

/** @throws Error when PACTO_GATE_KUBERNETES names a minor that is not built here */
function kubernetesProgram({ PACTO_GATE_KUBERNETES: minor }: NodeJS.ProcessEnv): ToolName {
  if (minor === undefined || minor === '') return 'testcluster';
  const program = Object.entries(MINORS).find(([name]) => name === minor)?.[1];
  if (program !== undefined) return program;
  const known = Object.keys(MINORS).join(', ');
  throw new Error(
    `PACTO_GATE_KUBERNETES is ${JSON.stringify(minor)}: give a minor of ${known}, or leave it out`,
  );
}

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
  const needed: ToolName[] = nodes > 0 ? ['cluster-up', ...OF_NODES] : ['cluster-up'];
  const { 'cluster-up': launcher, ...built } = await ensureTools(needed, { env });
  if (all && nodes === 0) return { launcher, built, assets };
  const kubernetes = kubernetesProgram(env); // which is the kubelet, too
  const { [kubernetes]: testcluster } = await ensureTools([kubernetes], { env });
  return { launcher, built: { ...built, testcluster }, assets };
}
