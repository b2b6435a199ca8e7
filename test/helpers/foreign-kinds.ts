// Kinds of other projects that the operator reads where they are served: their names with a schema that admits anything.
import type { ClusterAccess } from '../cluster/cluster.ts';
import { applyManifests } from '../cluster/manifests.ts';
import { waitUntil } from '../cluster/wait-until.ts';

const KINDS = [
  ['gateway.networking.k8s.io', 'HTTPRoute', 'httproutes'],
  ['monitoring.coreos.com', 'ServiceMonitor', 'servicemonitors'],
  ['monitoring.coreos.com', 'PodMonitor', 'podmonitors'],
] as const;

/** Makes the API server serve HTTPRoutes and the monitors of Prometheus; resolves once it does. */
export async function serveForeignKinds({ admin }: Pick<ClusterAccess, 'admin'>): Promise<void> {
  for (const [group, kind, plural] of KINDS) {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await applyManifests(
      admin,
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: {
          name: `${plural}.${group}`,
          // The API server asks for a word on where a kind of a protected group comes from.
          annotations: { 'api-approved.kubernetes.io': 'unapproved, test only' },
        },
        spec: {
          group,
          scope: 'Namespaced',
          names: { kind, plural, singular: kind.toLowerCase() },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      }),
    );
    await waitUntil(`${kind} to be served`, () =>
      admin.list(`/apis/${group}/v1/${plural}`).then(
        () => true,
        () => false,
      ),
    );
  }
}
