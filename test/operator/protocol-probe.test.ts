// The protocol probe against real sockets, and the reading of first bytes, row by row of the specification.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { classify, GREETING } from '../../evaluation/observe/protocol.ts';
import { probeProtocol } from '../../operator/probes/protocol-probe.ts';
import {
  answered,
  API_INTERFACE,
  contractOf,
  type Pass,
  type PassInput,
  service,
  slice,
} from '../evaluation/support.ts';
import { systemClock } from '../../runtime/clock.ts';

const { timers } = systemClock;
const OPENAPI = contractOf(API_INTERFACE);
const GRPC = contractOf(API_INTERFACE.replace('openapi', 'grpc'));
const ASYNCAPI = contractOf(API_INTERFACE.replace('openapi', 'asyncapi'));
const SETTINGS = Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]);
const READY = { services: [service()], slices: [slice([true])] };

async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** What the probe tells of a server that does this with each connection. */
async function probe(t: TestContext, serve: (socket: Socket) => void, timeoutMs?: number): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  const port = await listen(t, server);
  const options = { timers, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  return (await probeProtocol({ host: '127.0.0.1', port }, options, t.signal)) ?? 'nothing';
}

const says = (...parts: readonly (string | Buffer)[]) => {
  return (socket: Socket): void => {
    for (const part of parts) socket.write(part);
  };
};

type Type = 'verified' | 'unverified' | 'mismatch';
function judged(
  contract: typeof OPENAPI,
  protocol: string | undefined,
  input: Partial<PassInput> = {},
): Type {
  const result: Pass = answered({ contract, cluster: READY, features: { probing: true }, ...input }, () =>
    protocol === 'nothing' ? undefined : protocol,
  );
  if (result.text === 'NonCompliant/INTERFACE_PROTOCOL_MISMATCH 1/1') return 'mismatch';
  assert.equal(result.text, 'Compliant 1/1');
  return result.verdict.evaluationCoverage?.unverified?.includes('interfaces[name=api].type') === true
    ? 'unverified'
    : 'verified';
}

test('evaluation/PR1 probing off leaves the type unverified', () => {
  const result = answered({ contract: OPENAPI, cluster: READY }, () => assert.fail('asked'));
  assert.equal(result.text, 'Compliant 1/1');
  assert.ok(result.verdict.evaluationCoverage?.unverified?.includes('interfaces[name=api].type'));
});

test('evaluation/PR2 openapi and an HTTP/1.1 refusal', async (t) => {
  const protocol = await probe(t, (socket) =>
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
  );
  assert.equal(protocol, 'http1');
  assert.equal(judged(OPENAPI, protocol), 'verified');
});

test('evaluation/PR3 PR4 SETTINGS are HTTP/2, for openapi and for grpc', async (t) => {
  const protocol = await probe(t, says(SETTINGS));
  assert.equal(protocol, 'http2');
  assert.deepEqual([judged(OPENAPI, protocol), judged(GRPC, protocol)], ['verified', 'verified']);
});

