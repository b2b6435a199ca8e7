// Credentials of the transport: token files and programs that hand out tokens, renewed, refused, broken and slow.
import assert from 'node:assert/strict';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { KubeApiError } from '../../kube/api-error.ts';
import { ClusterConfigError } from '../../kube/cluster-config.ts';
import { credentialSource } from '../../kube/credentials.ts';
import { CapturedLog } from '../helpers/captured-log.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { connect, movableTime } from './connect.ts';
import { CONFIG_MAP, configMap, configOf, eventually, SCOPE, startServer } from './rig.ts';

test('transport/a token file is read again after a minute, and at once when the token is refused', async (t) => {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  const file = path.join(await temporaryFolder(t), 'token');
  await writeFile(file, 'one\n');
  const { fake, clock } = movableTime();
  const client = connect(t, server, { auth: { kind: 'tokenFile', path: file } }, { clock });
  const get = () => client.get(CONFIG_MAP, { namespace: 'default', name: 'a' });
  const sent = () => server.seen.at(-1)?.headers['authorization'];
  await get();
  assert.equal(sent(), 'Bearer one');
  await writeFile(file, 'two\n');
  fake.advanceSync(59_000);
  await get();
  assert.equal(sent(), 'Bearer one', 'from memory');
  fake.advanceSync(1_000);
  await get();
  assert.equal(sent(), 'Bearer two');
  await writeFile(file, 'three');
  server.intercept(({ headers }) =>
    headers['authorization'] === 'Bearer three'
      ? undefined
      : { kind: 'status', status: 401, reason: 'Unauthorized' },
  );
  fake.advanceSync(2_000);
  await get();
  assert.equal(sent(), 'Bearer three', 'the refused request was sent again with the new token');
  await rm(file);
  fake.advanceSync(120_000);
  await get();
  assert.equal(sent(), 'Bearer three', 'a file that is gone for a moment does not end what works');
});

test('transport/a refused token that has not changed is not tried over and over', async (t) => {
  const server = await startServer(t);
  const file = path.join(await temporaryFolder(t), 'token');
  await writeFile(file, 'old');
  server.intercept(() => ({ kind: 'status', status: 401, reason: 'Unauthorized' }));
  const client = connect(t, server, { auth: { kind: 'tokenFile', path: file } });
  for (let i = 0; i < 5; i += 1) {
    await assert.rejects(
      client.get(CONFIG_MAP, { namespace: 'default', name: 'a' }),
      (error: unknown) => error instanceof KubeApiError && error.isUnauthorized,
    );
  }
  assert.ok(server.seen.length <= 6, String(server.seen.length));
});

test('transport/a refusal that comes late does not count against the token that came after', async (t) => {
  const folder = await temporaryFolder(t);
  const file = path.join(folder, 'token');
  await writeFile(file, 'one');
  const clock = new FakeClock();
  const config = configOf({ url: 'https://unused.example', ca: '' });
  const tokens = credentialSource({ ...config, auth: { kind: 'tokenFile', path: file } }, { clock, env: {} });
  const one = await tokens.current();
  await writeFile(file, 'two');
  await clock.advance(2_000);
  assert.equal(tokens.rejected(one), true);
  const two = await tokens.current();
  assert.deepEqual(two, { authorization: 'Bearer two' });
  assert.equal(tokens.rejected(one), true, 'there is another token already');
  assert.equal(await tokens.current(), two);
  assert.equal(tokens.rejected(two), false, 'just read');

  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    args: [
      '-c',
      `echo run >> "$RUNS"; n=$(wc -l < "$RUNS" | tr -d ' ')
       echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"'$n'"}}'`,
    ],
    env: [{ name: 'RUNS', value: path.join(folder, 'runs') }],
    provideClusterInfo: false,
  } as const;
  const env = { PATH: process.env['PATH'] };
  const plugin = credentialSource({ ...config, auth: { kind: 'exec', exec } }, { clock, env });
  const first = await plugin.current();
  assert.equal(plugin.rejected(first), true);
  const second = await plugin.current();
  assert.equal(plugin.rejected(first), true);
  assert.equal(await plugin.current(), second, 'fresh credentials are kept');
  assert.deepEqual([first.authorization, second.authorization], ['Bearer 1', 'Bearer 2']);
});

