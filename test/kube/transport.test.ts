// The transport: few connections, credentials and certificates that reload, proxies, limits, and errors one can act on.
import assert from 'node:assert/strict';
import { chmod, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { ClusterConfigError, type ClusterConfig } from '../../kube/cluster-config.ts';
import { KubeApiError } from '../../kube/api-error.ts';
import { KubeClient } from '../../kube/client.ts';
import { credentialSource } from '../../kube/credentials.ts';
import { KubeConnectionError } from '../../kube/transport.ts';
import { UndiciTransport, type UndiciTransportOptions } from '../../kube/undici-transport.ts';
import { systemClock } from '../../runtime/clock.ts';
import { CuttingProxy } from '../faults/cutting-proxy.ts';
import { startForwardProxy } from '../faults/forward-proxy.ts';
import type { ScriptedApiServer } from '../faults/scripted-api-server.ts';
import { CertificateAuthority } from '../helpers/certificates.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { CONFIG_MAP, configMap, configOf, eventually, rig, SCOPE, startServer } from './rig.ts';

function connect(
  t: TestContext,
  server: ScriptedApiServer,
  config: Partial<ClusterConfig> = {},
  options: Partial<UndiciTransportOptions> = {},
): KubeClient {
  const transport = new UndiciTransport({
    config: { ...configOf(server), ...config },
    clock: systemClock,
    userAgent: 'pacto-gate/test',
    ...options,
  });
  t.after(() => transport.close());
  return new KubeClient({ transport, clock: systemClock });
}

/** The clock timers of the machine, with a monotonic time a test moves. */
function movableTime() {
  const fake = new FakeClock();
  return { fake, clock: { ...systemClock, monotonic: fake.monotonic, wall: fake.wall } };
}

for (const protocol of ['h2', 'http1'] as const) {
  test(`transport/200 reads, one by one and at once, take at most 2 connections (${protocol})`, async (t) => {
    const server = await startServer(t, protocol);
    server.store.write(SCOPE, 'create', configMap('a'));
    const client = connect(t, server);
    const get = () => client.get(CONFIG_MAP, { namespace: 'default', name: 'a' });
    for (let i = 0; i < 100; i += 1) await get();
    assert.ok(server.connections <= (protocol === 'h2' ? 1 : 2), String(server.connections));
    if (protocol === 'h2') {
      await Promise.all(Array.from({ length: 100 }, get));
      assert.ok(server.connections <= 2, String(server.connections));
    }
    assert.equal(server.seen[0]?.headers['user-agent'], 'pacto-gate/test');
    assert.equal(server.seen[0]?.httpVersion, protocol === 'h2' ? '2.0' : '1.1');
  });
}

test('transport/many watches over HTTP/1.1 do not wait for each other', async (t) => {
  const server = await startServer(t, 'http1');
  const client = connect(t, server);
  const stop = new AbortController();
  const watches = Array.from({ length: 12 }, async () => {
    await assert.rejects(async () => {
      for await (const _event of client.watch(CONFIG_MAP, { signal: stop.signal, resourceVersion: '1000' }));
    }, /stopped/);
  });
  await eventually(() => server.watching() === 12, 'all are open');
  stop.abort(new Error('stopped'));
  await Promise.all(watches);
  await eventually(() => server.watching() === 0, 'all are closed');
});

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

test('transport/a rotated CA is followed as the kubelet swaps it, without a restart', async (t) => {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  const folder = await temporaryFolder(t);
  const data = path.join(folder, '..data');
  // The kubelet writes a new folder and renames a link over the old one.
  const swap = async (name: string, pem: string): Promise<void> => {
    await writeFile(path.join(folder, name), pem);
    await symlink(name, `${data}_tmp`);
    await rename(`${data}_tmp`, data);
  };
  await swap('one', server.ca);
  const client = connect(t, server, { ca: { kind: 'file', path: data } });
  await client.get(CONFIG_MAP, { namespace: 'default', name: 'a' });
  const next = new CertificateAuthority('next authority');
  await server.close();
  server.useCertificate(next.issue());
  await server.listen();
  const refused = await client
    .get(CONFIG_MAP, { namespace: 'default', name: 'a' })
    .catch((error: unknown) => error);
  assert.ok(refused instanceof KubeConnectionError);
  assert.match(refused.message, /certificate is not signed by the configured CA/);
  await swap('two', next.pem);
  await client.get(CONFIG_MAP, { namespace: 'default', name: 'a' });
});

test('transport/a rotated client certificate is used from the next request on', async (t) => {
  const server = await startServer(t);
  server.store.write(SCOPE, 'create', configMap('a'));
  const folder = await temporaryFolder(t);
  const files = { cert: path.join(folder, 'cert'), key: path.join(folder, 'key') };
  const write = async (commonName: string): Promise<void> => {
    const pair = server.authority.issue({ commonName });
    await writeFile(files.cert, pair.cert);
    await writeFile(files.key, pair.key);
  };
  await write('one');
  const { fake, clock } = movableTime();
  const clientCertificate = {
    certificate: { kind: 'file', path: files.cert },
    key: { kind: 'file', path: files.key },
  } as const;
  const client = connect(t, server, { clientCertificate }, { clock });
  const stop = new AbortController();
  const watch = client.watch(CONFIG_MAP, {
    signal: stop.signal,
    resourceVersion: String(server.store.revision),
  });
  const first = watch.next();
  await eventually(() => server.watching() === 1, 'watching');
  await write('two');
  fake.advanceSync(60_000);
  await client.get(CONFIG_MAP, { namespace: 'default', name: 'a' });
  assert.equal(server.connections, 2, 'a connection with the new certificate');
  server.store.write(SCOPE, 'create', configMap('b'));
  assert.equal((await first).value?.kind, 'added', 'the watch on the old one goes on');
  stop.abort();
});

test('transport/closing ends what still runs on an earlier certificate', async (t) => {
  const server = await startServer(t);
  const file = path.join(await temporaryFolder(t), 'ca');
  await writeFile(file, server.ca);
  const { fake, clock } = movableTime();
  await using r = rig(server, { config: { ...configOf(server), ca: { kind: 'file', path: file } }, clock });
  const watch = r.client.watch(CONFIG_MAP, { signal: t.signal, resourceVersion: '1000' }).next();
  await eventually(() => server.watching() === 1, 'watching');
  await writeFile(file, `${server.ca}${new CertificateAuthority().pem}`);
  fake.advanceSync(60_000);
  assert.equal(await r.client.probe('/readyz'), 200);
  assert.equal(server.connections, 2, 'a connection of its own');
  const ended = assert.rejects(watch, KubeConnectionError);
  await r.transport.close();
  await ended;
  await eventually(() => server.open === 0, 'no connection is left');
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

for (const kind of ['http', 'socks5'] as const) {
  for (const protocol of ['h2', 'plain'] as const) {
    test(`transport/requests go through a ${kind} proxy with a password (${protocol})`, async (t) => {
      const server = await startServer(t, protocol);
      server.store.write(SCOPE, 'create', configMap('a'));
      const proxy = await startForwardProxy({ kind, login: 'user:p@ss' });
      t.after(() => proxy.close());
      const scheme = kind === 'http' ? 'http' : 'socks5';
      const proxyUrl = `${scheme}://user:p%40ss@127.0.0.1:${proxy.port}`;
      const client = connect(t, server, { proxyUrl });
      for (let i = 0; i < 10; i += 1) await client.get(CONFIG_MAP, { namespace: 'default', name: 'a' });
      assert.deepEqual(new Set(proxy.tunnels), new Set([`127.0.0.1:${server.port}`]));
      assert.ok(proxy.tunnels.length <= 2, 'connections are kept');
      const wrong = connect(t, server, { proxyUrl: `${scheme}://user:secret-1@127.0.0.1:${proxy.port}` });
      await assert.rejects(wrong.probe('/readyz'), (error: unknown) => {
        assert.ok(error instanceof KubeConnectionError);
        assert.match(error.message, /wants a user and a password|refused the user or the password/);
        assert.doesNotMatch(String(error), /secret-1/);
        return true;
      });
    });
  }
}

test('transport/acting as another user sends the Impersonate headers', async (t) => {
  const server = await startServer(t);
  const impersonate = { user: 'jane', groups: ['a', 'b'], uid: '7' };
  await connect(t, server, { impersonate }).probe('/readyz');
  const headers = server.seen[0]?.headers;
  assert.deepEqual(
    [headers?.['impersonate-user'], headers?.['impersonate-group'], headers?.['impersonate-uid']],
    ['jane', 'a, b', '7'],
  );
});

test('transport/a path in front of the API is kept', async (t) => {
  const server = await startServer(t);
  const client = connect(t, server, { server: `${server.url}/k8s/clusters/c-1` });
  assert.equal(await client.probe('/readyz'), 404);
  assert.equal(server.seen[0]?.path, '/k8s/clusters/c-1/readyz');
});

for (const protocol of ['h2', 'http1'] as const) {
  test(`transport/a request without an answer ends at its limit, an aborted one at once (${protocol})`, async (t) => {
    const server = await startServer(t, protocol);
    const client = connect(t, server);
    server.intercept(() => ({ kind: 'hang' }));
    await assert.rejects(client.probe('/readyz', { timeoutMs: 100 }), (error: unknown) => {
      assert.ok(error instanceof KubeConnectionError);
      assert.equal(error.message, 'GET /readyz: no answer within 100 ms');
      return true;
    });
    const stop = new AbortController();
    const aborted = assert.rejects(client.probe('/readyz', { signal: stop.signal }), /on purpose/);
    await eventually(() => server.seen.length === 2, 'sent');
    stop.abort(new Error('on purpose'));
    await aborted;
    await assert.rejects(client.probe('/readyz', { signal: stop.signal }), /on purpose/);
    assert.equal(server.seen.length, 2, 'nothing is sent for a signal that has aborted');
  });
}

test('transport/errors of connections say what happened and what to look at', async (t) => {
  const server = await startServer(t);
  const free = createServer();
  await new Promise<void>((resolve) => {
    free.listen(0, '127.0.0.1', resolve);
  });
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const other = new CertificateAuthority();
  for (const [config, message] of [
    [{ server: `https://127.0.0.1:${port}` }, /connection refused; nothing listens there/],
    [{ ca: { kind: 'inline', pem: other.pem } }, /not signed by the configured CA/],
    [{ serverName: 'elsewhere.example' }, /certificate is for another name/],
    [{ server: 'https://no-such-host.invalid' }, /host name (does not resolve|cannot be resolved)/],
  ] satisfies [Partial<ClusterConfig>, RegExp][]) {
    await assert.rejects(connect(t, server, config).probe('/readyz'), (error: unknown) => {
      assert.ok(error instanceof KubeConnectionError);
      assert.match(error.message, message);
      assert.ok(error.cause instanceof Error);
      return true;
    });
  }
  assert.equal(
    await connect(t, server, { ca: { kind: 'inline', pem: other.pem }, tlsVerify: 'skip' }).probe('/readyz'),
    200,
  );
});

test('transport/a frozen server is noticed by pings, and requests in flight fail', async (t) => {
  const server = await startServer(t);
  const proxy = await CuttingProxy.start('127.0.0.1', server.port);
  t.after(() => proxy.close());
  const client = connect(t, server, { server: `https://127.0.0.1:${proxy.port}` }, { pingMs: 100 });
  const watch = client.watch(CONFIG_MAP, { signal: t.signal, resourceVersion: '1000' }).next();
  await eventually(() => server.watching() === 1, 'watching');
  proxy.swallow();
  await assert.rejects(watch, KubeConnectionError);
});

test('transport/closing ends what is in flight and refuses what comes', async (t) => {
  const server = await startServer(t);
  const transport = new UndiciTransport({
    config: configOf(server),
    clock: systemClock,
    userAgent: 'x',
  });
  const client = new KubeClient({ transport, clock: systemClock });
  server.intercept(({ path }) => (path === '/readyz' ? { kind: 'hang' } : undefined));
  const pending = assert.rejects(client.probe('/readyz'), KubeConnectionError);
  await eventually(() => server.seen.length === 1, 'sent');
  await transport.close();
  await pending;
  await assert.rejects(client.probe('/livez'), /transport was closed/);
  await eventually(() => server.open === 0, 'no connection is left');
});
