// What keeps a process from starting: each ends in one sentence that says what, where and what to do, and in its code.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startCluster, type TestCluster } from '../cluster/cluster.ts';
import { CertificateAuthority } from '../helpers/certificates.ts';
import type { Finished } from '../helpers/finished.ts';
import { runProgram } from '../helpers/program.ts';
import { takenPort } from '../helpers/taken-port.ts';

let folder = '';
let bare: TestCluster;
const pairFlags: string[] = [];
const FREE = ['--health-probe-bind-address', '127.0.0.1:0'];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refusals-'));
  const empty = join(folder, 'no-crds');
  bare = await startCluster({ parts: ['etcd', 'apiserver'], crds: empty });
  const pair = new CertificateAuthority().issue();
  await writeFile(join(folder, 'tls.crt'), pair.cert);
  await writeFile(join(folder, 'tls.key'), pair.key);
  pairFlags.push(
    '--tls-cert-file',
    join(folder, 'tls.crt'),
    '--tls-private-key-file',
    join(folder, 'tls.key'),
  );
});

after(async () => {
  await bare.stop();
  await rm(folder, { recursive: true });
});

/** A webhook on the bare cluster and on free ports, to its end. */
function runWebhook(pair: readonly string[]): Promise<Finished> {
  const words = ['webhook', '--kubeconfig', bare.kubeconfig, '--bind-address', '127.0.0.1:0'];
  return runProgram([...words, ...FREE, ...pair]);
}

/** What a person sees, without the log lines before it. */
function lastSentence(stderr: string): string {
  return stderr
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))
    .join('\n');
}

test('refusal/crds an operator and a webhook on a cluster without our kinds say how to install them', async () => {
  const operator = await runProgram(
    ['operator', '--kubeconfig', bare.kubeconfig, ...FREE, '--metrics-bind-address', '0'],
    { env: { POD_NAMESPACE: 'default' } },
  );
  assert.equal(operator.code, 1);
  assert.match(
    lastSentence(operator.stderr),
    /^pacto-gate operator: this cluster does not serve Pacto; install .*kubectl apply --server-side -f deploy\/crds\)/,
  );
  const webhook = await runWebhook(pairFlags);
  assert.equal(webhook.code, 1);
  assert.match(
    lastSentence(webhook.stderr),
    /^pacto-gate webhook: this cluster does not serve .*PromotionPolicy.*; install .*kubectl apply --server-side -f deploy\/crds\)/,
  );
});

test('refusal/crds check on a cluster without our kinds says so and exits 3', async () => {
  const check = await runProgram(['check', 'default/api', '--kubeconfig', bare.kubeconfig]);
  assert.equal(check.code, 3);
  assert.match(check.stderr, /does not serve Pacto; install the CustomResourceDefinitions/);
  const status = await runProgram(['status', '-A', '--kubeconfig', bare.kubeconfig]);
  assert.equal(status.code, 3);
  assert.match(status.stderr, /does not serve Pacto;/);
});

test('refusal/kubeconfig a file that is not there is named, with what to do', async () => {
  const missing = join(folder, 'nope');
  for (const words of [['check', 'a/b'], ['status'], ['operator'], ['webhook', ...pairFlags]]) {
    const result = await runProgram([...words, '--kubeconfig', missing], { env: { POD_NAMESPACE: 'x' } });
    assert.equal(result.code, words[0] === 'operator' || words[0] === 'webhook' ? 1 : 2, result.stderr);
    assert.equal(
      lastSentence(result.stderr),
      `pacto-gate ${words[0]}: kubeconfig ${missing} does not exist; name another file with --kubeconfig or $KUBECONFIG`,
    );
  }
});

test('refusal/port a port in use names the flag that chooses another', async (t) => {
  const port = await takenPort(t);
  const result = await runProgram(
    ['operator', '--kubeconfig', bare.kubeconfig, '--health-probe-bind-address', `127.0.0.1:${port}`],
    { env: { POD_NAMESPACE: 'x' } },
  );
  assert.equal(result.code, 1);
  assert.match(lastSentence(result.stderr), new RegExp(`:${port}.*--health-probe-bind-address`));
});

test('refusal/certificate a pair that does not match is refused before anything listens', async () => {
  const other = join(folder, 'other.key');
  await writeFile(other, new CertificateAuthority().issue().key);
  const flags = ['--tls-cert-file', join(folder, 'tls.crt'), '--tls-private-key-file', other];
  const result = await runWebhook(flags);
  assert.equal(result.code, 1);
  assert.match(lastSentence(result.stderr), /do not belong together/);
});

test('refusal/flags unknown flags, values and operands are quoted', async () => {
  const cases: readonly [readonly string[], RegExp][] = [
    [
      ['operator', '--stabilization-window', 'soon'],
      /--stabilization-window "soon": .*give a duration such as 90s/,
    ],
    [['operator', '--workers=0'], /--workers "0": give a whole number from 1 to 100/],
    [['operator', 'now'], /operator takes no operands and got "now"/],
    [['operator'], /POD_NAMESPACE is not set/],
    [['webhook'], /--tls-cert-file and --tls-private-key-file are required/],
    [
      ['webhook', '--on-cache-stale', 'maybe', ...pairFlags],
      /--on-cache-stale "maybe": give one of hold, deny, allow/,
    ],
    [
      ['operator', '--health-probe-bind-address', 'nonsense'],
      /--health-probe-bind-address "nonsense": give an address such as :8081/,
    ],
  ];
  for (const [words, expected] of cases) {
    const env = words.length === 1 ? {} : { POD_NAMESPACE: 'x' };
    const result = await runProgram([...words, '--kubeconfig', bare.kubeconfig], { env });
    assert.equal(result.code, 1, words.join(' '));
    assert.match(result.stderr, expected);
  }
});
