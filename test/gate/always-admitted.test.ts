// What passes whatever the verdict: rollbacks and repairs (gate 3.2).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controllerRevision, type OwnedRevision } from '../../gate/cache/projections.ts';
import { admissionWarnings } from '../../gate/message.ts';
import type { Write } from '../../gate/write.ts';
import { templateKey } from '../../gate/promotions/workload.ts';
import { ago, finding, pactoObject } from './pactos.ts';
import { deployment, expectAnswer, judge, policy, staged, template, write } from './writes.ts';

test('gate/3.2-1 a rollback passes whatever the verdict, also with an old cache', () => {
  const revisions = {
    'uid-1': [
      { name: 'revision 1', first: 1, templateKey: templateKey(template('registry.test/api:0')) },
      { name: 'revision 2', first: 2, templateKey: templateKey(template('registry.test/api:1')) },
    ],
  };
  const back = write(deployment({ image: 'registry.test/api:0' }), deployment());
  const contents = { policies: [policy()], pactos: [staged({ contractStatus: 'Invalid' })], revisions };
  expectAnswer(judge(contents, back), 'allow', 'Rollback');
  expectAnswer(
    judge({ ...contents, unreadable: ['verdicts', 'policies', 'clusterPolicies'] }, back),
    'allow',
    'Rollback',
  );
  const forward = write(
    deployment({ image: 'registry.test/api:2', labels: { 'app.kubernetes.io/name': 'api' } }),
    deployment(),
  );
  expectAnswer(judge(contents, forward), 'deny', 'Invalid');
});

test('gate/3.2-1 going forward again after a rollback is no rollback', () => {
  // 0 ran first, then 1; the object was rolled back to 0 and now 1 is written again, as a GitOps tool would.
  const revisions = {
    'uid-1': [
      { name: 'revision 1', first: 1, templateKey: templateKey(template('registry.test/api:0')) },
      { name: 'revision 2', first: 2, templateKey: templateKey(template('registry.test/api:1')) },
    ],
  };
  const contents = { policies: [policy()], pactos: [staged({ contractStatus: 'Invalid' })], revisions };
  const labels = { 'app.kubernetes.io/name': 'api' };
  const again = write(
    deployment({ image: 'registry.test/api:1', labels }),
    deployment({ image: 'registry.test/api:0', labels }),
  );
  expectAnswer(judge(contents, again), 'deny', 'Invalid');
});

test('gate/3.2-1 an undo passes before the ReplicaSet of the present revision was seen', () => {
  const revisions = {
    'uid-1': [{ name: 'revision 1', first: 1, templateKey: templateKey(template('registry.test/api:0')) }],
  };
  const contents = { policies: [policy()], pactos: [staged({ contractStatus: 'Invalid' })], revisions };
  expectAnswer(
    judge(contents, write(deployment({ image: 'registry.test/api:0' }), deployment())),
    'allow',
    'Rollback',
  );
});

test("gate/3.2-1 a ReplicaSet's own label and the order of fields do not hide a rollback", () => {
  const spec = template('registry.test/api:0') as { metadata: object; spec: object };
  const kept = { spec: spec.spec, metadata: { labels: { 'pod-template-hash': 'abc', app: 'api' } } };
  assert.equal(templateKey(kept), templateKey(spec));
  assert.notEqual(templateKey(kept), templateKey(template('registry.test/api:1')));
});

test('gate/3.2-1 the newest number of a ControllerRevision does not make going forward a rollback', () => {
  // Revision 1 ran first and was rolled back to, which made it revision 3; now 2 is written again.
  const made = (number: number, second: number, version: number): OwnedRevision => {
    const revision = controllerRevision({
      metadata: {
        creationTimestamp: `2026-11-30T10:00:0${second}Z`,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', uid: 'uid-1', controller: true }],
      },
      revision: number,
      data: { spec: { template: template(`registry.test/api:${version}`) } },
    });
    assert.ok(revision !== undefined);
    return revision;
  };
  const to = (version: number, from: number): Write => ({
    ...write(
      deployment({ image: `registry.test/api:${version}` }),
      deployment({ image: `registry.test/api:${from}` }),
    ),
    kind: 'StatefulSet',
  });
  const staged = { policies: [policy({ targets: [{ kinds: ['StatefulSet'] }] })] };
  const before = { ...staged, revisions: { 'uid-1': [made(1, 1, 1), made(2, 2, 2)] } };
  expectAnswer(judge(before, to(1, 2)), 'allow', 'Rollback');
  const after = { ...staged, revisions: { 'uid-1': [made(3, 1, 1), made(2, 2, 2)] } };
  expectAnswer(judge(after, to(2, 1)), 'hold', 'Missing');
  const sameSecond = { ...staged, revisions: { 'uid-1': [made(1, 1, 1), made(2, 1, 2)] } };
  expectAnswer(judge(sameSecond, to(1, 2)), 'hold', 'Missing');
});

test('gate/3.2-2 a violation does not lock out its own repair', () => {
  const own = (status: Record<string, unknown>): unknown =>
    pactoObject({
      namespace: 'shop-prod',
      status: { contractStatus: 'NonCompliant', findings: [finding('error', 'INTERFACE_ABSENT')], ...status },
    });
  const self = policy({ evidence: [] });
  const repair = judge({ policies: [self], pactos: [own({})] });
  expectAnswer(repair, 'allow', 'FixForward');
  assert.match(admissionWarnings(repair).join(), /passes as a repair/i);
  const same = own({ observedRuntime: { containerImages: ['registry.test/api:2'] } });
  expectAnswer(judge({ policies: [self], pactos: [same] }), 'deny', 'NotCompliant');
  const strict = policy({ evidence: [], rules: { fixForward: 'Deny' } });
  expectAnswer(judge({ policies: [strict], pactos: [own({})] }), 'deny', 'NotCompliant');
  const frozen = policy({ evidence: [], freezes: [{ from: ago(60), until: ago(-600), reason: '' }] });
  expectAnswer(judge({ policies: [frozen], pactos: [own({})] }), 'allow', 'FixForward');
});
