// Registries that do harm: each has its named outcome within its time, in bounded memory, and nothing of it stays on disk.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BUNDLE_LIMITS } from '../../contract/bundle/bundle-limits.ts';
import { sha256 } from '../../contract/bundle/digest.ts';
import { ensureTool } from '../tools/build.ts';
import { hostileOutcome } from './hostile-run.ts';

const PROGRAM = fileURLToPath(new URL('hostile-registry-case.ts', import.meta.url));
const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const MIB = 1024 * 1024;

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

function status(code: number, header: Readonly<Record<string, string>> = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(code, header);
    response.end();
  };
}

/** Sends as fast as it is taken, until the other side has enough. */
function endless(response: ServerResponse, piece: Buffer = Buffer.alloc(64 * 1024, 'x')): void {
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}

/** A manifest with one layer, and whatever `blob` does when the layer is asked for. */
function image(
  layer: { readonly digest: string; readonly size: number },
  blob: RequestListener,
): RequestListener {
  const mediaType = 'application/vnd.pacto.bundle.layer.v1.tar+gzip';
  const config = { mediaType: 'application/vnd.oci.empty.v1+json', digest: sha256('{}'), size: 2 };
  const manifest = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST_TYPE, config, layers: [{ mediaType, ...layer }] }),
  );
  return (request, response) => {
    if (request.url?.includes('/blobs/') === true) {
      blob(request, response);
      return;
    }
    const length = String(manifest.length);
    response.writeHead(200, {
      'content-type': MANIFEST_TYPE,
      'content-length': length,
      'docker-content-digest': sha256(manifest),
    });
    response.end(request.method === 'HEAD' ? undefined : manifest);
  };
}

/** As large as a layer may be, and no archive. */
const JUNK = Buffer.alloc(BUNDLE_LIMITS.layerBytes, 'junk');
const junkLayer = { digest: sha256(JUNK), size: JUNK.length };
const absentLayer = { digest: `sha256:${'0'.repeat(64)}`, size: JUNK.length };

const send =
  (bytes: Buffer): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': String(bytes.length) });
    response.end(bytes);
  };

type Case = readonly [name: string, reference: string, outcome: RegExp, listener: RequestListener];
const TAGGED = 'acme/svc:1.0.0';
const LATEST = 'acme/svc';

const CASES: readonly Case[] = [
  ['answers 401', TAGGED, /^authentication: .*authentication failed for /, status(401)],
  ['answers 403', TAGGED, /^authentication: .*authentication failed for /, status(403)],
  ['answers 404', TAGGED, /^not-found: .*artifact not found: /, status(404)],
  ['answers 429', TAGGED, /^unreachable: /, status(429, { 'retry-after': '86400' })],
  ['answers 500', TAGGED, /^unreachable: /, status(500)],
  ['never answers', TAGGED, /^unreachable: .*no complete answer within 3000 ms/, () => undefined],
  [
    'sends a byte a second',
    TAGGED,
    /^unreachable: .*no complete answer within 3000 ms/,
    (_request, response) => {
      const digest = `sha256:${'0'.repeat(64)}`;
      response.writeHead(200, {
        'content-type': MANIFEST_TYPE,
        'content-length': '1000',
        'docker-content-digest': digest,
      });
      const drip = setInterval(() => response.write('{'), 1_000);
      response.on('close', () => clearInterval(drip));
    },
  ],
  [
    'sends a manifest without end',
    TAGGED,
    /^invalid-bundle: /,
    (request, response) => {
      response.writeHead(200, {
        'content-type': MANIFEST_TYPE,
        'content-length': String(2 ** 40),
        'docker-content-digest': `sha256:${'0'.repeat(64)}`,
      });
      if (request.method === 'HEAD') response.end();
      else endless(response);
    },
  ],
  [
    'sends a layer without end',
    TAGGED,
    /^(?:invalid-bundle|unreachable): /,
    image({ digest: junkLayer.digest, size: MIB }, (request, response) => {
      response.writeHead(200);
      if (request.method === 'HEAD') response.end();
      else endless(response);
    }),
  ],
  [
    'sends the largest layer there may be, which is no archive',
    TAGGED,
    /^invalid-bundle: /,
    image(junkLayer, send(JUNK)),
  ],
  [
    'sends the largest layer there may be, with other bytes',
    TAGGED,
    /^invalid-bundle: /,
    image(absentLayer, send(JUNK)),
  ],
  [
    'promises a larger layer than there may be',
    TAGGED,
    /^invalid-bundle: .*its layer is larger than 67108864 bytes/,
    image({ ...absentLayer, size: BUNDLE_LIMITS.layerBytes + 1 }, status(500)),
  ],
  [
    'lists tags on pages without end',
    LATEST,
    /^unreachable: .*(?:its list of tags does not end|no complete answer within 3000 ms)/,
    (request, response) => {
      const tags = Array.from({ length: 20_000 }, (_, i) => `1.0.${i}`);
      const next = `<${request.url?.split('?')[0] ?? ''}?n=1&last=x>; rel="next"`;
      response.writeHead(200, { 'content-type': 'application/json', link: next });
      response.end(JSON.stringify({ name: LATEST, tags }));
    },
  ],
  [
    'redirects in a loop',
    TAGGED,
    /^unreachable: /,
    (request, response) => {
      response.writeHead(307, { location: request.url ?? '/' });
      response.end();
    },
  ],
  ['closes every connection', TAGGED, /^unreachable: /, (request) => void request.socket.destroy()],
  [
    'answers with a page',
    TAGGED,
    /^unreachable: /,
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>please log in</html>');
    },
  ],
];

for (const [name, reference, outcome, listener] of CASES) {
  test(`hostile: a registry that ${name}`, async (t) => {
    const host = await server(t, listener);
    assert.match(await hostileOutcome(t, PROGRAM, [await ensureTool('oras'), host, reference]), outcome);
  });
}
