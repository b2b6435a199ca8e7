// Writes to a Deployment `api`, a policy over it, and its evidence in another namespace: what tests of whole writes start from.
import assert from 'node:assert/strict';
import { judgeWrite, type WriteAnswer } from '../../gate/judge-write.ts';
import { refusal } from '../../gate/message.ts';
import type { Write } from '../../gate/write.ts';
import { type MemoryContents, memoryView } from './memory-view.ts';
import { ago, NOW, type PactoParts, pactoObject } from './pactos.ts';

type DeploymentParts = {
  readonly image?: string;
  readonly replicas?: number;
  readonly labels?: Record<string, string>;
  readonly deleting?: true;
};

export function deployment({
  image = 'registry.test/api:1',
  replicas = 1,
  labels = {},
  deleting,
}: DeploymentParts = {}): Record<string, unknown> {
  return {
    metadata: {
      name: 'api',
      namespace: 'shop-prod',
      uid: 'uid-1',
      labels,
      ...(deleting === undefined ? {} : { deletionTimestamp: ago(1) }),
    },
    spec: {
      replicas,
      template: {
        metadata: { creationTimestamp: null, labels: { app: 'api' } },
        spec: {
          initContainers: [{ name: 'init', image: 'registry.test/init:1' }],
          containers: [{ name: 'api', image }],
        },
      },
    },
  };
}

export const template = (image: string): unknown =>
  (deployment({ image })['spec'] as { template: unknown }).template;

export function write(object: Record<string, unknown>, oldObject?: Record<string, unknown>): Write {
  return {
    operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
    group: 'apps',
    kind: 'Deployment',
    subresource: '',
    namespace: 'shop-prod',
    name: 'api',
    object,
    oldObject,
  };
}

export const UPDATE = write(
  deployment({ image: 'registry.test/api:2', labels: { 'app.kubernetes.io/name': 'api' } }),
  deployment(),
);

export function policy(spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}): unknown {
  return {
    metadata: { name: 'prod-follows-staging', ...metadata },
    spec: {
      targets: [{ kinds: ['Deployment'] }],
      evidence: [{ namespace: 'shop-staging' }],
      ...spec,
    },
  };
}

export const staged = (status: Record<string, unknown> = {}, parts: PactoParts = {}): unknown =>
  pactoObject({
    ...parts,
    status: {
      observedRuntime: { containerImages: ['registry.test/init:1', 'registry.test/api:2'] },
      ...status,
    },
  });

export function judge(contents: MemoryContents, w: Write = UPDATE): WriteAnswer {
  return judgeWrite(w, { view: memoryView(contents), now: NOW, onCacheStale: 'Hold' });
}

export function expectAnswer(answer: WriteAnswer, outcome: string, ...codes: string[]): void {
  assert.equal(answer.decision.decision, outcome, refusal(answer));
  assert.deepEqual([...new Set(answer.decision.reasons.map((r) => r.code))], codes);
  assert.equal(answer.allowed, outcome === 'allow');
}
