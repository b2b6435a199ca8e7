// The HTTP probe against real servers: what it sends, how long it waits, how much it reads.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { HttpAnswer } from '../../evaluation/observe/inquiry.ts';
import { probeHttp } from '../../operator/probes/http-probe.ts';
import { probeProtocol } from '../../operator/probes/protocol-probe.ts';
import { systemClock, type Timers } from '../../runtime/clock.ts';

const { timers } = systemClock;

async function ask(t: TestContext, serve: RequestListener, path = '/healthz'): Promise<HttpAnswer> {
  const server = createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return probeHttp({ host: '127.0.0.1', port, path }, { timers }, t.signal);
}

async function askRaw(
  t: TestContext,
  serve: (socket: Socket) => void,
  timeoutMs = 5_000,
): Promise<HttpAnswer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => serve(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return probeHttp({ host: '127.0.0.1', port, path: '/' }, { timers, timeoutMs }, t.signal);
}

const UNANSWERED: HttpAnswer = { kind: 'unanswered' };
const head = (status: string): string => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`;
const status = (answer: HttpAnswer): number | undefined =>
  answer.kind === 'answered' ? answer.status : undefined;

test('one plain GET without credentials', async (t) => {
  let request: IncomingMessage | undefined;
  const answer = await ask(t, (received, response) => {
    request = received;
    response.setHeader('content-type', 'text/plain').end('fine');
  });
  assert.deepEqual(answer, { kind: 'answered', status: 200, contentType: 'text/plain', text: 'fine' });
  assert.equal(request?.method, 'GET');
  assert.deepEqual(Object.keys(request.headers).toSorted(), ['connection', 'host']);
});

test('evaluation/HE7 a redirect is an answer and is not followed', async (t) => {
  let requests = 0;
  const answer = await ask(t, (_request, response) => {
    requests += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  assert.equal(status(answer), 302);
  assert.equal(requests, 1);
});

test('evaluation/HE27 a path that looks like another host stays a path', async (t) => {
  let seen: readonly (string | undefined)[] = [];
  await ask(
    t,
    (request, response) => {
      seen = [request.url, request.headers.host?.replace(/:\d+$/, '')];
      response.end();
    },
    '//evil.example/x',
  );
  assert.deepEqual(seen, ['//evil.example/x', '127.0.0.1']);
});

test('a body without end is read to 4,096 bytes', async (t) => {
  const answer = await ask(t, (_request, response) => {
    response.on('error', () => undefined);
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(1_000)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  assert.ok(answer.kind === 'answered');
  assert.equal(answer.text.length, 4_096);
});

test('a body that stops is what came of it', async (t) => {
  const answer = await askRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    socket.destroySoon();
  });
  assert.equal(status(answer), 200);
});

test('what is no answer is none', async (t) => {
  assert.deepEqual(await askRaw(t, (socket) => socket.end('SSH-2.0-x\r\n')), UNANSWERED);
  assert.deepEqual(await askRaw(t, (socket) => socket.destroy()), UNANSWERED);
  assert.deepEqual(await askRaw(t, () => undefined, 50), UNANSWERED);
});

test('evaluation/HE11 a server that says a 1xx and no more has answered with it', async (t) => {
  const answer = await askRaw(t, (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 50);
  assert.equal(status(answer), 100);
});

test('an upgrade and odd statuses are answers', async (t) => {
  assert.equal(
    status(
      await askRaw(t, (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      ),
    ),
    101,
  );
  assert.equal(status(await askRaw(t, (socket) => socket.end(head('599 Odd')))), 599);
});

test('a refused connection and an unknown name are no answer', async (t) => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  assert.deepEqual(await probeHttp({ host: '127.0.0.1', port, path: '/' }, { timers }, t.signal), UNANSWERED);
  assert.deepEqual(
    await probeHttp({ host: 'no-such-host.invalid', port: 80, path: '/' }, { timers }, t.signal),
    UNANSWERED,
  );
});

/** A deadline that never comes, so that only the abort can end a probe. */
const never: Timers = { after: () => () => undefined };

test('an abort ends the wait, before and while it lasts', { timeout: 30_000 }, async (t) => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const target = { host: '127.0.0.1', port, path: '/' };
  for (const probe of [probeHttp, probeProtocol] as const) {
    const stop = new AbortController();
    server.once('connection', () => stop.abort());
    const answer = await probe(target, { timers: never }, stop.signal);
    assert.deepEqual(answer, probe === probeHttp ? UNANSWERED : undefined);
    assert.deepEqual(await probe(target, { timers: never }, AbortSignal.abort()), answer);
  }
});
