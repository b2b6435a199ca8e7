// Promotions through a real API server: what is taken, what waits and for how long, what is refused, what always passes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  judgedImage,
  promote,
  promoteUntil,
  type Promoted,
  rollBack,
  taken,
  verdict,
} from '../demo/promotions.ts';
import {
  apply,
  contract,
  deployment,
  ownVerdictPolicy,
  pacto,
  REGISTRY,
  type ShopService,
} from '../demo/shop.ts';
import { textAt } from '../cluster/kube-object.ts';
import { rolledOut } from '../cluster/rolled-out.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { type AcceptanceStage, acceptanceStage, placeService } from './stage.ts';

const api = (version: number): ShopService => ({ name: 'api', image: `${REGISTRY}/api:${version}` });

/** Promotes to this stage's production until the answer fits. */
function toProduction(
  { pipeline, production }: AcceptanceStage,
  what: ShopService,
  fits: (answer: Promoted) => boolean,
): Promise<Promoted> {
  return promoteUntil(pipeline, production.namespace, what, fits);
}

const says =
  (word: string) =>
  ({ code, message }: Promoted): boolean =>
    code === 403 && message.includes(word);

test('acceptance/promotion a compliant service is created and updated in the other environment', async (t) => {
  const stage = await acceptanceStage(t, { pods: 'real' });
  const early = await toProduction(stage, api(1), says('no Pacto in namespace'));
  assert.match(early.message, /hold: no Pacto in namespace .* has a contract for service api/);
  await placeService(stage, api(1));
  await verdict(stage.admin, stage.staging.namespace, 'api', 'Compliant');
  const created = await toProduction(stage, api(1), taken);
  assert.equal(created.code, 201, created.message);
  const unjudged = await toProduction(stage, api(2), says('is about'));
  assert.match(unjudged.message, /hold: this change brings .*api:2 and the verdict .* is about .*api:1/);
  assert.ok((unjudged.retryAfterSeconds ?? 0) > 0);
  await apply(stage.admin, deployment(stage.staging.namespace, api(2), 1));
  await judgedImage(stage.admin, stage.staging.namespace, api(2));
  const updated = await toProduction(stage, api(2), taken);
  assert.equal(updated.code, 200, updated.message);
});

test('acceptance/promotion a mismatch is refused at once, an absence held with its seconds', async (t) => {
  const stage = await acceptanceStage(t, { windowSeconds: 120, pods: 'real' });
  const { admin, staging, pods, windowSeconds } = stage;
  await placeService(stage, api(1));
  await verdict(admin, staging.namespace, 'api', 'Compliant');
  await apply(admin, pacto(staging.namespace, 'api', contract('api', '1.1.0', 'job')));
  await verdict(admin, staging.namespace, 'api', 'NonCompliant');
  const mismatch = await toProduction(stage, api(1), says('WORKLOAD_MISMATCH'));
  assert.match(mismatch.message, /deny: Pacto .*\/api is NonCompliant: WORKLOAD_MISMATCH service\/api/);
  assert.equal(mismatch.retryAfterSeconds, undefined);
  await apply(admin, pacto(staging.namespace, 'api', contract('api', '1.1.1')));
  await verdict(admin, staging.namespace, 'api', 'Compliant');
  await pods.closePort({ namespace: staging.namespace });
  await verdict(admin, staging.namespace, 'api', 'Unknown');
  const held = await toProduction(stage, api(1), says('interface/http is absent'));
  assert.ok(
    (held.retryAfterSeconds ?? 0) > 0 && (held.retryAfterSeconds ?? 0) <= windowSeconds + 2,
    held.message,
  );
});

test('acceptance/promotion an absence is refused once its window has ended', async (t) => {
  const stage = await acceptanceStage(t, { windowSeconds: 2, pods: 'real' });
  const { admin, staging, pods } = stage;
  await placeService(stage, api(1));
  await verdict(admin, staging.namespace, 'api', 'Compliant');
  await pods.closePort({ namespace: staging.namespace });
  await verdict(admin, staging.namespace, 'api', 'NonCompliant');
  const refused = await toProduction(stage, api(1), says('INTERFACE_ABSENT'));
  assert.match(refused.message, /deny: .*INTERFACE_ABSENT interface\/http/);
});