test('transport/an exec plugin is run once, its credentials are kept until they expire or are refused', async (t) => {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  const folder = await temporaryFolder(t);
  const program = path.join(folder, 'login.sh');
  const runs = path.join(folder, 'runs');
  await writeFile(
    program,
    `#!/bin/sh
echo run >> ${runs}
n=$(wc -l < ${runs} | tr -d ' ')
echo "$KUBERNETES_EXEC_INFO" > ${folder}/info
cat <<END
{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",
 "status":{"token":"$PREFIX-$1-$n","expirationTimestamp":"2026-01-01T0$n:00:00Z"}}
END
`,
  );
  await chmod(program, 0o700);
  const { fake, clock } = movableTime();
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: program,
    args: ['arg'],
    env: [{ name: 'PREFIX', value: 'tok' }],
    provideClusterInfo: true,
  } as const;
  const client = connect(
    t,
    server,
    { auth: { kind: 'exec', exec } },
    { clock, env: { PATH: process.env['PATH'] } },
  );
  const get = () => client.get(CONFIG_MAP, { namespace: 'default', name: 'a' });
  const sent = () => server.seen.at(-1)?.headers['authorization'];
  await Promise.all([get(), get(), get()]);
  assert.equal(sent(), 'Bearer tok-arg-1', 'one run serves all who ask at once');
  fake.advanceSync(3_500_000);
  await get();
  assert.equal(sent(), 'Bearer tok-arg-1');
  fake.advanceSync(95_000);
  await get();
  assert.equal(sent(), 'Bearer tok-arg-2', 'renewed shortly before the end');
  server.interceptNext(1, () => ({ kind: 'status', status: 401 }));
  await get();
  assert.equal(sent(), 'Bearer tok-arg-3', 'renewed when refused');
  const info = JSON.parse(await readFile(path.join(folder, 'info'), 'utf8')) as {
    spec: Record<string, unknown>;
  };
  assert.deepEqual(Object.keys(info.spec), ['interactive', 'cluster']);
  assert.equal((info.spec['cluster'] as { server: string }).server, server.url);
});

for (const [what, script, message] of [
  ['fails', 'exit 3', /ended with exit code 3; run it by hand to see why/],
  ['prints no JSON', 'echo secret-token', /did not print JSON/],
  [
    'prints another version',
    'echo \'{"apiVersion":"x","status":{"token":"secret-token"}}\'',
    /ExecCredential of client/,
  ],
  [
    'prints a certificate without its key',
    'echo \'{"apiVersion":"client.authentication.k8s.io/v1","status":{"clientCertificateData":"secret-token"}}\'',
    /a token, or a client certificate with its key/,
  ],
  [
    'prints without end',
    'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done',
    /printed too much/,
  ],
] as const) {
  test(`transport/an exec plugin that ${what} is an error that says so, without its output`, async (t) => {
    const server = await startServer(t);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'sh',
      args: ['-c', script],
      env: [],
      provideClusterInfo: false,
    } as const;
    const client = connect(
      t,
      server,
      { auth: { kind: 'exec', exec } },
      { env: { PATH: process.env['PATH'] } },
    );
    await assert.rejects(client.probe('/readyz'), (error: unknown) => {
      assert.ok(error instanceof ClusterConfigError);
      assert.match(error.message, message);
      assert.doesNotMatch(`${error.message}${String(error.cause)}`, /secret-token/);
      return true;
    });
  });
}

test('transport/an exec plugin that is not installed is named with its hint', async (t) => {
  const server = await startServer(t);
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'no-such-login-program',
    args: [],
    env: [],
    provideClusterInfo: false,
    installHint: 'install it from your provider',
  } as const;
  const client = connect(t, server, { auth: { kind: 'exec', exec } });
  await assert.rejects(client.probe('/readyz'), {
    message: 'credential program no-such-login-program cannot be run; install it from your provider',
  });
});

/** What a kubeconfig names: a shell script. `$RUNS` is a file to count in. */
async function program(t: TestContext, script: string) {
  const folder = await temporaryFolder(t);
  const runs = path.join(folder, 'runs');
  await writeFile(runs, '');
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    args: ['-c', `echo "$$" >> "$RUNS"; ${script}`],
    env: [{ name: 'RUNS', value: runs }],
    provideClusterInfo: false,
  } as const;
  const lines = async (): Promise<readonly string[]> => (await readFile(runs, 'utf8')).trim().split('\n');
  return { auth: { kind: 'exec', exec } as const, env: { PATH: process.env['PATH'] }, lines };
}

