// The shop of the demo: services with contracts in two environments, and the policy that joins them.
import type { TestClient } from '../cluster/client.ts';
import { applyManifests } from '../cluster/manifests.ts';
import { SERVING_PORT } from '../cluster/pods.ts';

/** Where the shop's images are; a node of a test cluster knows the host as its own registry. */
export const REGISTRY = 'registry.test/shop';

export type Environment = { readonly namespace: string };
export type ShopService = { readonly name: string; readonly image: string };

/** A contract that promises one HTTP interface and a long-running workload. */
export function contract(service: string, version: string, workload = 'service'): string {
  return `pactoVersion: "2.0"
service: { name: ${service}, version: ${version} }
interfaces:
  - { name: http, type: openapi, ref: interfaces/http.yaml }
workload: ${workload}
`;
}

/** A Pacto that binds the contract of a service to its Deployment and Service. */
export function pacto(namespace: string, service: string, text: string): object {
  return {
    apiVersion: 'pacto.trianalab.io/v1alpha1',
    kind: 'Pacto',
    metadata: { name: service, namespace, labels: { tier: 'backend' } },
    spec: {
      contractRef: { inline: text },
      target: {
        serviceName: service,
        workloadRef: { name: service, kind: 'Deployment' },
        interfaceBindings: [{ interface: 'http', servicePort: 'http' }],
      },
    },
  };
}

export function deployment(namespace: string, { name, image }: ShopService, replicas = 2): object {
  const labels = { 'app.kubernetes.io/name': name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { ...labels, tier: 'backend' } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [
            {
              name: 'main',
              image,
              ports: [{ name: 'http', containerPort: SERVING_PORT }],
              readinessProbe: {
                httpGet: { path: '/healthz', port: 'http' },
                periodSeconds: 1,
                failureThreshold: 1,
              },
            },
          ],
        },
      },
    },
  };
}

export function service(namespace: string, name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: {
      selector: { 'app.kubernetes.io/name': name },
      ports: [{ name: 'http', port: 80, targetPort: 'http' }],
    },
  };
}

/** Production follows staging: the same images, judged there. */
export function followPolicy(name: string, from: Environment, to: Environment): object {
  return {
    apiVersion: 'gate.pacto.trianalab.io/v1alpha1',
    kind: 'ClusterPromotionPolicy',
    metadata: { name },
    spec: {
      mode: 'Enforce',
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': to.namespace } },
      targets: [{ kinds: ['Deployment'], selector: { matchLabels: { tier: 'backend' } } }],
      evidence: [{ namespace: from.namespace, match: 'SameService', revision: 'SameImages' }],
    },
  };
}

/** A service may not be changed while its own contract is broken, unless the change is the repair. */
export function ownVerdictPolicy(name: string, { namespace }: Environment): object {
  return {
    apiVersion: 'gate.pacto.trianalab.io/v1alpha1',
    kind: 'PromotionPolicy',
    metadata: { name, namespace },
    spec: { targets: [{ kinds: ['Deployment'] }] },
  };
}

/** Applies objects one after the other, as `kubectl apply --server-side` would. */
export async function apply(client: TestClient, ...objects: readonly object[]): Promise<void> {
  for (const object of objects) await applyManifests(client, JSON.stringify(object));
}