test('acceptance/promotion a rollback passes whatever the evidence, and so do scale and no-op writes', async (t) => {
  const stage = await acceptanceStage(t, { pods: 'real' });
  const { admin, pipeline, staging, production } = stage;
  await placeService(stage, api(1));
  await verdict(admin, staging.namespace, 'api', 'Compliant');
  assert.equal((await toProduction(stage, api(1), taken)).code, 201);
  await rolledOut(admin, production.namespace, 'api');
  await apply(admin, deployment(staging.namespace, api(2), 1));
  await judgedImage(stage.admin, stage.staging.namespace, api(2));
  assert.equal((await toProduction(stage, api(2), taken)).code, 200);
  await rolledOut(admin, production.namespace, 'api');
  await apply(admin, pacto(staging.namespace, 'api', contract('api', '2.0.0', 'job')));
  await verdict(admin, staging.namespace, 'api', 'NonCompliant');
  assert.equal((await toProduction(stage, api(3), says('deny'))).code, 403);
  const same = await promote(pipeline, production.namespace, api(2));
  assert.equal(same.code, 200, same.message);
  const path = `/apis/apps/v1/namespaces/${production.namespace}/deployments/api`;
  const scaled = await pipeline.mergePatch(path, { spec: { replicas: 3 } });
  assert.equal(scaled.code, 200);
  const back = await rollBack(pipeline, production.namespace, 'api');
  assert.equal(back.code, 200, back.message);
});

test('acceptance/promotion a broken contract does not lock out its own repair', async (t) => {
  const stage = await acceptanceStage(t, { windowSeconds: 2, pods: 'real' });
  const { admin, pipeline, pods, staging, system } = stage;
  await placeService(stage, api(1));
  await verdict(admin, staging.namespace, 'api', 'Compliant');
  await pods.closePort({ namespace: staging.namespace });
  await verdict(admin, staging.namespace, 'api', 'NonCompliant');
  await apply(admin, ownVerdictPolicy('own-contract', staging));
  // A change that is no repair shows that the policy is in force.
  const path = `/apis/apps/v1/namespaces/${staging.namespace}/deployments/api`;
  await waitUntil('the policy to be in force', async () => {
    const answer = await pipeline.apply(path, withInitContainer(staging.namespace, api(1)), {
      fieldManager: 'pipeline',
      query: { dryRun: 'All' },
    });
    return answer.code === 403 && textAt(answer.body, 'message').includes('INTERFACE_ABSENT');
  });
  const repair = await promote(pipeline, staging.namespace, api(2));
  assert.equal(repair.code, 200, repair.message);
  const decided = await system.webhook.line(
    'the repair',
    (l) => l.message === 'decided' && l['code'] === 'FixForward',
  );
  assert.equal(decided['result'], 'allow');
});

/** The service's Deployment with an init container more: an image changes, and what is judged does not. */
function withInitContainer(namespace: string, what: ShopService): object {
  const object = structuredClone(deployment(namespace, what, 1)) as {
    spec: { template: { spec: Record<string, unknown> } };
  };
  object.spec.template.spec['initContainers'] = [{ name: 'wait', image: `${REGISTRY}/wait:1` }];
  return object;
}

test('acceptance/promotion a policy in mode Warn lets through and says so', async (t) => {
  const stage = await acceptanceStage(t);
  const { admin, staging, production, pipeline } = stage;
  await apply(admin, {
    apiVersion: 'gate.pacto.trianalab.io/v1alpha1',
    kind: 'PromotionPolicy',
    metadata: { name: 'warn', namespace: staging.namespace },
    spec: {
      mode: 'Warn',
      targets: [{ kinds: ['Deployment'] }],
      evidence: [{ namespace: production.namespace }],
    },
  });
  let version = 0;
  const refused: string[] = [];
  await waitUntil('the policy to be asked', async () => {
    version += 1;
    const answer = await promote(pipeline, staging.namespace, api(version));
    if (!taken(answer)) refused.push(answer.message);
    return warnPolicyAsked(stage);
  });
  assert.deepEqual(refused, []);
});

async function warnPolicyAsked({ system, staging }: AcceptanceStage): Promise<boolean> {
  const text = await (await fetch(`${system.webhookHealth}/metrics`)).text();
  return text.includes(`policy="${staging.namespace}/warn",mode="Warn",decision="hold"`);
}
