// Rollbacks of StatefulSets and DaemonSets through a real API server, by the ControllerRevisions their controllers keep.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, type KubeObject, textAt } from '../cluster/kube-object.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { apply, REGISTRY } from '../demo/shop.ts';
import { type AcceptanceStage, acceptanceStage } from './stage.ts';

const KINDS = { StatefulSet: 'statefulsets', DaemonSet: 'daemonsets' } as const;
type Kind = keyof typeof KINDS;

const image = (version: number): string => `${REGISTRY}/db:${version}`;

function workload(kind: Kind, namespace: string, version: number): object {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'db', namespace },
    spec: {
      selector: { matchLabels: { app: 'db' } },
      template: {
        metadata: { labels: { app: 'db' } },
        spec: { containers: [{ name: 'db', image: image(version) }] },
      },
      ...(kind === 'StatefulSet' ? { serviceName: 'db', replicas: 1 } : {}),
    },
  };
}

/** Nobody has judged anything where this policy looks, so that it holds every promotion. */
const holdsAll = (namespace: string): object => ({
  apiVersion: 'gate.pacto.trianalab.io/v1alpha1',
  kind: 'PromotionPolicy',
  metadata: { name: 'hold', namespace },
  spec: { targets: [{ kinds: Object.keys(KINDS) }], rules: { onMissing: 'Hold' } },
});

async function revisions({ admin, production }: AcceptanceStage): Promise<readonly KubeObject[]> {
  const path = `/apis/apps/v1/namespaces/${production.namespace}/controllerrevisions`;
  return (await admin.list(path)).body.items;
}

const imageOf = (revision: KubeObject): string =>
  textAt(revision, 'data', 'spec', 'template', 'spec', 'containers', 0, 'image');

/** The revision with this image, once its controller has made it. */
async function revisionWith(stage: AcceptanceStage, version: number): Promise<KubeObject> {
  return waitUntil(`a revision of version ${version}`, async () =>
    (await revisions(stage)).find((one) => imageOf(one) === image(version)),
  );
}

for (const kind of Object.keys(KINDS) as Kind[]) {
  test(`acceptance/rollback of a ${kind} passes whatever the evidence, and going forward again is judged`, async (t) => {
    const stage = await acceptanceStage(t);
    const { admin, production } = stage;
    const path = `/apis/apps/v1/namespaces/${production.namespace}/${KINDS[kind]}/db`;
    const write = async (version: number): Promise<{ readonly code: number; readonly message: string }> => {
      const { code, body } = await admin.apply(path, workload(kind, production.namespace, version));
      return { code, message: textAt(body, 'message') };
    };
    assert.equal((await write(1)).code, 201);
    const made = textAt(await revisionWith(stage, 1), 'metadata', 'creationTimestamp');
    // Times of revisions are whole seconds, and those of one second have no order.
    await waitUntil('the next second', async () => Date.now() >= Date.parse(made) + 1_000);
    assert.equal((await write(2)).code, 200);
    await revisionWith(stage, 2);
    await apply(admin, holdsAll(production.namespace));
    await waitUntil('the policy to be in force', async () => (await write(3)).code === 403);
    const { code, message } = await waitUntil('the rollback to pass', async () => {
      const answer = await write(1);
      return answer.code === 403 ? undefined : answer;
    });
    assert.equal(code, 200, message);
    await waitUntil('the revision to be renumbered', async () => {
      const numbers = new Map((await revisions(stage)).map((one) => [imageOf(one), at(one, 'revision')]));
      return Number(numbers.get(image(1))) > Number(numbers.get(image(2)));
    });
    const forward = await write(2);
    assert.equal(forward.code, 403, forward.message);
    assert.match(forward.message, /hold/);
  });
}