const TOKEN = `echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}'`;

test('transport/an exec plugin that leaves something running with its output open is not waited for', async (t) => {
  const clock = new FakeClock();
  const { auth, env, lines } = await program(t, `sleep 600 & echo $! >> "$RUNS"; ${TOKEN}`);
  const config = { ...configOf({ url: 'https://unused.example', ca: '' }), auth };
  const credentials = credentialSource(config, { clock, env }).current();
  await eventually(() => clock.nextInMs === 1_000, 'the program itself has ended');
  const [, left] = await lines();
  t.after(() => process.kill(Number(left)));
  await clock.advance(1_000);
  assert.deepEqual(await credentials, { authorization: 'Bearer t' });
  assert.equal(clock.pending, 0);
});

test('transport/an exec plugin that does not end is ended, by the injected clock', async (t) => {
  const clock = new FakeClock();
  const { auth, env } = await program(t, 'exec sleep 600');
  const config = { ...configOf({ url: 'https://unused.example', ca: '' }), auth };
  const credentials = credentialSource(config, { clock, env }).current();
  const refused = assert.rejects(credentials, /ended with SIGKILL; run it by hand/);
  await clock.advance(60_000);
  await refused;
  assert.equal(clock.pending, 0);
});

test('transport/an exec plugin whose credentials are always refused is run twice, then every ten seconds at most', async (t) => {
  const server = await startServer(t);
  server.intercept(() => ({ kind: 'status', status: 401, reason: 'Unauthorized' }));
  const { fake, clock } = movableTime();
  const { auth, env, lines } = await program(t, TOKEN);
  const client = connect(t, server, { auth }, { clock, env });
  const ask = async (): Promise<void> => {
    for (let i = 0; i < 10; i += 1) assert.equal(await client.probe('/readyz'), 401);
  };
  await ask();
  assert.equal((await lines()).length, 2);
  fake.advanceSync(10_000);
  await ask();
  assert.equal((await lines()).length, 3);
});

test('transport/an exec plugin that fails is run again after five seconds, not for each request', async (t) => {
  const server = await startServer(t);
  const { fake, clock } = movableTime();
  const { auth, env, lines } = await program(t, 'exit 1');
  const client = connect(t, server, { auth }, { clock, env });
  const ask = async (): Promise<void> => {
    for (let i = 0; i < 5; i += 1) await assert.rejects(client.probe('/readyz'), /ended with exit code 1/);
  };
  await ask();
  assert.equal((await lines()).length, 1);
  fake.advanceSync(5_000);
  await ask();
  assert.equal((await lines()).length, 2);
});

for (const what of ['token', 'CA'] as const) {
  test(`transport/a ${what} file that cannot be read any more is told once, and once when it can again`, async (t) => {
    const server = await startServer(t);
    const file = path.join(await temporaryFolder(t), 'file');
    const content = what === 'token' ? 'secret-token' : server.ca;
    await writeFile(file, content);
    const { fake, clock } = movableTime();
    const log = new CapturedLog();
    const config =
      what === 'token'
        ? { auth: { kind: 'tokenFile', path: file } as const }
        : { ca: { kind: 'file', path: file } as const };
    const client = connect(t, server, config, { clock, log });
    const minute = async (): Promise<void> => {
      fake.advanceSync(60_000);
      assert.equal(await client.probe('/readyz'), 200);
    };
    await minute();
    assert.equal(log.lines.length, 0);
    await rm(file);
    for (let i = 0; i < 3; i += 1) await minute();
    assert.deepEqual(
      log.lines.map(({ level, message }) => [
        level,
        message.endsWith(' cannot be read any more; what was read last is used'),
      ]),
      [['warn', true]],
    );
    await writeFile(file, content);
    for (let i = 0; i < 2; i += 1) await minute();
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      ['warn', 'info'],
    );
    assert.equal(server.connections, 1, 'the connection goes on');
    assert.doesNotMatch(JSON.stringify(log.lines), /secret-token|BEGIN CERTIFICATE/);
  });
}
