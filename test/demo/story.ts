// The scripted story: real writes to a real API server, and the answers the gate gives them.
import type { TestClient } from '../cluster/client.ts';
import { listAt, textAt } from '../cluster/kube-object.ts';
import { rolledOut } from '../cluster/rolled-out.ts';
import type { Pods } from '../cluster/pods.ts';
import type { Narrator } from './narrator.ts';
import { judgedImage, promote, promoteUntil, type Promoted, rollBack, taken, verdict } from './promotions.ts';
import {
  apply,
  contract,
  deployment,
  followPolicy,
  ownVerdictPolicy,
  pacto,
  REGISTRY,
  type ShopService,
  service,
} from './shop.ts';

export const STAGING = { namespace: 'shop-staging' };
export const PRODUCTION = { namespace: 'shop-prod' };

export type Stage = {
  readonly admin: TestClient;
  /** The credentials a pipeline deploys with. */
  readonly pipeline: TestClient;
  readonly pods: Pods;
  readonly windowSeconds: number;
  readonly tell: Narrator;
};

const API_LABELS = { 'app.kubernetes.io/name': 'api' };

const image = (name: string, version: number): ShopService => ({
  name,
  image: `${REGISTRY}/${name}:${version}`,
});

/** Everything the story rolls out. */
export const IMAGES: readonly string[] = [
  ...[1, 2, 3, 4].map((version) => image('api', version).image),
  ...[1, 2].map((version) => image('web', version).image),
];

/** Plays all scenes. Rejects with StoryError at the first claim that does not hold. */
export async function playStory(stage: Stage): Promise<void> {
  await compliantPromotes(stage);
  await unjudgedRevisionWaits(stage);
  await mismatchBlocksAtOnce(stage);
  await absenceHoldsThenBlocks(stage);
  await rollbackPasses(stage);
  await repairPasses(stage);
}

async function compliantPromotes({ admin, pipeline, tell }: Stage): Promise<void> {
  tell.scene('A compliant service is promoted');
  tell.act('staging runs api:1 and web:1, each with a contract: one HTTP interface, a long-running workload');
  for (const name of ['api', 'web']) {
    await apply(
      admin,
      deployment(STAGING.namespace, image(name, 1)),
      service(STAGING.namespace, name),
      pacto(STAGING.namespace, name, contract(name, '1.0.0')),
      service(PRODUCTION.namespace, name),
      pacto(PRODUCTION.namespace, name, contract(name, '1.0.0')),
    );
  }
  await apply(admin, followPolicy('production-follows-staging', STAGING, PRODUCTION));
  for (const name of ['api', 'web']) await verdict(admin, STAGING.namespace, name, 'Compliant');
  tell.act('the operator finds both contracts kept');
  for (const name of ['api', 'web']) {
    tell.act(`the pipeline creates ${name} in production`);
    const answer = await settledPromotion(pipeline, image(name, 1));
    tell.claim(`the API server takes it (${answer.code})`, answer.code < 300, answer.message);
  }
  for (const name of ['api', 'web']) await rolledOut(admin, PRODUCTION.namespace, name);
}

async function unjudgedRevisionWaits({ admin, pipeline, pods, tell }: Stage): Promise<void> {
  tell.scene('An image that staging never ran has to wait');
  tell.act('the pipeline writes api:2 to production before staging has it');
  const early = await promote(pipeline, PRODUCTION.namespace, image('api', 2));
  tell.quote(early.message);
  tell.claim(
    'it is held: no verdict speaks about api:2',
    isHeld(early, 'is about'),
    `${early.code} ${early.message}`,
  );
  tell.act('staging gets api:2 and is judged again');
  await apply(admin, deployment(STAGING.namespace, image('api', 2)));
  await rolledOut(admin, STAGING.namespace, 'api');
  await judgedImage(admin, STAGING.namespace, image('api', 2));
  const answer = await settledPromotion(pipeline, image('api', 2));
  tell.claim(`now production gets api:2 (${answer.code})`, answer.code < 300, answer.message);
  await rolledOut(admin, PRODUCTION.namespace, 'api');
  if (pods.runBy === 'kubelet') {
    const answers = await pods.ask({ ...PRODUCTION, labels: API_LABELS });
    const holds = answers.length === 2 && answers.every((version) => version === '2');
    tell.claim('its two pods in production answer as version 2', holds, answers.join(', '));
  }
}

async function mismatchBlocksAtOnce({ admin, pipeline, tell }: Stage): Promise<void> {
  tell.scene('A mismatch blocks at once');
  tell.act('web 1.1.0 declares a scheduled workload in staging, and runs as a Deployment');
  await apply(
    admin,
    pacto(STAGING.namespace, 'web', contract('web', '1.1.0', 'scheduled')),
    deployment(STAGING.namespace, image('web', 2)),
  );
  await verdict(admin, STAGING.namespace, 'web', 'NonCompliant');
  await rolledOut(admin, STAGING.namespace, 'web');
  const answer = await promote(pipeline, PRODUCTION.namespace, image('web', 2));
  tell.quote(answer.message);
  tell.claim(
    'it is denied, with the finding and no countdown',
    isDenied(answer, 'WORKLOAD_MISMATCH'),
    `${answer.code} ${answer.message}`,
  );
  tell.act('the contract is corrected');
  await apply(admin, pacto(STAGING.namespace, 'web', contract('web', '1.1.1')));
  await verdict(admin, STAGING.namespace, 'web', 'Compliant');
  const corrected = await settledPromotion(pipeline, image('web', 2));
  tell.claim(`the same promotion is taken (${corrected.code})`, corrected.code < 300, corrected.message);
  await rolledOut(admin, PRODUCTION.namespace, 'web');
}

