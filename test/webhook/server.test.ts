// The admission server over real TLS: certificates that change, bodies that are too large, a stop that drains.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { Metrics } from '../../runtime/metrics.ts';
import { CertificateError, readPair } from '../../webhook/certificate.ts';
import { PromotionHandler } from '../../webhook/promotion-handler.ts';
import { WebhookServer } from '../../webhook/server.ts';
import { WebhookMetrics } from '../../webhook/webhook-metrics.ts';
import { memoryView } from '../gate/memory-view.ts';
import { CapturedLog } from '../helpers/captured-log.ts';
import { CertificateAuthority, type KeyPair } from '../helpers/certificates.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { takenPort } from '../helpers/taken-port.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { deploymentReview } from './reviews.ts';

const authority = new CertificateAuthority();

type Rig = {
  readonly server: WebhookServer;
  readonly port: number;
  readonly clock: FakeClock;
  readonly log: CapturedLog;
  readonly stop: () => Promise<void>;
  readonly beginStop: () => Promise<void>;
  readonly write: (pair: KeyPair) => Promise<void>;
};

/** A server on `port` that has not been started. */
async function prepare(
  t: TestContext,
  port: number,
): Promise<Pick<Rig, 'server' | 'clock' | 'log' | 'write'>> {
  const folder = await temporaryFolder(t);
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
  const write = async (pair: KeyPair): Promise<void> => {
    await writeFile(files.certFile, pair.cert);
    await writeFile(files.keyFile, pair.key);
  };
  await write(authority.issue());
  const clock = new FakeClock();
  const log = new CapturedLog();
  const metrics = new WebhookMetrics(new Metrics());
  const handler = new PromotionHandler({
    view: memoryView({}),
    onCacheStale: 'Hold',
    wall: clock.wall,
    log,
    metrics,
  });
  const server = new WebhookServer({
    handler,
    files,
    host: '127.0.0.1',
    port,
    drainMs: 5_000,
    clock,
    log,
    metrics,
  });
  return { server, clock, log, write };
}

async function start(t: TestContext): Promise<Rig> {
  const { server, clock, log, write } = await prepare(t, 0);
  const controller = new AbortController();
  const running = server.run(controller.signal);
  running.catch(() => undefined);
  await server.ready();
  const beginStop = async (): Promise<void> => {
    controller.abort();
    await clock.advance(0);
  };
  const stop = async (): Promise<void> => {
    controller.abort();
    await clock.advance(5_000);
    await running;
  };
  t.after(stop);
  return { server, port: server.port ?? 0, clock, log, stop, beginStop, write };
}

type Answer = {
  readonly status: number;
  readonly body: string;
  readonly serial: string;
  readonly connection: string | undefined;
};

function post(
  port: number,
  body: string | Buffer,
  agent?: Agent,
  type = 'application/json',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/admit/promotion?timeout=5s',
      method: 'POST',
      ca: authority.pem,
      headers: { 'content-type': type },
    };
    const req = request({ ...options, agent: agent ?? false }, (res) => {
      const { serialNumber: serial } = (res.socket as TLSSocket).getPeerCertificate();
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        resolve({
          status: res.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          serial,
          connection: res.headers.connection,
        });
      });
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}

const REVIEW = JSON.stringify(deploymentReview({ uid: 'u-7' }));

test('gate/3.5 a review is answered over TLS', async (t) => {
  const { port } = await start(t);
  const answer = await post(port, REVIEW);
  assert.equal(answer.status, 200);
  assert.deepEqual(JSON.parse(answer.body), {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: 'u-7', allowed: true },
  });
});

test('gate/3.5 a body over 7 MiB is refused, other types and broken bodies too, and the server goes on', async (t) => {
  const { port } = await start(t);
  assert.equal((await post(port, Buffer.alloc(7 * 1024 * 1024 + 1, 0x20))).status, 413);
  assert.equal((await post(port, REVIEW, undefined, 'text/plain')).status, 415);
  assert.equal((await post(port, '{')).status, 400);
  assert.equal((await post(port, '')).status, 400);
  assert.equal((await post(port, REVIEW)).status, 200);
});

test('gate/3.5 a new certificate is served without a restart, and open connections go on', async (t) => {
  const { port, clock, write } = await start(t);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const before = await post(port, REVIEW, agent);
  await write(authority.issue());
  await until(async () => {
    await clock.advance(10_000);
    return (await post(port, REVIEW)).serial !== before.serial;
  });
  assert.equal((await post(port, REVIEW, agent)).serial, before.serial);
});

test('gate/3.5 a pair that does not match leaves the old one in service and says so once', async (t) => {
  const { port, clock, log, write } = await start(t);
  const before = await post(port, REVIEW);
  await write({ cert: authority.issue().cert, key: authority.issue().key });
  const complaint = 'the new serving certificate cannot be used, the old one stays';
  await until(async () => {
    await clock.advance(10_000);
    return log.named(complaint).length > 0;
  });
  await clock.advance(10_000);
  assert.equal((await post(port, REVIEW)).serial, before.serial);
  await clock.advance(10_000);
  assert.equal(log.named(complaint).length, 1);
});

test('gate/3.5 an expired certificate makes the server not ready', async (t) => {
  const { server, clock, write } = await start(t);
  assert.equal(server.notReady(), undefined);
  await write(authority.issue({ notAfter: new Date(clock.wall.now() - 1000) }));
  await until(async () => {
    await clock.advance(10_000);
    return server.notReady() !== undefined;
  });
  assert.match(server.notReady() ?? '', /expired/);
});

test('gate/3.5 a stopping server answers on while it drains, and asks to close the connection', async (t) => {
  const { server, port, beginStop, stop } = await start(t);
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  assert.equal((await post(port, REVIEW, agent)).connection, 'keep-alive');
  await beginStop();
  assert.equal(server.notReady(), 'stopping');
  assert.equal((await post(port, REVIEW, agent)).connection, 'close');
  await stop();
  await assert.rejects(post(port, REVIEW), /ECONNREFUSED/);
});

test('gate/3.5 a port in use is refused with the flag that chooses another', async (t) => {
  const port = await takenPort(t);
  const { server } = await prepare(t, port);
  await assert.rejects(server.run(new AbortController().signal), {
    code: 'LISTEN_FAILED',
    message: `cannot listen on port ${port} (EADDRINUSE); free it or choose another one with --bind-address`,
  });
});

test('gate/3.5 certificates that cannot serve are refused with file and flag', async (t) => {
  const folder = await temporaryFolder(t);
  const [certFile, keyFile] = [join(folder, 'c'), join(folder, 'k')];
  await assert.rejects(readPair({ certFile, keyFile }), (error: Error) => {
    assert.ok(error instanceof CertificateError);
    assert.match(error.message, /cannot read .*c \(ENOENT\); --tls-cert-file must name a readable file/);
    return true;
  });
  await writeFile(certFile, 'no certificate');
  await writeFile(keyFile, authority.issue().key);
  await assert.rejects(readPair({ certFile, keyFile }), /holds no PEM certificate/);
  await writeFile(certFile, authority.issue().cert);
  await assert.rejects(readPair({ certFile, keyFile }), /do not belong together/);
});

/** Repeats a step until it holds; each step moves the fake clock, so the bound is in steps. */
async function until(step: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i += 1) if (await step()) return;
  assert.fail('did not happen within 200 steps');
}