test('evaluation/PR5 grpc and HTTP/1.1 is a mismatch at once', async (t) => {
  const protocol = await probe(t, (socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n'));
  assert.equal(judged(GRPC, protocol), 'mismatch');
});

test('evaluation/PR6 openapi and a Redis error', async (t) => {
  const protocol = await probe(t, says("-ERR unknown command 'PRI'\r\n"));
  assert.equal(protocol, 'other');
  assert.equal(judged(OPENAPI, protocol), 'mismatch');
});

test('evaluation/PR7 grpc and an SSH banner', async (t) => {
  const protocol = await probe(t, says('SSH-2.0-OpenSSH_9.6\r\n'));
  assert.equal(judged(GRPC, protocol), 'mismatch');
});

test('evaluation/PR8 a TLS alert', async (t) => {
  const protocol = await probe(t, says(Buffer.from([0x15, 3, 3, 0, 2, 2, 0x46])));
  assert.equal(protocol, 'tls');
  assert.deepEqual([judged(OPENAPI, protocol), judged(GRPC, protocol)], ['unverified', 'unverified']);
});

test('evaluation/PR9 asyncapi is unverified whatever answers', () => {
  for (const protocol of ['http1', 'http2', 'tls', 'other', 'nothing']) {
    assert.equal(judged(ASYNCAPI, protocol), 'unverified', protocol);
  }
});

test('evaluation/PR10 a server that accepts and says nothing', async (t) => {
  const protocol = await probe(t, () => undefined, 50);
  assert.equal(protocol, 'nothing');
  assert.equal(judged(OPENAPI, protocol), 'unverified');
});

test('evaluation/PR11 refused', async (t) => {
  const server = createServer();
  const port = await listen(t, server);
  server.close();
  await once(server, 'close');
  const protocol = await probeProtocol({ host: '127.0.0.1', port }, { timers }, t.signal);
  assert.equal(protocol, undefined);
  assert.equal(judged(GRPC, 'nothing'), 'unverified');
});

test('evaluation/PR12 the beginning of an answer, then the end', async (t) => {
  assert.equal(await probe(t, (socket) => socket.end('HTT')), 'nothing');
  assert.equal(await probe(t, (socket) => socket.end(SETTINGS.subarray(0, 5))), 'nothing');
});

test('evaluation/PR13 SETTINGS in three segments', () => {
  for (const length of [1, 3, 4, 8]) {
    assert.deepEqual(classify(SETTINGS.subarray(0, length), 'open'), { kind: 'undecided' }, String(length));
  }
  assert.deepEqual(classify(SETTINGS.subarray(0, 9), 'open'), { kind: 'decided', protocol: 'http2' });
});

test('evaluation/PR14 SETTINGS that acknowledge are no first frame', () => {
  const acknowledgement = Buffer.from([0, 0, 0, 4, 1, 0, 0, 0, 0]);
  assert.deepEqual(classify(acknowledgement, 'open'), { kind: 'decided', protocol: 'other' });
});

test('evaluation/PR15 an interface that is not there is not probed', () => {
  const nothing = answered(
    { contract: GRPC, cluster: { services: [service()] }, features: { probing: true } },
    () => assert.fail('asked'),
  );
  assert.equal(nothing.text, 'Unknown/EVIDENCE_INSUFFICIENT 0/1');
  assert.equal(nothing.verdict.evaluationCoverage?.unverified, undefined);
});

test('evaluation/PR16 a UDP port is not probed', () => {
  const ports = [{ name: 'http', port: 8080, protocol: 'UDP' }];
  const cluster = { services: [service({ ports })], slices: [slice([true], { ports })] };
  const result = answered({ contract: GRPC, cluster, features: { probing: true } }, () =>
    assert.fail('asked'),
  );
  assert.ok(result.verdict.evaluationCoverage?.unverified?.includes('interfaces[name=api].type'));
});

test('evaluation/PR17 what goes over the wire is the greeting alone', async (t) => {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const protocol = await probe(t, (socket) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks).length >= GREETING.length) socket.write(SETTINGS);
    });
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
  assert.equal(protocol, 'http2');
  const expected = `${Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n').toString('hex')}000000040000000000`;
  assert.equal((await promise).toString('hex'), expected);
});

test('servers of the platform are told apart', async (t) => {
  const http1 = createHttpServer((_request, response) => response.end('hello'));
  const port1 = await listen(t, http1);
  assert.equal(await probeProtocol({ host: '127.0.0.1', port: port1 }, { timers }, t.signal), 'http1');
  const http2 = createHttp2Server();
  const port2 = await listen(t, http2);
  assert.equal(await probeProtocol({ host: '127.0.0.1', port: port2 }, { timers }, t.signal), 'http2');
});

test('a web server that names its TLS port speaks TLS', () => {
  const head = 'HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n';
  const nginx = Buffer.from(`${head}<html><title>400 The plain HTTP request was sent to HTTPS port</title>`);
  const go = Buffer.from('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
  assert.deepEqual(classify(nginx, 'open'), { kind: 'decided', protocol: 'tls' });
  assert.deepEqual(classify(go, 'closed'), { kind: 'decided', protocol: 'tls' });
  assert.deepEqual(classify(Buffer.from(head), 'open'), { kind: 'undecided' });
  assert.deepEqual(classify(Buffer.from(head), 'closed'), { kind: 'decided', protocol: 'http1' });
  // A refusal that was not read to its end may have gone on to say it.
  assert.deepEqual(classify(Buffer.from(head), 'cut'), { kind: 'undecided' });
  const tomcat = Buffer.from(`${head}This combination of host and port requires TLS.`);
  assert.deepEqual(classify(tomcat, 'open'), { kind: 'decided', protocol: 'tls' });
});

test('a server that says good-bye in HTTP/2 shows nothing, and no other protocol', () => {
  const goaway = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual(classify(goaway, 'open'), { kind: 'decided', protocol: undefined });
});
