// The clusters that tests share: those of the test run, or of this one file when it is run alone.
import { after } from 'node:test';
import { TestClient } from './client.ts';
import type { ClusterAccess, NodeInfo, TestCluster } from './cluster.ts';
import { askDesk, DESK_VARIABLE, endWithDesk } from './cluster-desk.ts';
import { EquippedCluster } from './equipped-cluster.ts';
import { startNodeToShare } from './node-to-share.ts';
import type { PodDriver } from './stub-kubelet.ts';

/**
 * A cluster that other tests use at the same time, with all four parts, the project's CRDs and a stub kubelet on two
 * nodes. Its parts cannot be stopped: a test that does so, or needs other flags, starts a cluster of its own.
 */
export type SharedCluster = ClusterAccess & PodDriver;

/**
 * A cluster with a real node that other tests use at the same time: pods run, in networks and cgroups of their own, and
 * the machine reaches them at their addresses. Use no cluster IP from outside the node; inside (`insideNode`) they lead to
 * the pods where `proxyLack` finds nothing missing.
 */
export type SharedNode = ClusterAccess & { readonly node: NodeInfo };

let alone: Promise<EquippedCluster> | undefined;
let joined: Promise<SharedCluster> | undefined;
let nodeAlone: Promise<TestCluster> | undefined;
let nodeJoined: Promise<SharedNode> | undefined;

const desk = process.env[DESK_VARIABLE];
if (desk === undefined) {
  // A hook of the whole file counts only when it is there before the tests run.
  after(async () => {
    for (const starting of [alone, nodeAlone]) {
      const running = await starting?.catch(() => undefined);
      await running?.stop();
    }
  });
}

/**
 * The cluster of the test run, or without the global setup one of this process. It is started by the first call.
 * @throws ToolError or Error when it cannot be started
 */
export function sharedCluster(): Promise<SharedCluster> {
  joined ??= desk === undefined ? startAlone() : joinRun(desk);
  return joined;
}

/**
 * The cluster with a real node, started by the first call. Ask `nodeLack` first, or use `sharedPods`, which falls back.
 * @throws ToolError or Error when it cannot be started
 */
export function sharedNode(): Promise<SharedNode> {
  nodeJoined ??= desk === undefined ? startNodeAlone() : joinNode(desk);
  return nodeJoined;
}

async function startNodeAlone(): Promise<SharedNode> {
  nodeAlone ??= startNodeToShare();
  const { coordinates, admin, nodes } = await nodeAlone;
  return { ...coordinates, admin, node: only(nodes) };
}

async function joinNode(socket: string): Promise<SharedNode> {
  watch(socket);
  const { coordinates, realNodes } = await askDesk(socket, { kind: 'join-node' });
  return {
    ...coordinates,
    admin: TestClient.fromKubeconfig(coordinates.kubeconfig),
    node: only(realNodes),
  };
}

function only(nodes: readonly NodeInfo[]): NodeInfo {
  const [node] = nodes;
  if (node === undefined)
    throw new Error('the node of the shared cluster has stopped; see node-1.log in its folder');
  return node;
}

let watched = false;

/** Ends this process with the run; one connection is enough for that. */
function watch(socket: string): void {
  if (watched) return;
  watched = true;
  endWithDesk(socket);
}

async function startAlone(): Promise<SharedCluster> {
  alone ??= EquippedCluster.start();
  const { cluster, kubelet, coordinates } = await alone;
  return {
    ...coordinates,
    admin: cluster.admin,
    nodes: kubelet.nodes,
    addNode: (name) => kubelet.addNode(name),
    setPodState: (selector, state) => kubelet.setPodState(selector, state),
  };
}

async function joinRun(socket: string): Promise<SharedCluster> {
  watch(socket);
  const { coordinates, nodes } = await askDesk(socket, { kind: 'join' });
  return {
    ...coordinates,
    admin: TestClient.fromKubeconfig(coordinates.kubeconfig),
    nodes,
    addNode: async (name) => void (await askDesk(socket, { kind: 'add-node', name })),
    setPodState: async (selector, state) => {
      await askDesk(socket, { kind: 'set-pod-state', selector, state });
    },
  };
}
