// A process that serves a synthetic cluster: so many Pactos, and for each a Deployment, a Service, an EndpointSlice and two
// Pods, streamed as a real API server streams them, managedFields included. Nothing of it is held.
import { createSecureServer, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '../helpers/certificates.ts';

const count = Number(process.argv[2] ?? 10_000);
const NAMESPACES = 100;
const TIME = '2026-11-30T10:00:00Z';

type Make = (index: number) => object;

const pad = (index: number): string => String(index).padStart(12, '0');
const managed = (managers: number, fields: number): readonly object[] =>
  Array.from({ length: managers }, (_, i) => ({
    manager: `manager-${i}`,
    operation: 'Update',
    apiVersion: 'v1',
    time: TIME,
    fieldsType: 'FieldsV1',
    fieldsV1: Object.fromEntries(
      Array.from({ length: fields }, (__, f) => [`f:field-${f}`, { 'f:inner': {}, '.': {} }]),
    ),
  }));

const meta = (name: string, index: number, more: object = {}): object => ({
  name,
  namespace: `team-${index % NAMESPACES}`,
  uid: `00000000-0000-4000-8000-${pad(index)}`,
  resourceVersion: String(1_000_000 + index),
  generation: 2,
  creationTimestamp: TIME,
  labels: { app: `app-${index}`, 'app.kubernetes.io/part-of': `shop-${index % 50}`, tier: 'backend' },
  annotations: { 'meta.helm.sh/release-name': `app-${index}`, 'meta.helm.sh/release-namespace': 'shop' },
  ...more,
});

const conditions = (...types: readonly string[]): readonly object[] =>
  types.map((type) => ({
    type,
    status: 'True',
    reason: 'AsExpected',
    message: 'Everything is as it should be.',
    lastTransitionTime: TIME,
    lastUpdateTime: TIME,
  }));

const container = (index: number): object => ({
  name: 'main',
  image: `registry.example/team/app-${index}:1.0.0`,
  ports: [{ name: 'http', containerPort: 8_080, protocol: 'TCP' }],
  env: Array.from({ length: 6 }, (_, e) => ({ name: `VARIABLE_${e}`, value: `value ${e} of ${index}` })),
  readinessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 5 },
  resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '128Mi' } },
});

const inline = (index: number): string => `pactoVersion: "2.0"
service: { name: app-${index}, version: 1.0.0, owner: { team: team-${index % 40} } }
interfaces:
  - { name: http, type: openapi, ref: interfaces/http.yaml }
capabilities:
  - { type: health, binding: { type: http, interface: http, path: /healthz } }
  - { type: metrics, binding: { type: http, interface: http, path: /metrics } }
dependencies:
  - { name: next, ref: 'oci://registry.example/team/app-${(index + 1) % count}', required: true, compatibility: ^1.0.0 }
workload: service
`;

