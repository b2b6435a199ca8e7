// Hostile contracts, schemas, archives and registries: each has its named outcome in bounded time and memory.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { HOSTILE_CASES } from './hostile-case.ts';
import { failureOf, rig } from './loader-support.ts';

const PROGRAM = fileURLToPath(new URL('hostile-case.ts', import.meta.url));
/** Memory a process may take at its peak, MiB. */
const MAX_MIB = 256;
/** A process that takes longer is killed, and its case fails. */
const DEADLINE_MS = 60_000;

const OUTCOMES: Readonly<Record<string, RegExp>> = {
  'alias bomb': /^parse: .*excessive aliasing$/,
  'large list': /^parse: .*more than 150000 tokens$/,
  'large map': /^parse: .*more than 150000 tokens$/,
  'large text': /^(?:valid$|parse: the contract was not checked: checking it took more than 96 MiB)/,
  'too large': /^parse: .*larger than 10485760 bytes$/,
  'most tokens that are read': /^valid$/,
  'deep lists': /^parse: .*nested more than 256 levels deep$/,
  'deep maps': /^parse: .*(?:nested more than 256 levels deep|more than 150000 tokens)$/,
  'deep indentation': /^parse: .*nested more than 256 levels deep$/,
  'catastrophic pattern': /^POLICY_VIOLATION$/,
  'pattern of a thousand repetitions': /^INVALID_POLICY_SCHEMA$/,
  'doubling references': /^limit: the contract was not checked: checking it took/,
  'doubling references with failures': /^limit: the contract was not checked: checking it took/,
  'reference to itself': /^POLICY_VIOLATION$/,
  'recursive schema': /^valid$/,
  'deep schema': /^INVALID_POLICY_SCHEMA$/,
  'remote reference': /^INVALID_POLICY_SCHEMA$/,
  'reference to a file': /^INVALID_POLICY_SCHEMA$/,
  'gzip bomb of large files': /^invalid: the files are larger than 52428800 bytes together$/,
  'gzip bomb of headers': /^invalid: the archive is larger than 100663296 bytes$/,
  'gzip bomb after the end': /^unpacked 0 files$/,
  '100,000 entries': /^invalid: more than 10000 entries$/,
  'path that leads out': /^invalid: invalid path "\.\.\/\.\.\/escaped"$/,
  link: /^invalid: unsupported entry type of "escaped"/,
  'size that is a lie': /^invalid: the archive is cut off$/,
};

test('the table has every hostile case', () => {
  assert.deepEqual(Object.keys(OUTCOMES), HOSTILE_CASES);
});

for (const [name, expected] of Object.entries(OUTCOMES)) {
  test(`hostile: ${name}`, async (t) => {
    const root = await temporaryFolder(t);
    const folder = path.join(root, 'a', 'b', 'c');
    await mkdir(folder, { recursive: true });
    const child = spawn(process.execPath, [PROGRAM, name], {
      cwd: folder,
      env: { PATH: process.env['PATH'], TMPDIR: folder },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: DEADLINE_MS,
      killSignal: 'SIGKILL',
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (said += piece.toString()));
    assert.deepEqual(await once(child, 'close'), [0, null], said.slice(0, 2_000));
    const { outcome, peakMib } = JSON.parse(said) as { readonly outcome: string; readonly peakMib: number };
    assert.match(outcome, expected);
    assert.ok(peakMib < MAX_MIB, `${peakMib} MiB at the peak`);
    assert.deepEqual(await readdir(folder), [], 'nothing is written');
    await assert.rejects(access(path.join(root, 'a', 'escaped')));
  });
}

/** A server that answers as it likes; ends with the test. */
async function server(t: TestContext, listener: RequestListener): Promise<string> {
  const http = createServer(listener);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.after(async () => {
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  });
  return `127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const MANIFEST_TYPE = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' };

const REGISTRIES: readonly (readonly [name: string, kind: string, listener: RequestListener])[] = [
  ['never answers', 'unreachable', () => undefined],
  [
    'sends a byte a second',
    'unreachable',
    (_request, response) => {
      response.writeHead(200, {
        ...MANIFEST_TYPE,
        'content-length': '1000',
        'docker-content-digest': `sha256:${'0'.repeat(64)}`,
      });
      const drip = setInterval(() => response.write('{'), 1_000);
      response.on('close', () => clearInterval(drip));
    },
  ],
  [
    'sends without end',
    'invalid-bundle',
    (request, response) => {
      const size = { 'content-length': String(2 ** 40), 'docker-content-digest': `sha256:${'0'.repeat(64)}` };
      response.writeHead(200, { ...MANIFEST_TYPE, ...size });
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    },
  ],
  [
    'redirects in a loop',
    'unreachable',
    (request, response) => {
      response.writeHead(307, { location: request.url ?? '/' });
      response.end();
    },
  ],
  [
    'closes every connection',
    'unreachable',
    (request) => {
      request.socket.destroy();
    },
  ],
  [
    'answers with a page',
    'unreachable',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>please log in</html>');
    },
  ],
];

for (const [name, kind, listener] of REGISTRIES) {
  test(`hostile: a registry that ${name}`, async (t) => {
    const host = await server(t, listener);
    const r = await rig(t, { insecure: [host], requestTimeoutMs: 3_000 });
    const failure = failureOf(await r.loader.load({ oci: `${host}/acme/svc:1.0.0` }, t.signal));
    assert.equal(failure.kind, kind, failure.message);
    assert.deepEqual(await readdir(r.folder), []);
  });
}
