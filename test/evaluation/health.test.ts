// Health: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PactoTarget, WorkloadKind } from '../../api/pacto.ts';
import type { Contract } from '../../contract/model.ts';
import type { HttpAnswer, HttpInquiry, Inquiry } from '../../evaluation/observe/inquiry.ts';
import { requestPath } from '../../evaluation/observe/request-path.ts';
import {
  answered,
  API_INTERFACE,
  BOUND,
  type Cluster,
  contractOf,
  MINUTE,
  type Pass,
  type PassInput,
  type RawObject,
  service,
  slice,
  streak,
  withBinding,
  workload,
} from './support.ts';

const health = (path: string | undefined = '/healthz', type = 'http'): string =>
  `capabilities: [{ type: health, binding: { type: ${type}, interface: api${path === '' ? '' : `, path: '${path}'`} } }]`;
const CONTRACT = contractOf(API_INTERFACE + health());
const PATHLESS = contractOf(API_INTERFACE + health(''));

const container = (probe: RawObject | undefined, port = 8080, name = 'app'): RawObject => ({
  name,
  ports: [{ containerPort: port }],
  ...(probe !== undefined && { readinessProbe: probe }),
});
const httpGet = (path?: string): RawObject => ({
  httpGet: { port: 8080, ...(path !== undefined && { path }) },
});
const PROBED = container(httpGet('/healthz'));

function cluster(
  containers: readonly RawObject[] = [],
  parts: Partial<Cluster> = {},
  kind: WorkloadKind = 'Deployment',
): Cluster {
  return {
    services: [service()],
    slices: [slice([true])],
    workloads: [workload(kind, { pod: { containers } })],
    ...parts,
  };
}
const NONE = 'unanswered' as const;
const MARKER = 'canary-2718281';
const reply = (status: number | typeof NONE): HttpAnswer =>
  status === NONE
    ? { kind: 'unanswered' }
    : { kind: 'answered', status, contentType: 'text/plain', text: MARKER };

type Judged = Pass & { readonly asked: readonly Inquiry[]; readonly requests: readonly HttpInquiry[] };
function judge(status: number | typeof NONE, input: Partial<PassInput> = {}): Judged {
  const result = answered(
    { contract: CONTRACT, cluster: cluster(), features: { probing: true }, ...input },
    (inquiry: Inquiry) => (inquiry.kind === 'http' ? reply(status) : undefined),
  );
  assert.doesNotMatch(JSON.stringify(result.verdict), new RegExp(`${MARKER}|Tier [AB]`));
  return { ...result, requests: result.asked.filter((inquiry) => inquiry.kind === 'http') };
}
const passive = (input: Partial<PassInput> = {}): Judged => {
  const result = judge(200, { ...input, features: { ...input.features, probing: false } });
  // What would answer is not asked.
  assert.deepEqual(result.requests, []);
  return result;
};

const FINE = 'Compliant 2/2';
const INSUFFICIENT = 'Unknown/EVIDENCE_INSUFFICIENT 1/2';
const UNSUPPORTED = 'Unknown/OBSERVATION_UNSUPPORTED 1/2';
const OLD = [streak(3 * MINUTE, 'health', 'capability')];
const YOUNG = [streak(MINUTE, 'health', 'capability')];

const only = (text: string): Contract => contractOf(text);

test('evaluation/HE1 without a binding', () => {
  const result = judge(200, { contract: only('capabilities: [{ type: health }]') });
  assert.equal(result.text, 'Unknown/OBSERVATION_UNSUPPORTED 0/1');
  assert.equal(result.verdict.findings?.[0]?.subject, 'capability/health');
});

test('evaluation/HE2 a binding of another type', () => {
  // The language admits no other; whoever calls the observer directly may.
  assert.equal(judge(200, { contract: withBinding(CONTRACT, { type: 'grpc' }) }).text, UNSUPPORTED);
});

test('evaluation/HE3 the owning interface is not bound', () => {
  const target: PactoTarget = { serviceName: 'app' };
  const { text, requests } = judge(200, { target });
  assert.equal(text, 'Unknown/OBSERVATION_UNSUPPORTED,OBSERVATION_UNSUPPORTED 0/2');
  assert.deepEqual(requests, []);
});

