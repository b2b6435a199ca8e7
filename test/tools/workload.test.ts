// The test workload speaks every protocol it names, and says what it is told to.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get as httpsGet } from 'node:https';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { connect as tlsConnect } from 'node:tls';
import { waitUntil } from '../cluster/wait-until.ts';
import { ensureTool } from './build.ts';

type Workload = {
  /** Sends to the control port; the text of the answer, which must be 200. */
  readonly control: (method: string, path: string, body?: string) => Promise<string>;
  /** Opens a port of the system's choice. */
  readonly open: (kind: string) => Promise<number>;
};

async function start(t: TestContext): Promise<Workload> {
  const program = await ensureTool('workload');
  const child: ChildProcess = spawn(program, ['-control', '0', '-every', '10'], {
    env: { ...process.env, VERSION: '3' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => void child.kill('SIGKILL'));
  assert.ok(child.stdout);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const url = `http://127.0.0.1:${/with control at \S*:(\d+)$/.exec(line)?.[1]}`;
  const control = async (method: string, path: string, body?: string): Promise<string> => {
    const answer = await fetch(url + path, { method, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return text;
  };
  return { control, open: async (kind) => Number(await control('PUT', `/listen?kind=${kind}&port=0`)) };
}

/** What a port says to a line, until it has said so much, or has closed: the text, or the code of the error. */
async function said(socket: Socket, bytes: number, line = 'GET / HTTP/1.1\r\n\r\n'): Promise<string> {
  socket.write(line, 'latin1');
  const got: Buffer[] = [];
  try {
    for await (const chunk of socket) {
      got.push(chunk as Buffer);
      if (Buffer.concat(got).length >= bytes) break;
    }
    return Buffer.concat(got).toString('latin1');
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

test('workload/ speaks wrong protocols on a port', async (t) => {
  const { open } = await start(t);
  const ask = async (kind: string, bytes: number): Promise<string> =>
    said(connect(await open(kind), '127.0.0.1'), bytes);
  assert.equal(await ask('banner', 8), '220 workload ESMTP ready\r\n');
  assert.equal(await ask('garbage', 8), '\u0000\u00ff\u0013\u0037\u00c8\n\n\u0000');
  assert.equal(await ask('reset', 1), 'ECONNRESET');
  assert.equal(await ask('tcp', 18), 'GET / HTTP/1.1\r\n\r\n');
});

test('workload/ answers who begins with HTTP/2 in kind, unless it speaks HTTP/1 alone', async (t) => {
  const { open } = await start(t);
  const greeting = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0';
  const answered = async (kind: string): Promise<string> =>
    said(connect(await open(kind), '127.0.0.1'), 9, greeting);
  assert.match(await answered('http1'), /^HTTP\/1\.1 \d{3} /);
  for (const kind of ['http', 'h2c']) assert.equal((await answered(kind)).charCodeAt(3), 4, kind); // SETTINGS
});

test('workload/ takes a connection on a silent port and says nothing until the port is closed', async (t) => {
  const { control, open } = await start(t);
  const port = await open('silent');
  const socket = connect(port, '127.0.0.1');
  const words = said(socket, 1);
  await waitUntil('the connection to be taken', async () => {
    const { accepted } = JSON.parse(await control('GET', '/')) as { accepted: number };
    return accepted === 1;
  });
  await control('DELETE', `/listen?port=${port}`);
  assert.match(await words, /^(|ECONNRESET)$/); // the end, or a reset for what it had not read yet
  const [refused] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  assert.equal(refused.code, 'ECONNREFUSED');
});

test('workload/ serves TLS and HTTPS by a certificate that it hands out', async (t) => {
  const { control, open } = await start(t);
  const [tlsPort, httpsPort] = [await open('tls'), await open('https')];
  const ca = await control('GET', '/certificate');
  const trusted = tlsConnect({ port: tlsPort, host: '127.0.0.1', ca });
  assert.equal(await said(trusted, 18), 'GET / HTTP/1.1\r\n\r\n');
  const stranger = tlsConnect({ port: tlsPort, host: '127.0.0.1' });
  const [error] = (await once(stranger, 'error')) as [NodeJS.ErrnoException];
  assert.match(String(error.code), /SELF_SIGNED/);
  const answer = Promise.withResolvers<number | undefined>();
  const request = httpsGet(
    { port: httpsPort, host: '127.0.0.1', path: '/healthz', ca, agent: false },
    (response) => {
      response.resume();
      answer.resolve(response.statusCode);
    },
  );
  request.on('error', answer.reject);
  assert.equal(await answer.promise, 200);
  for (const kind of ['tls', 'https']) {
    await control('PUT', `/peer?to=${kind},127.0.0.1:${kind === 'tls' ? tlsPort : httpsPort}`);
  }
  await waitUntil('it to talk to itself by both', async () => {
    const { peers } = JSON.parse(await control('GET', '/')) as { peers: Record<string, { ok: number }> };
    return Object.values(peers).every(({ ok }) => ok > 0);
  });
});

test('workload/ gives HTTP answers as told, so many times, and its own again', async (t) => {
  const { control, open } = await start(t);
  const url = `http://127.0.0.1:${await open('http')}`;
  await control('PUT', '/answer?path=/orders&status=503&type=application/json&times=1', '{"why":"told"}');
  const told = await fetch(`${url}/orders`);
  assert.deepEqual(
    [told.status, told.headers.get('content-type'), await told.text()],
    [503, 'application/json', '{"why":"told"}'],
  );
  assert.equal((await fetch(`${url}/orders`)).status, 200);
  await control('PUT', '/answer?path=/healthz&status=404');
  for (let i = 0; i < 3; i += 1) assert.equal((await fetch(`${url}/healthz`)).status, 404);
  await control('DELETE', '/answer?path=/healthz');
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  await control('PUT', '/answer?path=/slow&delay=60000');
  const given = fetch(`${url}/slow`, { signal: AbortSignal.timeout(200) });
  await assert.rejects(given, { name: 'TimeoutError' });
  await assert.rejects(control('PUT', '/answer?path=/x&status=42'), /status 42 is not between 200 and 599/);
  await assert.rejects(control('PUT', '/answer?path=x'), /path "x" does not begin with/);
});

test('workload/ counts in metrics what it took and made', async (t) => {
  const { control, open } = await start(t);
  const port = await open('http');
  for (let i = 0; i < 3; i += 1) await (await fetch(`http://127.0.0.1:${port}/`)).text();
  await control('PUT', `/peer?to=http,127.0.0.1:${port}`);
  await control('PUT', '/healthz?ready=false');
  const metrics = await waitUntil('an exchange', async () => {
    const text = await control('GET', '/metrics');
    return /workload_exchanges_total\{.*result="ok"\} [1-9]/.test(text) && text;
  });
  const value = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
  assert.match(metrics, /^workload_info\{version="3"\} 1$/m);
  assert.equal(value('workload_ready'), 0);
  assert.ok(value('workload_requests_total') >= 4);
  assert.ok(value('workload_connections_total') >= 2);
});
