// `pacto-gate check` and `status` as a pipeline and a person use them, on a real API server.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serviceAccountKubeconfig } from '../cluster/credentials.ts';
import { createNamespace } from '../cluster/namespace.ts';
import { nowSeconds } from '../cluster/now-seconds.ts';
import { type SharedCluster, sharedCluster } from '../cluster/shared-cluster.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { contract } from '../demo/shop.ts';
import type { Finished } from '../helpers/finished.ts';
import { Program, runProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Rig = {
  readonly cluster: SharedCluster;
  readonly namespace: string;
  readonly run: (...words: string[]) => Promise<Finished>;
};

async function rig(t: TestContext): Promise<Rig> {
  const cluster = await sharedCluster();
  const namespace = await createNamespace(t, cluster, 'cli');
  const run = (...words: string[]): Promise<Finished> =>
    runProgram([...words, '--kubeconfig', cluster.kubeconfig]);
  return { cluster, namespace, run };
}

/** A Pacto with a verdict written as an operator would. */
async function judged(
  { cluster, namespace }: Rig,
  name: string,
  status: Record<string, unknown>,
): Promise<void> {
  const path = `/apis/pacto.trianalab.io/v1alpha1/namespaces/${namespace}/pactos`;
  const object = {
    apiVersion: 'pacto.trianalab.io/v1alpha1',
    kind: 'Pacto',
    metadata: { name, labels: { app: name } },
    spec: { contractRef: { inline: contract(name, '1.0.0') } },
  };
  const created = await cluster.admin.create(path, object);
  assert.ok(created.code === 201 || created.code === 409);
  const written = await cluster.admin.mergePatch(`${path}/${name}/status`, {
    status: {
      observedGeneration: 1,
      lastReconciledAt: nowSeconds(),
      contractStatusSince: nowSeconds(),
      contract: { serviceName: name, version: '1.0.0' },
      ...status,
    },
  });
  assert.equal(written.code, 200, JSON.stringify(written.body));
}

const COMPLIANT = { contractStatus: 'Compliant', evaluationCoverage: { evaluated: 1, required: 1 } };
const ABSENT = {
  code: 'INTERFACE_ABSENT',
  severity: 'error',
  category: 'RuntimeDrift',
  subject: 'interface/http',
  message: 'nothing serves it',
};
const BROKEN = {
  contractStatus: 'NonCompliant',
  findings: [ABSENT],
  summary: { errorCount: 1, warningCount: 0, infoCount: 0, unknownCount: 0 },
};

test('gate/5 exit codes: 0 allow, 1 deny, 4 held, 5 allowed with warnings', async (t) => {
  const r = await rig(t);
  await judged(r, 'good', COMPLIANT);
  await judged(r, 'bad', BROKEN);
  await judged(r, 'warned', { contractStatus: 'Warning', findings: [{ ...ABSENT, severity: 'warning' }] });
  const name = (n: string): string => `${r.namespace}/${n}`;
  assert.equal((await r.run('check', name('good'))).code, 0);
  const denied = await r.run('check', name('bad'));
  assert.equal(denied.code, 1);
  assert.match(denied.stdout, /^deny\n/);
  assert.match(denied.stdout, /INTERFACE_ABSENT interface\/http/);
  assert.equal((await r.run('check', name('nothing'))).code, 4);
  assert.equal((await r.run('check', name('warned'))).code, 0);
  assert.equal((await r.run('check', name('warned'), '--fail-on-warning')).code, 5);
  assert.equal((await r.run('check', name('good'), name('bad'))).code, 1);
});

test('gate/5 exit code 3 when nothing could be evaluated, 2 for wrong usage', async (t) => {
  const r = await rig(t);
  const stranger = await serviceAccountKubeconfig(r.cluster, { namespace: r.namespace, name: 'stranger' });
  const forbidden = await runProgram(['check', `${r.namespace}/good`, '--kubeconfig', stranger.kubeconfig]);
  assert.equal(forbidden.code, 3);
  assert.match(forbidden.stderr, /forbidden/);
  assert.equal((await r.run('check', 'a/b/c')).code, 2);
  assert.equal((await r.run('check', 'a', '-l', 'x=y')).code, 2);
});

test('gate/5 -o json carries apiVersion, kind and the decision, and standard output nothing else', async (t) => {
  const r = await rig(t);
  await judged(r, 'bad', BROKEN);
  const result = await r.run('check', `${r.namespace}/bad`, '-o', 'json');
  const decision: unknown = JSON.parse(result.stdout);
  assert.ok(typeof decision === 'object' && decision !== null);
  const { apiVersion, kind, decision: answer } = decision as Record<string, unknown>;
  assert.deepEqual([apiVersion, kind, answer], ['gate.pacto.trianalab.io/v1alpha1', 'Decision', 'deny']);
  assert.equal(result.stderr, '');
});

test('gate/5 selectors, the namespace flag, policy files and images count', async (t) => {
  const r = await rig(t);
  await judged(r, 'good', {
    ...COMPLIANT,
    observedRuntime: { containerImages: ['r.test/good:1'], hasPVC: false, hasEmptyDir: false },
  });
  await judged(r, 'bad', BROKEN);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'policy.yaml');
  const policy = (rules: string, kind = 'PromotionPolicy'): Promise<void> =>
    writeFile(
      file,
      `apiVersion: gate.pacto.trianalab.io/v1alpha1\nkind: ${kind}\nmetadata: { name: p, namespace: n }\nspec: { targets: [{ kinds: [Deployment] }], ${rules} }\n`,
    );
  const inNamespace = ['-n', r.namespace];
  assert.equal((await r.run('check', ...inNamespace, '-l', 'app=good')).code, 0);
  assert.equal((await r.run('check', ...inNamespace)).code, 1);
  assert.equal((await r.run('check', ...inNamespace, '-l', 'app=none')).code, 4);
  assert.equal((await r.run('check', 'good', ...inNamespace, '--image', 'r.test/good:1')).code, 0);
  assert.equal((await r.run('check', 'good', ...inNamespace, '--image', 'r.test/good:2')).code, 4);
  await policy('waivers: [{ code: INTERFACE_ABSENT, until: "2999-01-01T00:00:00Z", reason: INC-1, by: me }]');
  const waived = await r.run('check', 'bad', ...inNamespace, '--policy', file);
  assert.equal(waived.code, 0, waived.stdout);
  assert.match(waived.stdout, /waived until 2999/);
  await policy('rules: { soak: tomorrow }');
  const wrong = await r.run('check', 'bad', ...inNamespace, '--policy', file);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /policy\.yaml: .*soak/);
  await policy('rules: { onUnkown: Deny, readiness: required }');
  const misspelt = await r.run('check', 'bad', ...inNamespace, '--policy', file);
  assert.equal(misspelt.code, 2);
  assert.match(misspelt.stderr, /spec\.rules\.onUnkown: there is no such field/);
  assert.match(misspelt.stderr, /\/spec\/rules\/readiness: must be one of Ignored, Required/);
  await policy(
    'freezes: [{ from: "2020-01-01T00:00:00Z", until: "2999-01-01T00:00:00Z", reason: holidays }]',
  );
  const frozen = await r.run('check', 'good', ...inNamespace, '--policy', file);
  assert.equal(frozen.code, 4);
  assert.match(frozen.stdout, /Frozen: promotions are frozen until 2999/);
  await policy('', 'Deployment');
  assert.match(
    (await r.run('check', 'bad', ...inNamespace, '--policy', file)).stderr,
    /is a Deployment; --policy takes a PromotionPolicy/,
  );
  assert.match(
    (await r.run('check', 'bad', ...inNamespace, '--policy', join(folder, 'no'))).stderr,
    /cannot read .*ENOENT/,
  );
});