test('evaluation/HE4 no Service, or no such port', () => {
  assert.equal(judge(200, { cluster: {} }).text, 'Unknown/EVIDENCE_MISSING,OBSERVATION_UNSUPPORTED 0/2');
  const target: PactoTarget = {
    serviceName: 'app',
    interfaceBindings: [{ interface: 'api', servicePort: 1 }],
  };
  assert.equal(judge(200, { target }).text, 'Unknown/EVIDENCE_INSUFFICIENT,OBSERVATION_UNSUPPORTED 0/2');
});

test('evaluation/HE5 the Service cannot be read', () => {
  const result = judge(200, { cluster: cluster([], { unreadable: ['Service'] }) });
  assert.equal(result.text, 'Unknown/COLLECTION_FAILED,COLLECTION_FAILED 0/2');
});

type ActiveRow = readonly [
  id: string,
  given: string,
  status: number | typeof NONE,
  input: Partial<PassInput>,
  text: string,
  windows: number,
];
const ACTIVE: readonly ActiveRow[] = [
  ['HE6', '200', 200, { windows: OLD }, FINE, 0],
  ['HE7', '301', 301, {}, FINE, 0],
  ['HE7', '302', 302, {}, FINE, 0],
  ['HE8', 'the first 404', 404, {}, INSUFFICIENT, 1],
  ['HE9', '404 past the window', 404, { windows: OLD }, 'NonCompliant/CAPABILITY_ABSENT 2/2', 1],
  ...[500, 501, 503, 405, 401, 410].map(
    (status): ActiveRow => ['HE11', String(status), status, {}, INSUFFICIENT, 0],
  ),
  ['HE12', '503 in an open streak', 503, { windows: YOUNG }, INSUFFICIENT, 1],
  ['HE13', 'refused, no readiness probe', NONE, {}, INSUFFICIENT, 0],
  ['HE14', 'refused, a matching readiness probe', NONE, { cluster: cluster([PROBED]) }, FINE, 0],
];
for (const [id, given, status, input, text, windows] of ACTIVE) {
  test(`evaluation/${id} probing on: ${given}`, () => {
    const result = judge(status, input);
    assert.equal(result.text, text);
    assert.equal(result.windows.length, windows);
    assert.deepEqual(result.requests, [
      { kind: 'http', host: 'app.default.svc', port: 8080, path: '/healthz' },
    ]);
  });
}

test('evaluation/HE10 an answer ends the streak, and the next 404 begins another', () => {
  const gone = judge(404, { windows: OLD });
  const back = judge(200, { windows: gone.windows });
  assert.deepEqual([back.text, back.windows.length], [FINE, 0]);
  assert.equal(judge(404, { windows: back.windows }).text, INSUFFICIENT);
});

type PassiveRow = readonly [id: string, given: string, input: Partial<PassInput>, text: string];
const sidecar = container(undefined, 15_020, 'proxy');
const named = {
  name: 'app',
  ports: [{ name: 'http', containerPort: 9090 }],
  readinessProbe: httpGet('/healthz'),
};
const ported = (targetPort: number | string): Partial<Cluster> => ({
  services: [service({ ports: [{ name: 'http', port: 80, targetPort }] })],
});
const PASSIVE: readonly PassiveRow[] = [
  ['HE15', 'a matching probe, ready', { cluster: cluster([PROBED]) }, FINE],
  ['HE17', 'a probe on another path', { cluster: cluster([container(httpGet('/ready'))]) }, INSUFFICIENT],
  [
    'HE18',
    'no declared path',
    { contract: PATHLESS, cluster: cluster([container(httpGet('/ready'))]) },
    FINE,
  ],
  [
    'HE19',
    'an unset probe path is the root',
    { contract: contractOf(API_INTERFACE + health('/')), cluster: cluster([container(httpGet())]) },
    FINE,
  ],
  [
    'HE20',
    'liveness only',
    { cluster: cluster([{ ...container(undefined), livenessProbe: httpGet('/healthz') }]) },
    INSUFFICIENT,
  ],
  ['HE20', 'exec', { cluster: cluster([container({ exec: { command: ['true'] } })]) }, INSUFFICIENT],
  ['HE20', 'tcpSocket', { cluster: cluster([container({ tcpSocket: { port: 8080 } })]) }, INSUFFICIENT],
  ['HE20', 'no probe', { cluster: cluster([container(undefined)]) }, INSUFFICIENT],
  ['HE22', 'a sidecar first', { cluster: cluster([sidecar, PROBED]) }, FINE],
  ['HE24', 'a named target port', { cluster: cluster([named], ported('http')) }, FINE],
  ['HE25', 'a target port no container has', { cluster: cluster([PROBED], ported(9999)) }, INSUFFICIENT],
  ['HE29', 'no readiness probe, an old streak of 404', { windows: OLD }, INSUFFICIENT],
];
for (const [id, given, input, text] of PASSIVE) {
  test(`evaluation/${id} probing off: ${given}`, () => assert.equal(passive(input).text, text));
}

