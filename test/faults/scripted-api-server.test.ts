// The scripted API server answers as a real one does and fails as it is told, over HTTP/1.1 and HTTP/2: seen by plain clients.
import assert from 'node:assert/strict';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { Agent, request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { CertificateAuthority } from '../helpers/certificates.ts';
import { configMap, eventually, SCOPE } from '../kube/rig.ts';
import { type Protocol, ScriptedApiServer } from './scripted-api-server.ts';

const PROTOCOLS = ['h2', 'http1'] as const;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** An answer as it comes in. */
type Answer = {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  text: string;
  ended: 'open' | 'whole' | 'cut';
};

type Meta = Readonly<Record<'name' | 'uid' | 'resourceVersion' | 'continue', string>> & {
  readonly remainingItemCount?: number;
};
/** What a JSON answer may hold, of whatever kind. */
type Body = {
  readonly kind: string;
  readonly reason: string;
  readonly code: number;
  readonly data: unknown;
  readonly metadata: Meta;
  readonly items?: readonly { readonly metadata: Meta }[];
};

/** One connection to the server by the means of Node.js alone. */
class PlainClient {
  readonly #session: ClientHttp2Session | undefined;
  readonly #agent: Agent | undefined;
  readonly #server: ScriptedApiServer;

  constructor(t: TestContext, server: ScriptedApiServer, protocol: Protocol) {
    this.#server = server;
    if (protocol === 'h2') {
      this.#session = connectHttp2(server.url, { ca: server.ca });
      this.#session.on('error', () => undefined);
    } else this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ca: server.ca });
    t.after(() => {
      this.#session?.destroy();
      this.#agent?.destroy();
    });
  }

  /** Sends, and returns what comes as it comes. */
  open(method: string, path: string, body = '', type = 'application/json'): Answer {
    const answer: Answer = { status: 0, headers: {}, text: '', ended: 'open' };
    const read = (stream: Readable): void => {
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        answer.text += chunk;
      });
      stream.on('error', () => undefined);
    };
    if (this.#session !== undefined) {
      const head = { ':method': method, ':path': path, 'content-type': type };
      const stream = this.#session.request(head, { endStream: body === '' });
      stream.on('response', (headers) => {
        answer.status = Number(headers[':status']);
        answer.headers = headers;
      });
      // Node.js ends a stream that was cut as one that is whole; only its code tells them apart.
      stream.on('close', () => {
        answer.ended = stream.rstCode === 0 ? 'whole' : 'cut';
      });
      read(stream);
      if (body !== '') stream.end(body);
      return answer;
    }
    const options = { method, agent: this.#agent, headers: { 'content-type': type } };
    const request = requestHttps(`${this.#server.url}${path}`, options, (response) => {
      answer.status = response.statusCode ?? 0;
      answer.headers = response.headers;
      read(response);
      response.on('close', () => {
        answer.ended = response.complete ? 'whole' : 'cut';
      });
    });
    request.on('error', () => {
      answer.ended = 'cut';
    });
    request.end(body);
    return answer;
  }

  /** Sends and waits for the end of the answer. */
  async ask(method: string, path: string, body?: unknown, type?: string): Promise<Answer> {
    const answer = this.open(method, path, body === undefined ? '' : JSON.stringify(body), type);
    await eventually(() => answer.ended !== 'open', `${method} ${path} is answered`);
    return answer;
  }

  async json(method: string, path: string, body?: unknown, type?: string): Promise<readonly [number, Body]> {
    const { status, text, ended } = await this.ask(method, path, body, type);
    assert.equal(ended, 'whole');
    return [status, JSON.parse(text) as Body];
  }
}

/** The events of a watch so far. */
function events({ text }: Answer): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(
      ({ type, object }) =>
        `${type} ${object.metadata?.name ?? ''}@${object.metadata?.resourceVersion ?? object.code}`,
    );
}

async function start(t: TestContext, protocol: Protocol) {
  const server = await ScriptedApiServer.start(protocol);
  t.after(() => server.close());
  return { server, client: new PlainClient(t, server, protocol) };
}

