// Connections at their edges: the last moment before a write, limits, proxies that stall, and what errors say.
import assert from 'node:assert/strict';
import { connect as dial, createServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { KubeClient } from '../../kube/client.ts';
import { describeConnectionError } from '../../kube/connection-errors.ts';
import { Connections } from '../../kube/connections.ts';
import { openTunnel, ProxyError } from '../../kube/proxy-tunnel.ts';
import { systemClock } from '../../runtime/clock.ts';
import { startForwardProxy } from '../faults/forward-proxy.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { CONFIG_MAP, configMap, eventually, rig, startServer } from './rig.ts';

/** A port that takes connections and lets nothing through until it is told to. */
async function startGate(t: TestContext, port: number) {
  const held: Socket[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  };
  const server = createServer((client) => {
    keep(client);
    held.push(client);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    waiting: () => held.length,
    open: () => {
      for (const client of held.splice(0)) {
        const target = dial({ host: '127.0.0.1', port });
        keep(target);
        client.pipe(target).pipe(client);
      }
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

for (const protocol of ['h2', 'http1'] as const) {
  test(`faults/16 a leader that lost its lease while its write waited for a connection writes nothing (${protocol})`, async (t) => {
    const server = await startServer(t, protocol);
    const gate = await startGate(t, server.port);
    await using r = rig({ url: `https://127.0.0.1:${gate.port}`, ca: server.ca });
    let leads = true;
    const client = new KubeClient({
      transport: r.transport,
      clock: systemClock,
      beforeWrite: () => {
        if (!leads) throw new Error('not the leader');
      },
    });
    // The first connection, and one that is made anew: they wait in different places.
    for (const name of ['first', 'again']) {
      leads = true;
      const write = assert.rejects(client.create(CONFIG_MAP, configMap(name)), { message: 'not the leader' });
      await eventually(() => gate.waiting() > 0, 'it waits for its connection');
      leads = false;
      gate.open();
      await write;
      leads = true;
      await client.create(CONFIG_MAP, configMap(`${name}-2`));
      gate.cut();
      await eventually(() => server.open === 0, 'the connection is gone');
    }
    assert.deepEqual(
      server.seen.map(({ body }) => (JSON.parse(body) as { metadata: { name: string } }).metadata.name),
      ['first-2', 'again-2'],
    );
  });
}

test('transport/one limit holds for all tries of a request', async (t) => {
  const server = await startServer(t);
  const clock = new FakeClock();
  await using r = rig(server, { clock });
  server.interceptNext(1, () => {
    clock.advanceSync(60);
    return { kind: 'reset' };
  });
  server.intercept(() => ({ kind: 'hang' }));
  const refused = assert.rejects(r.client.probe('/readyz', { timeoutMs: 100 }), {
    message: 'GET /readyz: no answer within 100 ms',
  });
  await eventually(() => server.seen.length === 2, 'tried again');
  await clock.advance(39);
  assert.equal(clock.nextInMs, 1);
  await clock.advance(1);
  await refused;
});

test('transport/connections that were closed hand out nothing to send through', async (t) => {
  const server = await startServer(t);
  const make = () =>
    new Connections({
      origin: server.url,
      tls: { ca: server.ca, rejectUnauthorized: true },
      pingMs: 5_000,
      connectMs: 10_000,
      timers: systemClock.timers,
    });
  for (const end of ['retire', 'destroy'] as const) {
    const used = make();
    assert.notEqual(await used.dispatcher(), 'closed');
    await used[end]();
    assert.equal(await used.dispatcher(), 'closed');
    const fresh = make();
    const connecting = fresh.dispatcher();
    await fresh[end]();
    assert.equal(await connecting, 'closed');
  }
  await eventually(() => server.open === 0, 'no connection is left');
});

test('transport/a proxy that says nothing is given up on, by the injected clock', async (t) => {
  const gate = await startGate(t, 1);
  for (const scheme of ['http', 'socks5']) {
    const clock = new FakeClock();
    const proxyUrl = `${scheme}://127.0.0.1:${gate.port}`;
    const tunnel = openTunnel({
      proxyUrl,
      host: 'a',
      port: 1,
      timeoutMs: 10_000,
      timers: clock.timers,
    });
    const refused = assert.rejects(tunnel, (error: unknown) => {
      assert.ok(error instanceof ProxyError);
      assert.match(`${error.message} ${String(error.cause)}`, /did not connect within 10000 ms/);
      return true;
    });
    await clock.advance(9_999);
    assert.equal(clock.pending, 1);
    await clock.advance(1);
    await refused;
    assert.equal(clock.pending, 0);
  }
});

test('transport/what does not fit into a SOCKS field is refused with a sentence, and never cut', async (t) => {
  const long = 'x'.repeat(256);
  const proxy = await startForwardProxy({ kind: 'socks5', login: `${'x'.repeat(255)}:p` });
  t.after(() => proxy.close());
  const tunnel = (login: string, host: string) =>
    openTunnel({
      proxyUrl: `socks5://${login}@127.0.0.1:${proxy.port}`,
      host,
      port: 1,
      timeoutMs: 10_000,
      timers: systemClock.timers,
    });
  for (const [login, host, what] of [
    [`${long}:p`, 'a', 'the user in the proxy URL'],
    [`u:${long}`, 'a', 'the password in the proxy URL'],
    ['u:p', long, `the host name ${long}`],
  ] as const) {
    await assert.rejects(tunnel(login, host), (error: unknown) => {
      assert.ok(error instanceof ProxyError);
      assert.equal(error.message, `${what} has 256 bytes and SOCKS5 takes at most 255; use an http proxy`);
      return true;
    });
  }
  assert.deepEqual(proxy.tunnels, []);
});

test('transport/the usual errors of a network have words of their own', () => {
  const coded = (code: string): Error => Object.assign(new Error(`connect ${code} 10.0.0.1:6443`), { code });
  for (const [code, text] of [
    ['EHOSTUNREACH', /^no route to the host; check/],
    ['ENETUNREACH', /^no route to the network of the host; check/],
    ['ECONNREFUSED', /^connection refused; nothing listens there$/],
  ] as const) {
    assert.match(describeConnectionError(coded(code)), text);
  }
  assert.equal(describeConnectionError(coded('EWHATEVER')), 'connect EWHATEVER 10.0.0.1:6443');
});
