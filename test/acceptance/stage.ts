// One test's own stage on a shared cluster: two namespaces, operator and webhook that look at these only, a pipeline.
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { serviceAccountKubeconfig } from '../cluster/credentials.ts';
import type { TestClient } from '../cluster/client.ts';
import { applyManifests } from '../cluster/manifests.ts';
import { createNamespace } from '../cluster/namespace.ts';
import type { ClusterAccess } from '../cluster/cluster.ts';
import { type Pods, stubPods } from '../cluster/pods.ts';
import { sharedCluster } from '../cluster/shared-cluster.ts';
import { sharedPods } from '../cluster/shared-pods.ts';
import { pipelineRights } from '../demo/pipeline-rights.ts';
import {
  deployment,
  type Environment,
  followPolicy,
  REGISTRY,
  type ShopService,
  service,
  pacto,
  contract,
  apply,
} from '../demo/shop.ts';
import { type GateSystem, startGateSystem } from '../helpers/gate-system.ts';

export type AcceptanceStage = {
  readonly cluster: ClusterAccess;
  readonly pods: Pods;
  readonly admin: TestClient;
  readonly pipeline: TestClient;
  readonly staging: Environment;
  readonly production: Environment;
  readonly system: GateSystem;
  readonly windowSeconds: number;
};

export type StageOptions = {
  /** Stabilization window. Default: 60. */
  readonly windowSeconds?: number;
  /**
   * Who runs pods: `real` a kubelet where the machine can, for tests of what services do; `stub` the stub kubelet, for
   * tests of what the API shows. Default: `stub`.
   */
  readonly pods?: 'real' | 'stub';
};

/** Versions of the service `api` that tests roll out. */
const IMAGES = [1, 2, 3].map((version) => `${REGISTRY}/api:${version}`);

/** Makes the stage; everything on it goes with the test. The operator looks at the staging namespace. */
export async function acceptanceStage(
  t: TestContext,
  { windowSeconds = 60, pods: who = 'stub' }: StageOptions = {},
): Promise<AcceptanceStage> {
  const { cluster, pods } = await (who === 'real' ? realPods() : pretendedPods());
  const { admin } = cluster;
  const staging = { namespace: await createNamespace(t, cluster, 'staging') };
  const production = { namespace: await createNamespace(t, cluster, 'prod') };
  const suffix = randomBytes(4).toString('hex');
  const system = await startGateSystem(cluster, {
    window: `${windowSeconds}s`,
    watchNamespace: staging.namespace,
    governed: [staging.namespace, production.namespace],
    name: `pacto-gate-${suffix}`,
  });
  t.after(() => system.stop());
  const policy = `follow-${suffix}`;
  await apply(admin, followPolicy(policy, staging, production));
  t.after(async () => {
    await admin.delete(`/apis/gate.pacto.trianalab.io/v1alpha1/clusterpromotionpolicies/${policy}`);
  });
  const account = await serviceAccountKubeconfig(cluster, { namespace: staging.namespace, name: 'pipeline' });
  await applyManifests(admin, pipelineRights(`pipeline-${suffix}`, staging.namespace));
  t.after(async () => {
    account.client.close();
    await admin.delete(`/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/pipeline-${suffix}`);
    await admin.delete(`/apis/rbac.authorization.k8s.io/v1/clusterroles/pipeline-${suffix}`);
  });
  return {
    cluster,
    pods,
    admin,
    pipeline: account.client,
    staging,
    production,
    system,
    windowSeconds,
  };
}

type Place = { readonly cluster: ClusterAccess; readonly pods: Pods };

async function realPods(): Promise<Place> {
  const cluster = await sharedPods();
  await cluster.pods.publish(...IMAGES);
  return { cluster, pods: cluster.pods };
}

async function pretendedPods(): Promise<Place> {
  const cluster = await sharedCluster();
  return { cluster, pods: stubPods(cluster, cluster) };
}

/** A service of the shop in staging: workload, Service, and a Pacto with the plain contract. */
export async function placeService(
  { admin, staging }: AcceptanceStage,
  what: ShopService,
  replicas = 1,
): Promise<void> {
  await apply(
    admin,
    deployment(staging.namespace, what, replicas),
    service(staging.namespace, what.name),
    pacto(staging.namespace, what.name, contract(what.name, '1.0.0')),
  );
}