for (const protocol of PROTOCOLS) {
  test(`faults/server objects are written, read and deleted with versions that grow (${protocol})`, async (t) => {
    const { server, client } = await start(t, protocol);
    const [created, first] = await client.json('POST', CONFIG_MAPS, configMap('a', '1'));
    assert.deepEqual([created, first.metadata.resourceVersion], [201, '1001']);
    assert.deepEqual(
      (await client.json('POST', CONFIG_MAPS, configMap('a', '1')))[1].reason,
      'AlreadyExists',
    );
    const stale = { ...configMap('a', '2'), metadata: { ...first.metadata, resourceVersion: '7' } };
    const [conflict, why] = await client.json('PUT', `${CONFIG_MAPS}/a`, stale);
    assert.deepEqual([conflict, why.kind, why.reason, why.code], [409, 'Status', 'Conflict', 409]);
    const [, patched] = await client.json('PATCH', `${CONFIG_MAPS}/a`, { data: { text: null, more: 'x' } });
    assert.deepEqual([patched.data, patched.metadata.uid], [{ more: 'x' }, first.metadata.uid]);
    assert.equal((await client.json('PATCH', `${CONFIG_MAPS}/b`, {}))[0], 404);
    const apply = 'application/apply-patch+yaml';
    assert.equal((await client.json('PATCH', `${CONFIG_MAPS}/b`, configMap('b'), apply))[0], 200);
    const [, got] = await client.json('GET', `${CONFIG_MAPS}/a`);
    assert.deepEqual(got, patched);
    assert.equal((await client.json('DELETE', `${CONFIG_MAPS}/a`))[1].metadata.name, 'a');
    assert.equal((await client.json('GET', `${CONFIG_MAPS}/a`))[0], 404);
    assert.equal((await client.json('DELETE', CONFIG_MAPS))[0], 405);
    assert.equal((await client.json('GET', '/nowhere'))[0], 404);
    assert.equal((await client.ask('GET', '/readyz')).text, 'ok');
    const [asked] = server.seen;
    assert.deepEqual(
      [asked?.method, asked?.path, asked?.httpVersion],
      ['POST', CONFIG_MAPS, protocol === 'h2' ? '2.0' : '1.1'],
    );
    assert.equal(new Set(server.seen.map(({ clientPort }) => clientPort)).size, 1, 'one connection');
    assert.deepEqual([server.connections, server.open], [1, 1]);
  });

  test(`faults/server lists come in pages of one version, until their tokens expire (${protocol})`, async (t) => {
    const { server, client } = await start(t, protocol);
    for (const name of ['c', 'a', 'b']) server.store.write(SCOPE, 'create', configMap(name));
    server.store.write({ ...SCOPE, namespace: 'other' }, 'create', configMap('d'));
    const page = async (query: string) => {
      const [status, list] = await client.json('GET', `${CONFIG_MAPS}${query}`);
      return [status, list.items?.map(({ metadata }) => metadata.name), list.metadata] as const;
    };
    const [, names, first] = await page('?limit=2');
    assert.deepEqual([names, first.resourceVersion, first.remainingItemCount], [['a', 'b'], '1004', 1]);
    server.store.write(SCOPE, 'create', configMap('z'));
    const [, rest, second] = await page(`?limit=2&continue=${first.continue}`);
    assert.deepEqual([rest, second.resourceVersion, second.continue], [['c'], '1004', undefined]);
    assert.equal((await client.json('GET', '/api/v1/configmaps'))[1].items?.length, 5);
    const [, , again] = await page('?limit=2');
    server.expirePages();
    assert.equal((await page(`?continue=${again.continue}`))[0], 410);
    for (let i = 0; i < 2; i += 1) await page('?limit=1');
    assert.equal((await page(`?continue=${again.continue}`))[0], 410, 'no later token brings it back');
    assert.equal(server.lists('configmaps'), 6, 'the question with limit=1 is none');
  });

  test(`faults/server watches go on from a version, are told what is written, and end as told (${protocol})`, async (t) => {
    const { server } = await start(t, protocol);
    const watch = (query: string): Answer =>
      new PlainClient(t, server, protocol).open('GET', `${CONFIG_MAPS}?watch=true${query}`);
    for (const name of ['a', 'b']) server.store.write(SCOPE, 'create', configMap(name));
    const resumed = watch('&resourceVersion=1001');
    const streamed = watch('&sendInitialEvents=true');
    await eventually(
      () => server.watching('configmaps') === 2 && server.watching('pods') === 0,
      'both watch',
    );
    server.store.write({ ...SCOPE, namespace: 'other' }, 'create', configMap('elsewhere'));
    server.store.write(SCOPE, 'replace', configMap('a'));
    server.store.delete(SCOPE, 'b');
    server.bookmark('configmaps');
    server.errorToWatches('configmaps', { status: 410, reason: 'Expired', message: 'too old' });
    server.endWatches('configmaps');
    await eventually(() => resumed.ended === 'whole' && streamed.ended === 'whole', 'both ended');
    const told = ['MODIFIED a@1004', 'DELETED b@1005', 'BOOKMARK @1005', 'ERROR @410'];
    assert.deepEqual(events(resumed), ['ADDED b@1002', ...told]);
    assert.deepEqual(events(streamed), ['ADDED a@1001', 'ADDED b@1002', 'BOOKMARK @1002', ...told]);
    assert.match(streamed.text, /"k8s.io\/initial-events-end":"true"/);
    await eventually(() => server.watching() === 0, 'none is left');
    server.store.compact('configmaps');
    const late = watch('&resourceVersion=1004');
    await eventually(() => late.ended === 'whole', 'refused');
    assert.deepEqual([late.status, events(late)], [200, ['ERROR @410']]);
    server.streamingLists = 'refused';
    const refused = watch('&sendInitialEvents=true');
    await eventually(() => refused.ended === 'whole', 'refused');
    assert.equal(refused.status, 422);
    assert.equal(server.lists('configmaps'), 2);
  });

  test(`faults/server faults take the place of answers, as often as told (${protocol})`, async (t) => {
    const { server } = await start(t, protocol);
    const ask = (path = '/readyz'): Answer => new PlainClient(t, server, protocol).open('GET', path);
    const ended = async (answer: Answer): Promise<Answer> => {
      await eventually(() => answer.ended !== 'open', 'ended');
      return answer;
    };
    server.interceptNext(2, ({ path }) =>
      path === '/readyz'
        ? { kind: 'status', status: 429, reason: 'TooManyRequests', retryAfter: '7' }
        : undefined,
    );
    assert.equal((await ended(ask('/livez'))).text, 'ok', 'another path is none of its business');
    for (let i = 0; i < 2; i += 1) {
      const { status, headers, text } = await ended(ask());
      assert.deepEqual(
        [status, headers['retry-after'], (JSON.parse(text) as Body).reason],
        [429, '7', 'TooManyRequests'],
      );
    }
    assert.equal((await ended(ask())).status, 200, 'twice and no more');
    server.interceptNext(1, () => ({ kind: 'bytes', bytes: 'all', end: 'whole' }));
    const whole = await ended(ask());
    assert.deepEqual([whole.status, whole.text, whole.ended], [200, 'all', 'whole']);
    server.interceptNext(1, () => ({ kind: 'bytes', bytes: 'half', end: 'cut' }));
    const half = await ended(ask());
    assert.deepEqual([half.text, half.ended], ['half', 'cut']);
    server.interceptNext(1, () => ({ kind: 'reset' }));
    const reset = await ended(ask());
    assert.deepEqual([reset.status, reset.ended], [0, 'cut']);
    server.interceptNext(1, () => ({ kind: 'bytes', bytes: '', end: 'never' }));
    const mute = ask();
    await eventually(() => mute.status === 200, 'its headers come');
    server.interceptNext(1, () => ({ kind: 'hang' }));
    const seen = server.seen.length;
    const hung = ask();
    await eventually(() => server.seen.length === seen + 1, 'taken');
    assert.deepEqual(
      [(await ended(ask())).status, hung.status, hung.ended, mute.ended],
      [200, 0, 'open', 'open'],
    );
    const back = server.intercept(() => ({ kind: 'status', status: 500 }));
    assert.equal((await ended(ask())).status, 500);
    back();
    assert.equal((await ended(ask())).status, 200);
    server.cutConnections();
    await ended(hung);
    await ended(mute);
    assert.deepEqual([hung.ended, mute.ended], ['cut', 'cut']);
    await eventually(() => server.open === 0, 'all are cut');
  });

  test(`faults/server closes, and listens again on its port with another certificate (${protocol})`, async (t) => {
    const { server, client } = await start(t, protocol);
    const watch = client.open('GET', `${CONFIG_MAPS}?watch=true&resourceVersion=1000`);
    await eventually(() => server.watching() === 1, 'watching');
    const { port } = server;
    await server.close();
    await eventually(() => watch.ended === 'cut', 'cut');
    assert.equal(server.watching(), 0);
    await eventually(() => server.open === 0, 'no connection is left');
    assert.equal((await new PlainClient(t, server, protocol).ask('GET', '/readyz')).status, 0);
    const other = new CertificateAuthority('another');
    server.useCertificate(other.issue({ commonName: 'renewed' }));
    await server.listen();
    assert.equal(server.port, port);
    const socket = connectTls({ host: '127.0.0.1', port, ca: other.pem });
    t.after(() => socket.destroy());
    await eventually(() => socket.authorized, 'the other authority is trusted');
    assert.equal(socket.getPeerCertificate().subject.CN, 'renewed');
  });
}

test('faults/server speaks HTTP/1.1 to those who ask for it, and plain HTTP where told', async (t) => {
  const { server } = await start(t, 'h2');
  const client = new PlainClient(t, server, 'http1');
  assert.equal((await client.ask('GET', '/readyz')).text, 'ok');
  assert.equal(server.seen[0]?.httpVersion, '1.1');
  const plain = await ScriptedApiServer.start('plain');
  t.after(() => plain.close());
  assert.equal(await (await fetch(`${plain.url}/livez`)).text(), 'ok');
});
