// Waits for the end of a rollout.
import type { TestClient } from './client.ts';
import { at } from './kube-object.ts';
import { waitUntil } from './wait-until.ts';

/** Resolves when the newest generation of a Deployment runs in full and nothing else of it does. */
export async function rolledOut(client: TestClient, namespace: string, name: string): Promise<void> {
  await waitUntil(`the rollout of ${namespace}/${name}`, async () => {
    const { body } = await client.get(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}`);
    const wanted = at(body, 'spec', 'replicas');
    return (
      at(body, 'status', 'observedGeneration') === body.metadata?.generation &&
      ['replicas', 'updatedReplicas', 'availableReplicas'].every(
        (field) => at(body, 'status', field) === wanted,
      )
    );
  });
}
