// A namespace for one test, ready to run pods, and left to the cluster to remove.
import { randomBytes } from 'node:crypto';
import { refusal } from './client.ts';
import type { ClusterAccess } from './cluster.ts';
import { waitUntil } from './wait-until.ts';

/** What is needed of a test's context. */
export type Cleanup = { after(fn: () => Promise<void>): void };

/**
 * Creates a namespace called `PREFIX-RANDOM`; returns when its default ServiceAccount is there, without which pods are
 * refused. At the end of the test it is told to go, which nobody waits for: Kubernetes takes at least 5 s for that.
 */
export async function createNamespace(
  t: Cleanup,
  { admin }: Pick<ClusterAccess, 'admin'>,
  prefix: string,
): Promise<string> {
  const name = `${prefix}-${randomBytes(4).toString('hex')}`;
  const path = `/api/v1/namespaces/${name}`;
  const answer = await admin.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  });
  if (answer.code !== 201) throw refusal(`namespace ${name}`, answer);
  t.after(async () => {
    await admin.delete(path).catch(() => {}); // of a cluster that is gone, so is the namespace
  });
  await waitUntil(`the default ServiceAccount of ${name}`, async () => {
    return (await admin.get(`${path}/serviceaccounts/default`)).code === 200;
  });
  return name;
}
