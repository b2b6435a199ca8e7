// Writes to Deployments through policies: what is a promotion, whose verdicts count, what always passes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeWrite } from '../../gate/judge-write.ts';
import { admissionWarnings, refusal } from '../../gate/message.ts';
import { type MemoryContents, memoryView } from './memory-view.ts';
import { ago, finding, NOW } from './pactos.ts';
import { deployment, expectAnswer, judge, policy, staged, UPDATE, write } from './writes.ts';

test('gate/3.1 an image change with good evidence elsewhere is allowed', () => {
  expectAnswer(judge({ policies: [policy()], pactos: [staged()] }), 'allow');
});

test('gate/3.1 an image change is denied by a violation and held by an absence inside its window', () => {
  const broken = staged({
    contractStatus: 'NonCompliant',
    findings: [finding('error', 'WORKLOAD_MISMATCH')],
  });
  const denied = judge({ policies: [policy()], pactos: [broken] });
  expectAnswer(denied, 'deny', 'NotCompliant');
  assert.match(
    refusal(denied),
    /^policy prod-follows-staging: deny: Pacto shop-staging\/api is NonCompliant: WORKLOAD_MISMATCH/,
  );
  const absent = staged({
    contractStatus: 'Unknown',
    findings: [finding('unknown', 'EVIDENCE_INSUFFICIENT')],
    observationWindows: [{ kind: 'interface', subject: 'http', firstObservedNegativeAt: ago(100) }],
  });
  const held = judge({ policies: [policy()], pactos: [absent] });
  expectAnswer(held, 'hold', 'Stabilizing');
  assert.match(refusal(held), /retry in 21 s$/);
});

test('gate/3.1 without a policy nothing is governed', () => {
  expectAnswer(judge({ pactos: [staged({ contractStatus: 'NonCompliant' })] }), 'allow');
});

test('gate/3.1 scale, metadata, no-op, deletion and status writes are no promotions', () => {
  const contents = { policies: [policy()], pactos: [] };
  for (const [object, old] of [
    [deployment({ replicas: 5 }), deployment()],
    [deployment({ labels: { a: 'b' } }), deployment()],
    [deployment(), deployment()],
    [deployment({ image: 'registry.test/api:2', deleting: true }), deployment()],
  ] as const) {
    expectAnswer(judge(contents, write(object, old)), 'allow', 'NotAPromotion');
  }
  expectAnswer(judge(contents, { ...UPDATE, subresource: 'scale' }), 'allow', 'NotAPromotion');
  expectAnswer(judge(contents, { ...UPDATE, operation: 'DELETE' }), 'allow', 'NotAPromotion');
  expectAnswer(judge(contents, { ...UPDATE, kind: 'ConfigMap', group: '' }), 'allow', 'NotAPromotion');
});

test('gate/3.1 a container that goes away is a change of images', () => {
  const two = deployment();
  const spec = (two['spec'] as { template: { spec: { containers: unknown[] } } }).template.spec;
  spec.containers.push({ name: 'side', image: 'registry.test/side:1' });
  assert.equal(judge({ policies: [policy()] }, write(deployment(), two)).movement, 'promotion');
});

test('gate/3.1 create counts only with evidence in another namespace', () => {
  const create = write(deployment({ labels: { 'app.kubernetes.io/name': 'api' } }));
  const own = policy({ evidence: [] });
  expectAnswer(judge({ policies: [own], pactos: [] }, create), 'allow');
  expectAnswer(judge({ policies: [policy()], pactos: [] }, create), 'hold', 'Missing');
});

test('gate/2 the verdict must be about the promoted images', () => {
  const other = staged({ observedRuntime: { containerImages: ['registry.test/api:1'] } });
  expectAnswer(judge({ policies: [policy()], pactos: [other] }), 'hold', 'WrongRevision');
  const any = policy({ evidence: [{ namespace: 'shop-staging', revision: 'Any' }] });
  expectAnswer(judge({ policies: [any], pactos: [other] }), 'allow');
});

