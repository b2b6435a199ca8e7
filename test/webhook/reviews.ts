// AdmissionReviews as the API server sends them, for webhook tests.

export const POLICY = {
  apiVersion: 'gate.pacto.trianalab.io/v1alpha1',
  kind: 'ClusterPromotionPolicy',
  metadata: { name: 'prod-follows-staging' },
  spec: { targets: [{ kinds: ['Deployment'] }], evidence: [{ namespace: 'shop-staging' }] },
};

export type ReviewParts = { readonly uid?: string; readonly image?: string };

/** An update of Deployment shop-prod/api to `image`, from version 1. */
export function deploymentReview({
  uid = 'u',
  image = 'registry.test/api:1',
}: ReviewParts = {}): { kind: string; request: Record<string, unknown> } & Record<string, unknown> {
  const object = (containerImage: string): Record<string, unknown> => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'api',
      namespace: 'shop-prod',
      uid: 'uid-1',
      labels: { 'app.kubernetes.io/name': 'api' },
    },
    spec: { template: { spec: { containers: [{ name: 'api', image: containerImage }] } } },
  });
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid,
      kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
      resource: { group: 'apps', version: 'v1', resource: 'deployments' },
      operation: 'UPDATE',
      namespace: 'shop-prod',
      name: 'api',
      userInfo: { username: 'deployer' },
      object: object(image),
      oldObject: object('registry.test/api:1'),
    },
  };
}