async function absenceHoldsThenBlocks({ admin, pipeline, pods, windowSeconds, tell }: Stage): Promise<void> {
  tell.scene(`An absence may heal for ${windowSeconds} s, then it blocks`);
  tell.act('staging gets api:3; its pods run, and then close the port that the contract promises');
  await apply(admin, deployment(STAGING.namespace, image('api', 3)));
  await rolledOut(admin, STAGING.namespace, 'api');
  await judgedImage(admin, STAGING.namespace, image('api', 3));
  await pods.closePort({ ...STAGING, labels: API_LABELS });
  if (pods.runBy === 'kubelet') {
    const answers = await pods.ask({ ...STAGING, labels: API_LABELS });
    const holds = answers.length === 2 && answers.every((word) => word === 'refused');
    tell.claim('the pods run on and refuse connections', holds, answers.join(', '));
  }
  await verdict(admin, STAGING.namespace, 'api', 'Unknown');
  const held = await promote(pipeline, PRODUCTION.namespace, image('api', 3));
  tell.quote(held.message);
  const wait = held.retryAfterSeconds ?? 0;
  tell.claim(
    `it is held, and told to come back in ${wait} s`,
    isHeld(held, 'interface/http') && wait > 0 && wait <= windowSeconds + 2,
    `${held.code} ${held.message}`,
  );
  tell.act('nothing heals; the window ends');
  const judged = await verdict(admin, STAGING.namespace, 'api', 'NonCompliant');
  const late = lateness(judged, windowSeconds);
  tell.claim(
    `the violation is stated ${late.toFixed(0)} s after the end of the window`,
    late >= 0,
    `${late} s`,
  );
  const denied = await promote(pipeline, PRODUCTION.namespace, image('api', 3));
  tell.quote(denied.message);
  tell.claim('now it is denied', isDenied(denied, 'INTERFACE_ABSENT'), `${denied.code} ${denied.message}`);
}

async function rollbackPasses({ admin, pipeline, tell }: Stage): Promise<void> {
  tell.scene('A rollback always passes');
  tell.act('staging is broken, and production rolls api back to its earlier revision');
  const answer = await rollBack(pipeline, PRODUCTION.namespace, 'api');
  tell.claim(`the API server takes it (${answer.code})`, answer.code < 300, answer.message);
  await rolledOut(admin, PRODUCTION.namespace, 'api');
}

async function repairPasses({ admin, pipeline, tell }: Stage): Promise<void> {
  tell.scene('A repair is never locked out');
  tell.act("staging gets a policy of its own: no changes while a service's contract is broken");
  await apply(admin, ownVerdictPolicy('own-contract', STAGING));
  tell.act('api:3 is what breaks it; the pipeline brings api:4, whose pods keep the port open');
  const answer = await promoteUntil(pipeline, STAGING.namespace, image('api', 4), taken);
  tell.claim(`the API server takes the repair (${answer.code})`, answer.code < 300, answer.message);
  await rolledOut(admin, STAGING.namespace, 'api');
  await verdict(admin, STAGING.namespace, 'api', 'Compliant');
  await judgedImage(admin, STAGING.namespace, image('api', 4));
  const promoted = await settledPromotion(pipeline, image('api', 4));
  tell.claim(
    `staging is compliant again and production gets api:4 (${promoted.code})`,
    promoted.code < 300,
    promoted.message,
  );
}

/** Production gets it once the gate has heard of what staging shows. */
function settledPromotion(pipeline: TestClient, what: ShopService): Promise<Promoted> {
  return promoteUntil(pipeline, PRODUCTION.namespace, what, taken);
}

/** Seconds between the end of the interface's window and the verdict. */
function lateness(judged: unknown, windowSeconds: number): number {
  const window = listAt(judged, 'status', 'observationWindows')[0];
  const started = Date.parse(textAt(window, 'firstObservedNegativeAt'));
  return (Date.parse(textAt(judged, 'status', 'contractStatusSince')) - started) / 1000 - windowSeconds;
}

function isHeld({ code, message, retryAfterSeconds }: Promoted, needle: string): boolean {
  return (
    code === 403 && message.includes('hold:') && message.includes(needle) && retryAfterSeconds !== undefined
  );
}

function isDenied({ code, message, retryAfterSeconds }: Promoted, needle: string): boolean {
  return (
    code === 403 && message.includes('deny:') && message.includes(needle) && retryAfterSeconds === undefined
  );
}
