// The transport: few connections, credentials and certificates that reload, proxies, limits, and errors one can act on.
import assert from 'node:assert/strict';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import type { ClusterConfig } from '../../kube/cluster-config.ts';
import { KubeClient } from '../../kube/client.ts';
import { KubeConnectionError } from '../../kube/transport.ts';
import { UndiciTransport } from '../../kube/undici-transport.ts';
import { systemClock } from '../../runtime/clock.ts';
import { CuttingProxy } from '../faults/cutting-proxy.ts';
import { startForwardProxy } from '../faults/forward-proxy.ts';
import { CertificateAuthority } from '../helpers/certificates.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { connect, movableTime } from './connect.ts';
import { CONFIG_MAP, configMap, configOf, eventually, rig, SCOPE, startServer } from './rig.ts';

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
    // The first may have reached its limit before it was sent.
    const sent = (): number => server.seen.filter(({ path }) => path === '/livez').length;
    const aborted = assert.rejects(client.probe('/livez', { signal: stop.signal }), /on purpose/);
    await eventually(() => sent() === 1, 'sent');
    stop.abort(new Error('on purpose'));
    await aborted;
    await assert.rejects(client.probe('/livez', { signal: stop.signal }), /on purpose/);
    assert.equal(sent(), 1, 'nothing is sent for a signal that has aborted');
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

test('transport/a request is called off, and ends at its limit, also while its connection does not come to stand', async (t) => {
  const sockets = new Set<Socket>();
  const connected = Promise.withResolvers<void>();
  // Takes connections, and never begins with TLS.
  const mute = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    connected.resolve();
  });
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const clock = new FakeClock();
  const { port } = mute.address() as AddressInfo;
  const config: ClusterConfig = {
    server: `https://127.0.0.1:${port}`,
    source: 'test',
    tlsVerify: 'skip',
    auth: { kind: 'anonymous' },
  };
  const transport = new UndiciTransport({ config, clock, userAgent: 'test' });
  t.after(async () => {
    await transport.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => mute.close(resolve));
  });
  const stop = new AbortController();
  const off = assert.rejects(
    transport.request({ method: 'GET', path: '/off', signal: stop.signal }),
    /enough/,
  );
  const late = assert.rejects(
    transport.request({ method: 'GET', path: '/late', timeoutMs: 100 }),
    /GET \/late: no answer within 100 ms/,
  );
  await connected.promise;
  stop.abort(new Error('enough'));
  await off;
  await clock.advance(100);
  await late;
  assert.equal(clock.pending, 0);
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