test('gate/5 --wait follows a hold until it resolves, and ends at its time limit', async (t) => {
  const r = await rig(t);
  const held = await r.run('check', `${r.namespace}/later`, '--wait', '--timeout', '4s', '--progress');
  assert.equal(held.code, 4);
  assert.match(held.stderr, /^waiting: Pacto .*later: it does not exist\n$/);
  assert.equal(held.stdout.split('\n')[0], 'hold, retry in 30 s');
  await using waiting = new Program([
    'check',
    `${r.namespace}/later`,
    '--wait',
    '--progress',
    '--kubeconfig',
    r.cluster.kubeconfig,
  ]);
  await waitUntil('the wait to begin', () => waiting.text.includes('waiting:'));
  await judged(r, 'later', COMPLIANT);
  assert.equal(await waiting.ended, 0);
  assert.match(waiting.text, /allow/);
});

test('gate/5 status shows a table, and follows changes with -w', async (t) => {
  const r = await rig(t);
  const empty = await r.run('status', '-n', r.namespace);
  assert.deepEqual([empty.code, empty.stdout], [0, '']);
  assert.match(empty.stderr, /^no Pactos in namespace/);
  await judged(r, 'good', COMPLIANT);
  await judged(r, 'bad', BROKEN);
  const shown = await r.run('status', '-n', r.namespace);
  const lines = shown.stdout.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^NAMESPACE +NAME +STATUS +VERSION +JUDGED +GATE +WHY$/);
  assert.ok(
    lines.some((l) => /bad +NonCompliant +1\.0\.0 +\d+s +deny +INTERFACE_ABSENT interface\/http$/.test(l)),
    shown.stdout,
  );
  assert.ok(lines.some((l) => /good +Compliant +1\.0\.0 +\d+s +allow$/.test(l)));
  await using following = new Program([
    'status',
    '-n',
    r.namespace,
    '-w',
    '--kubeconfig',
    r.cluster.kubeconfig,
  ]);
  await waitUntil('the table', () => following.text.includes('good'));
  await judged(r, 'good', BROKEN);
  await waitUntil('the change', () => /good +NonCompliant/.test(following.text));
});
