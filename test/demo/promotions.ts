// Promotions as a pipeline makes them: one write to a Deployment, and what the API server answered.
import type { TestClient } from '../cluster/client.ts';
import { at, type KubeObject, listAt, textAt } from '../cluster/kube-object.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { deployment, type ShopService } from './shop.ts';

export type Promoted = {
  readonly code: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
};

const pactoPath = (namespace: string, name: string): string =>
  `/apis/pacto.trianalab.io/v1alpha1/namespaces/${namespace}/pactos/${name}`;

const deployments = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** Writes the service's Deployment with this image; returns the answer, whatever it is. */
export async function promote(client: TestClient, namespace: string, what: ShopService): Promise<Promoted> {
  const path = `${deployments(namespace)}/${what.name}`;
  const { code, body } = await client.apply(path, deployment(namespace, what), { fieldManager: 'pipeline' });
  const retry = at(body, 'details', 'retryAfterSeconds');
  return {
    code,
    message: textAt(body, 'message'),
    ...(typeof retry === 'number' ? { retryAfterSeconds: retry } : {}),
  };
}

/** Whether the API server took it. */
export const taken = ({ code }: Promoted): boolean => code < 300;

/**
 * The gate hears of a change one watch event later than we do, so a promotion is repeated, as a pipeline would, until its
 * answer fits. Returns the last answer in any case.
 */
export async function promoteUntil(
  client: TestClient,
  namespace: string,
  what: ShopService,
  fits: (answer: Promoted) => boolean,
): Promise<Promoted> {
  let answer = await promote(client, namespace, what);
  await waitUntil('the expected answer', async () => {
    if (!fits(answer)) answer = await promote(client, namespace, what);
    return fits(answer);
  }).catch(() => undefined);
  return answer;
}

/** What `kubectl rollout undo` does: writes the template of an earlier ReplicaSet back. */
export async function rollBack(client: TestClient, namespace: string, name: string): Promise<Promoted> {
  const { body } = await client.list(`/apis/apps/v1/namespaces/${namespace}/replicasets`);
  const revisions = body.items
    .filter((set) => at(set, 'metadata', 'ownerReferences', 0, 'name') === name)
    .sort((a, b) => revision(b) - revision(a));
  const earlier = revisions[1];
  if (earlier === undefined) throw new Error(`Deployment ${namespace}/${name} has no earlier revision`);
  const template = structuredClone(at(earlier, 'spec', 'template')) as {
    metadata: { labels: Record<string, string> };
  };
  delete template.metadata.labels['pod-template-hash'];
  // A merge patch would keep fields that the earlier template lacks; a JSON patch replaces it whole.
  const patch = [{ op: 'replace', path: '/spec/template', value: template }];
  const patchBody = { type: 'application/json-patch+json', text: JSON.stringify(patch) };
  const answer = await client.send('PATCH', `${deployments(namespace)}/${name}`, { body: patchBody });
  return { code: answer.code, message: textAt(answer.body, 'message') };
}

function revision(set: KubeObject): number {
  return Number(set.metadata?.annotations?.['deployment.kubernetes.io/revision']);
}

/** Waits until a Pacto has this status, judged for its present generation. Returns the Pacto. */
export async function verdict(
  client: TestClient,
  namespace: string,
  name: string,
  status: string,
): Promise<KubeObject> {
  const path = pactoPath(namespace, name);
  return waitUntil(`Pacto ${namespace}/${name} to be ${status}`, async () => {
    const { body } = await client.get(path);
    const judged = at(body, 'status', 'observedGeneration') === body.metadata?.generation;
    return judged && at(body, 'status', 'contractStatus') === status ? body : undefined;
  });
}

/** Waits until the verdict of a service is about this image of it. */
export async function judgedImage(
  client: TestClient,
  namespace: string,
  { name, image }: ShopService,
): Promise<void> {
  await waitUntil(`the verdict about ${image}`, async () => {
    const { body } = await client.get(pactoPath(namespace, name));
    return listAt(body, 'status', 'observedRuntime', 'containerImages').includes(image);
  });
}
