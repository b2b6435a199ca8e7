// A control plane with a stub kubelet: what a test needs whose workloads must come up.
import { type ClusterCoordinates, startCluster, type TestCluster } from './cluster.ts';
import { type StubKubelet, startStubKubelet } from './stub-kubelet.ts';

const NODES = 2;

/** Both, ended together. */
export class EquippedCluster implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly kubelet: StubKubelet;

  private constructor(cluster: TestCluster, kubelet: StubKubelet) {
    this.cluster = cluster;
    this.kubelet = kubelet;
  }

  /** Starts all four parts with the project's CRDs, and the stub on two nodes. */
  static async start(): Promise<EquippedCluster> {
    const cluster = await startCluster();
    try {
      return new EquippedCluster(cluster, await startStubKubelet(cluster, { nodes: NODES }));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get coordinates(): ClusterCoordinates {
    return this.cluster.coordinates;
  }

  async stop(): Promise<void> {
    await this.kubelet.stop();
    await this.cluster.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