test('gate/2 the rollout of the evidence workload counts', () => {
  const pactos = [
    staged({ observedRuntime: { containerImages: ['registry.test/api:2'], workloadGeneration: 4 } }),
  ];
  const running = (generation: number, rolledOut: boolean): MemoryContents => ({
    policies: [policy()],
    pactos,
    running: { 'Deployment/shop-staging/api': { generation, rolledOut, images: ['registry.test/api:2'] } },
  });
  expectAnswer(judge(running(4, true)), 'allow');
  expectAnswer(judge(running(4, false)), 'hold', 'RolloutIncomplete');
  expectAnswer(judge(running(5, true)), 'hold', 'RolloutIncomplete');
  expectAnswer(judge({ ...running(4, true), unreadable: ['running'] }), 'hold', 'CacheStale');
  expectAnswer(judge({ policies: [policy()], pactos, watched: ['Deployment'] }), 'hold', 'WrongRevision');
});

test('gate/2 SameService: the service of the Pacto that watches the object beats its label', () => {
  const prod = staged({ contract: { serviceName: 'ledger', version: '1' } }, { namespace: 'shop-prod' });
  const ledger = staged({ contract: { serviceName: 'ledger', version: '1' } }, { name: 'other' });
  expectAnswer(judge({ policies: [policy()], pactos: [prod, ledger] }), 'allow');
  expectAnswer(judge({ policies: [policy()], pactos: [prod, staged()] }), 'hold', 'Missing');
  const unnamed = write(deployment({ image: 'registry.test/api:2' }), deployment());
  const nothing = judge({ policies: [policy()], pactos: [staged()] }, unnamed);
  expectAnswer(nothing, 'hold', 'Missing');
  assert.match(refusal(nothing), /names no service/);
});

test('gate/2 SameName and All', () => {
  const named = (match: string): MemoryContents => ({
    policies: [policy({ evidence: [{ namespace: 'shop-staging', match }] })],
    pactos: [
      staged({ contract: { serviceName: 'zzz' } }),
      staged({ contractStatus: 'Invalid' }, { name: 'b' }),
    ],
  });
  expectAnswer(judge(named('SameName')), 'allow');
  expectAnswer(judge(named('All')), 'deny', 'Invalid');
});

test('gate/2 a write cannot leave a policy by taking its label off, nor choose other evidence', () => {
  const selector = { matchLabels: { tier: 'backend' } };
  const contents = {
    policies: [policy({ targets: [{ kinds: ['Deployment'], selector }] })],
    pactos: [staged({ contractStatus: 'Invalid' })],
  };
  const before = { tier: 'backend', 'app.kubernetes.io/name': 'api' };
  const dodge = write(
    deployment({ image: 'registry.test/api:2', labels: {} }),
    deployment({ labels: before }),
  );
  expectAnswer(judge(contents, dodge), 'deny', 'Invalid');
  const renamed = write(
    deployment({ image: 'registry.test/api:2', labels: { ...before, 'app.kubernetes.io/name': 'other' } }),
    deployment({ labels: before }),
  );
  expectAnswer(judge(contents, renamed), 'deny', 'Invalid');
});

test('gate/2 a namespace that is not known yet is not taken for an ungoverned one', () => {
  const contents = {
    policies: [policy({ namespaceSelector: { matchLabels: { tier: 'x' } } })],
    pactos: [staged()],
  };
  expectAnswer(judge(contents), 'hold', 'CacheStale');
});

test('gate/2 evidence whose contract broke is Invalid, not missing', () => {
  const invalid = staged({ contractStatus: 'Invalid', contract: undefined, observedRuntime: undefined });
  expectAnswer(
    judge({ policies: [policy({ rules: { onMissing: 'Allow' } })], pactos: [invalid] }),
    'deny',
    'Invalid',
  );
});

