// The cluster that tests share: that of the test run, or of this one file when it is run alone.
import { after } from 'node:test';
import { TestClient } from './client.ts';
import type { ClusterAccess } from './cluster.ts';
import { askDesk, DESK_VARIABLE, endWithDesk } from './cluster-desk.ts';
import { EquippedCluster } from './equipped-cluster.ts';
import type { PodDriver } from './stub-kubelet.ts';

/**
 * A cluster that other tests use at the same time, with all four parts, the project's CRDs and a stub kubelet on two
 * nodes. Its parts cannot be stopped: a test that does so, or needs other flags, starts a cluster of its own.
 */
export type SharedCluster = ClusterAccess & PodDriver;

let alone: Promise<EquippedCluster> | undefined;
let joined: Promise<SharedCluster> | undefined;

const desk = process.env[DESK_VARIABLE];
if (desk === undefined) {
  // A hook of the whole file counts only when it is there before the tests run.
  after(async () => {
    const running = await alone?.catch(() => undefined);
    await running?.stop();
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
  endWithDesk(socket);
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