test('evaluation/HE16 what would answer is not asked with probing off', () => {
  assert.deepEqual(passive({ cluster: cluster([PROBED]) }).asked, []);
});

test('evaluation/HE21 a probe whose endpoint is not ready decides nothing', () => {
  const result = passive({ cluster: cluster([PROBED], { slices: [slice([false])] }) });
  assert.equal(result.text, 'Unknown/EVIDENCE_INSUFFICIENT,EVIDENCE_INSUFFICIENT 0/2');
  assert.deepEqual(
    result.windows.map(({ kind }) => kind),
    ['interface'],
  );
});

test('evaluation/HE23 the port is that of the owning interface', () => {
  const contract = contractOf(
    `interfaces: [{ name: metrics, type: openapi, ref: m }, { name: api, type: openapi, ref: a }]\n${health()}`,
  );
  const ports = [
    { name: 'metrics', port: 9090 },
    { name: 'http', port: 8080 },
  ];
  const target: PactoTarget = {
    serviceName: 'app',
    interfaceBindings: [
      { interface: 'metrics', servicePort: 'metrics' },
      { interface: 'api', servicePort: 'http' },
    ],
  };
  const containers = [container(httpGet('/healthz'), 9090, 'metrics'), container(undefined)];
  const parts = { services: [service({ ports })], slices: [slice([true], { ports })] };
  assert.equal(
    passive({ contract, target, cluster: cluster(containers, parts) }).text,
    'Unknown/EVIDENCE_INSUFFICIENT 2/3',
  );
});

test('evaluation/HE26 every kind of workload vouches', () => {
  for (const kind of ['StatefulSet', 'ReplicaSet', 'Job', 'CronJob'] as const) {
    const target: PactoTarget = { ...BOUND, workloadRef: { name: 'app', kind } };
    assert.equal(passive({ target, cluster: cluster([PROBED], {}, kind) }).text, FINE, kind);
  }
});

test('evaluation/HE27 a path never leads to another host', () => {
  const paths = {
    '//evil.example/x': '//evil.example/x',
    'http://evil.example': '/http://evil.example',
    '@evil.example': '/@evil.example',
    '/a?b#c': '/a%3Fb%23c',
    '/a b\r\nHost: evil': '/a%20b%0D%0AHost:%20evil',
    '/%2f%2fevil': '/%2f%2fevil',
    '/ü': '/%C3%BC',
    '/\ud800': '/%EF%BF%BD',
  };
  for (const [path, sent] of Object.entries(paths)) {
    const { requests } = judge(200, { contract: withBinding(CONTRACT, { path }) });
    assert.deepEqual([requests[0]?.host, requests[0]?.path], ['app.default.svc', sent]);
    assert.equal(requestPath(path), sent);
  }
});

test('evaluation/HE28 HE31 nothing of a body and no name of a tier is told', () => {
  for (const status of [200, 404, 503, NONE] as const) {
    // Both are looked for in every judgement of this file.
    assert.doesNotMatch(
      JSON.stringify(judge(status, { windows: OLD }).verdict),
      new RegExp(`${MARKER}|[Tt]ier`),
    );
  }
});

test('evaluation/HE29 the streak of a 404 outlives the end of probing', () => {
  assert.deepEqual(passive({ windows: OLD }).windows, OLD);
});

test('evaluation/HE30 discovery finds the interface and not its health', () => {
  const ports = [{ name: 'api', port: 8080 }];
  const result = passive({
    target: { serviceName: 'app' },
    features: { interfaceNameMatchDiscovery: true },
    cluster: cluster([PROBED], { services: [service({ ports })], slices: [slice([true], { ports })] }),
  });
  assert.equal(result.text, UNSUPPORTED);
});