test('gate/2 what is missing says what would help', () => {
  const local = policy({}, { namespace: 'shop-prod' });
  assert.match(
    refusal(judge({ policies: [local], pactos: [staged()] })),
    /to unblock: make an EvidenceGrant in namespace shop-staging/,
  );
  const unnamed = write(deployment({ image: 'registry.test/api:2' }), deployment());
  assert.match(
    refusal(judge({ policies: [policy()], pactos: [staged()] }, unnamed)),
    /to unblock: set the label app\.kubernetes\.io\/name/,
  );
});

test('gate/R15 a namespaced policy sees only the providers it was granted', () => {
  const dependent = staged({ dependencies: [{ name: 'db', ref: 'oci://r.test/db:1' }] });
  const provider = staged(
    {
      contract: { serviceName: 'db', version: '1', resolvedRef: 'r.test/db:1' },
      contractStatus: 'NonCompliant',
    },
    { name: 'db', namespace: 'secret' },
  );
  const grants = [
    {
      apiVersion: 'x',
      kind: 'EvidenceGrant' as const,
      metadata: { name: 'g', namespace: 'shop-staging' },
      spec: { from: [{ kind: 'PromotionPolicy' as const, namespace: 'shop-prod' }] },
    },
  ];
  const asks = policy({ rules: { dependencies: 'Required' } }, { namespace: 'shop-prod' });
  const answer = judge({ policies: [asks], pactos: [dependent, provider], grants });
  expectAnswer(answer, 'hold', 'DependencyNotCompliant');
  assert.doesNotMatch(refusal(answer), /secret/);
  expectAnswer(
    judge({ policies: [policy({ rules: { dependencies: 'Required' } })], pactos: [dependent, provider] }),
    'deny',
    'DependencyNotCompliant',
  );
});

test('gate/2 selectors of targets, evidence and namespaces', () => {
  const contents = (spec: Record<string, unknown>, labels: Record<string, string> = {}): MemoryContents => ({
    policies: [policy(spec)],
    pactos: [staged({ contractStatus: 'Invalid' })],
    namespaces: { 'shop-prod': labels },
  });
  const backend = { matchLabels: { tier: 'backend' } };
  expectAnswer(judge(contents({ targets: [{ kinds: ['Deployment'], selector: backend }] })), 'allow');
  expectAnswer(judge(contents({ targets: [{ kinds: ['StatefulSet'] }] })), 'allow');
  expectAnswer(judge(contents({ namespaceSelector: backend }, { tier: 'web' })), 'allow');
  expectAnswer(judge(contents({ namespaceSelector: backend }, { tier: 'backend' })), 'deny', 'Invalid');
  expectAnswer(
    judge(contents({ evidence: [{ namespace: 'shop-staging', selector: backend }] })),
    'hold',
    'Missing',
  );
});

test('gate/2 a namespaced policy reads other namespaces only with a grant', () => {
  const local = policy({}, { namespace: 'shop-prod' });
  const grant = (from: Record<string, unknown>, selector?: Record<string, unknown>): MemoryContents => ({
    policies: [local],
    pactos: [staged()],
    namespaces: { 'shop-prod': { env: 'prod' } },
    grants: [
      {
        apiVersion: 'x',
        kind: 'EvidenceGrant',
        metadata: { name: 'g', namespace: 'shop-staging' },
        spec: {
          from: [{ kind: 'PromotionPolicy', ...from }],
          ...(selector === undefined ? {} : { selector }),
        },
      },
    ],
  });
  const without = judge({ policies: [local], pactos: [staged()] });
  expectAnswer(without, 'hold', 'Missing');
  assert.match(refusal(without), /no EvidenceGrant in namespace shop-staging/);
  expectAnswer(judge(grant({ namespace: 'shop-prod' })), 'allow');
  expectAnswer(judge(grant({ namespace: 'other' })), 'hold', 'Missing');
  expectAnswer(judge(grant({ namespaceSelector: { matchLabels: { env: 'prod' } } })), 'allow');
  expectAnswer(judge(grant({ namespace: 'shop-prod' }, { matchLabels: { tier: 'x' } })), 'hold', 'Missing');
});