const pacto: Make = (index) => ({
  apiVersion: 'pacto.trianalab.io/v1alpha1',
  kind: 'Pacto',
  metadata: meta(`app-${index}`, index, { managedFields: managed(2, 22) }),
  spec: {
    contractRef: { inline: inline(index) },
    target: {
      serviceName: `app-${index}`,
      workloadRef: { name: `app-${index}`, kind: 'Deployment' },
      interfaceBindings: [{ interface: 'http', servicePort: 'http' }],
    },
  },
  status: {
    contractStatus: 'Compliant',
    contractStatusSince: TIME,
    contractVersion: '1.0.0',
    contract: {
      serviceName: `app-${index}`,
      version: '1.0.0',
      resolvedRef: `registry.example/team/app-${index}:1.0.0`,
    },
    conditions: ['ContractValid', 'RuntimeObserved'].map((type) => ({
      type,
      status: 'True',
      reason: 'Parsed',
      message: `Contract app-${index} v1.0.0 is valid`,
      lastTransitionTime: TIME,
      observedGeneration: 2,
    })),
    interfaces: [{ name: 'http', type: 'openapi', visibility: 'internal', ref: 'interfaces/http.yaml' }],
    dependencies: [
      {
        name: 'next',
        ref: `oci://registry.example/team/app-${(index + 1) % count}`,
        required: true,
        compatibility: '^1.0.0',
      },
    ],
    resources: {
      service: { name: `app-${index}`, exists: true },
      workload: { name: `app-${index}`, kind: 'Deployment', exists: true },
    },
    observedRuntime: {
      workloadKind: 'Deployment',
      containerImages: [`registry.example/team/app-${index}:1.0.0`],
      hasPVC: false,
      hasEmptyDir: false,
    },
    summary: { errorCount: 0, warningCount: 0, infoCount: 0, unknownCount: 0 },
    evaluationCoverage: { evaluated: 3, required: 3 },
    lastReconciledAt: TIME,
    observedGeneration: 2,
  },
});
const deployment: Make = (index) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: meta(`app-${index}`, index, { managedFields: managed(2, 16) }),
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: `app-${index}` } },
    template: { metadata: { labels: { app: `app-${index}` } }, spec: { containers: [container(index)] } },
  },
  status: {
    observedGeneration: 2,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    conditions: conditions('Available', 'Progressing'),
  },
});
const service: Make = (index) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: meta(`app-${index}`, index, { managedFields: managed(2, 12) }),
  spec: {
    type: 'ClusterIP',
    clusterIP: address(index, 96),
    clusterIPs: [address(index, 96)],
    selector: { app: `app-${index}` },
    ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }],
  },
});
const endpointSlice: Make = (index) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: meta(`app-${index}-x7k2p`, index, {
    labels: { 'kubernetes.io/service-name': `app-${index}`, 'endpointslice.kubernetes.io/managed-by': 'c' },
    managedFields: managed(2, 12),
  }),
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8_080, protocol: 'TCP' }],
  endpoints: [0, 1].map((i) => ({
    addresses: [address(2 * index + i, 128)],
    conditions: { ready: true, serving: true, terminating: false },
    nodeName: `node-${index % 100}`,
    targetRef: { kind: 'Pod', name: podName(2 * index + i), namespace: `team-${index % NAMESPACES}` },
  })),
});
const pod: Make = (index) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: meta(podName(index), index >> 1, {
    uid: `11111111-0000-4000-8000-${pad(index)}`,
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: `app-${index >> 1}-5d4f8c7b9`,
        uid: 'u',
        controller: true,
      },
    ],
    managedFields: managed(2, 16),
  }),
  spec: {
    nodeName: `node-${index % 100}`,
    serviceAccountName: 'default',
    containers: [container(index >> 1)],
    volumes: [
      {
        name: 'kube-api-access-x7k2p',
        projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3_607, path: 'token' } }] },
      },
    ],
    tolerations: ['not-ready', 'unreachable'].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
  },
  status: {
    phase: 'Running',
    podIP: address(index, 128),
    startTime: TIME,
    conditions: conditions('Initialized', 'Ready', 'ContainersReady', 'PodScheduled'),
    containerStatuses: [
      { name: 'main', ready: true, restartCount: 0, state: { running: { startedAt: TIME } } },
    ],
  },
});

function podName(index: number): string {
  return `app-${index >> 1}-5d4f8c7b9-${index}`;
}
function address(index: number, second: number): string {
  return `10.${second + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
}

const KINDS: Readonly<Record<string, readonly [make: Make, count: number]>> = {
  pactos: [pacto, count],
  deployments: [deployment, count],
  services: [service, count],
  endpointslices: [endpointSlice, count],
  pods: [pod, 2 * count],
};

const authority = new CertificateAuthority();
const server = createSecureServer(authority.issue(), (request, response) => {
  const url = new URL(request.url, 'https://server');
  if (url.pathname === '/apis') return respond(response, { kind: 'APIGroupList', groups: [] });
  if (url.searchParams.get('watch') !== 'true')
    return respond(response, { kind: 'List', metadata: { resourceVersion: '2000000' }, items: [] });
  const plural = url.pathname.split('/').at(-1) ?? '';
  void watch(response, plural, url.searchParams.get('sendInitialEvents') === 'true');
});

function respond(response: Http2ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function watch(response: Http2ServerResponse, plural: string, streaming: boolean): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('\n');
  if (!streaming) return;
  const [make, many] = KINDS[plural] ?? [pacto, 0];
  for (let i = 0; i < many; i += 1) {
    if (response.write(`{"type":"ADDED","object":${JSON.stringify(make(i))}}\n`)) continue;
    await new Promise((resolve) => response.once('drain', resolve));
  }
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  response.write(
    `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '2000000', annotations } } })}\n`,
  );
}

server.on('sessionError', () => undefined);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const bytes = Object.values(KINDS).reduce(
    (sum, [make, many]) => sum + JSON.stringify(make(1)).length * many,
    0,
  );
  process.stdout.write(`${JSON.stringify({ url: `https://127.0.0.1:${port}`, ca: authority.pem, bytes })}\n`);
});
// The parent ends standard input when it has seen enough.
process.stdin.on('end', () => process.exit(0)).resume();
