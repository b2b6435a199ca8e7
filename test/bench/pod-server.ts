// A process that serves many synthetic pods of 11 KB, and one small object at once, over HTTP/2 and HTTP/1.1, for benches that
// must not share its memory.
import { createSecureServer, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '../helpers/certificates.ts';

const NAMESPACES = 50;

/** A pod as a cluster shows it: half of its bytes are managedFields. */
function pod(index: number): string {
  const name = `workload-${index % 997}-${index}`;
  const filler = 'f:metadata.f:labels.f:app.'.repeat(24);
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: `team-${index % NAMESPACES}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(1_000_000 + index),
      labels: { app: `app-${index % 997}`, 'pod-template-hash': '5d4f8c7b9' },
      annotations: { 'kubernetes.io/config.seen': '2026-01-01T00:00:00.000000000Z', note: 'x'.repeat(1_500) },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `app-${index % 997}`, uid: 'u', controller: true },
      ],
      managedFields: Array.from({ length: 8 }, (_, i) => ({
        manager: `manager-${i}`,
        operation: 'Update',
        fieldsV1: { f: filler },
      })),
    },
    spec: {
      nodeName: `node-${index % 100}`,
      serviceAccountName: 'default',
      containers: Array.from({ length: 2 }, (_, i) => ({
        name: `c${i}`,
        image: `registry.example/team/app-${index % 997}:1.${i}.0`,
        ports: [{ containerPort: 8_080 + i, protocol: 'TCP' }],
        env: Array.from({ length: 12 }, (_, e) => ({ name: `VARIABLE_${e}`, value: 'v'.repeat(60) })),
      })),
    },
    status: { phase: 'Running', podIP: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}` },
  });
}

/** What any other path shows. */
const TEMPLATE = JSON.stringify({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 'sentinel', namespace: 'default', uid: 'u', resourceVersion: '7', labels: { text: '1' } },
  template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } },
});

const count = Number(process.argv[2] ?? 5_000);
const authority = new CertificateAuthority();
const server = createSecureServer({ ...authority.issue(), allowHTTP1: true }, (request, response) => {
  const url = new URL(request.url, 'https://server');
  if (url.searchParams.get('watch') === 'true') {
    void watch(response, url.searchParams.get('sendInitialEvents') === 'true');
    return;
  }
  if (url.pathname.endsWith('/pods')) list(response, url.searchParams);
  else respond(response, TEMPLATE);
});

function respond(response: Http2ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body);
}

function list(response: Http2ServerResponse, query: URLSearchParams): void {
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(count, from + Number(query.get('limit') ?? count));
  const items = Array.from({ length: to - from }, (_, i) => pod(from + i));
  const next = to < count ? `,"continue":"${to}"` : '';
  respond(
    response,
    `{"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"2000000"${next}},"items":[${items.join(',')}]}`,
  );
}

async function watch(response: Http2ServerResponse, streaming: boolean): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('\n');
  if (!streaming) return;
  for (let i = 0; i < count; i += 1) {
    if (response.write(`{"type":"ADDED","object":${pod(i)}}\n`)) continue;
    await new Promise((resolve) => response.once('drain', resolve));
  }
  response.write(
    '{"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Pod","metadata":{"resourceVersion":"2000000","annotations":{"k8s.io/initial-events-end":"true"}}}}\n',
  );
}

server.on('sessionError', () => undefined);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(
    `${JSON.stringify({ url: `https://127.0.0.1:${port}`, ca: authority.pem, bytes: pod(1).length })}\n`,
  );
});
// The parent ends standard input when it has seen enough.
process.stdin.on('end', () => process.kill(process.pid)).resume();