test('gate/2 several policies: each that does not allow is named', () => {
  const answer = judge({
    policies: [policy(), policy({ evidence: [{ namespace: 'qa' }] }, { name: 'qa-too' })],
    pactos: [staged({ contractStatus: 'Invalid' })],
  });
  assert.equal(answer.decision.decision, 'deny');
  assert.match(refusal(answer), /policy prod-follows-staging: deny.*policy qa-too: hold/);
});

test('gate/2 Warn admits with warnings, Audit admits silently, both keep their decision', () => {
  for (const mode of ['Warn', 'Audit']) {
    const answer = judge({ policies: [policy({ mode })], pactos: [staged({ contractStatus: 'Invalid' })] });
    assert.equal(answer.allowed, true);
    assert.equal(answer.policies[0]?.decision.decision, 'deny');
    assert.equal(admissionWarnings(answer).length, mode === 'Warn' ? 1 : 0);
  }
});

test('gate/2 a freeze holds until it ends', () => {
  const freezes = [{ from: ago(60), until: ago(-600), reason: 'holidays' }];
  const frozen = judge({ policies: [policy({ freezes })], pactos: [staged()] });
  expectAnswer(frozen, 'hold', 'Frozen');
  assert.equal(frozen.decision.retryAfterSeconds, 600);
  const over = [{ from: ago(600), until: ago(0), reason: '' }];
  expectAnswer(judge({ policies: [policy({ freezes: over })], pactos: [staged()] }), 'allow');
});

test('gate/3 what cannot be read follows onCacheStale, and nothing is concluded from it', () => {
  for (const what of ['policies', 'clusterPolicies', 'verdicts'] as const) {
    const contents: MemoryContents = { policies: [policy()], pactos: [staged()], unreadable: [what] };
    expectAnswer(judge(contents), 'hold', 'CacheStale');
    const view = memoryView(contents);
    assert.equal(judgeWrite(UPDATE, { view, now: NOW, onCacheStale: 'Deny' }).decision.decision, 'deny');
    const open = judgeWrite(UPDATE, { view, now: NOW, onCacheStale: 'Allow' });
    assert.equal(open.allowed, true);
    assert.match(admissionWarnings(open).join(), /cannot vouch/);
  }
});

test('gate/2 settings that cannot be understood fall back to defaults and say so', () => {
  const answer = judge({
    policies: [policy({ rules: { soak: 'soon', onUnknown: 'Maybe' } })],
    pactos: [staged()],
  });
  expectAnswer(answer, 'allow');
  assert.match(admissionWarnings(answer).join('\n'), /soak.*"soon"/);
  assert.match(admissionWarnings(answer).join('\n'), /onUnknown is "Maybe"/);
});

test('gate/3.3 no message contains the words of an immutable-field error or a line break, and warnings are bounded', () => {
  const nasty = { ...finding('error', 'X'), message: 'spec.selector is IMMUTABLE\nimmutable field' };
  const answer = judge({
    policies: [policy()],
    pactos: [staged({ contractStatus: 'NonCompliant', findings: [nasty] })],
  });
  assert.doesNotMatch(refusal(answer), /immutable|\n/i);
  const many = Array.from({ length: 9 }, (_, i) => ({
    ...finding('warning', `W${i}`),
    message: 'x'.repeat(900),
  }));
  const warned = judge({
    policies: Array.from({ length: 9 }, (_, i) =>
      policy({ mode: 'Warn', rules: { onWarning: 'Deny' } }, { name: `p${i}` }),
    ),
    pactos: [staged({ contractStatus: 'Warning', findings: many })],
  });
  const texts = admissionWarnings(warned);
  assert.equal(texts.length, 5);
  assert.ok(texts.every((t) => Array.from(t).length <= 200));
});
