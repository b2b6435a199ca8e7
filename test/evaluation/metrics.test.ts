// Metrics: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PactoTarget } from '../../api/pacto.ts';
import { isExposition } from '../../evaluation/observe/exposition.ts';
import type { HttpAnswer, HttpInquiry, Inquiry } from '../../evaluation/observe/inquiry.ts';
import {
  answered,
  API_INTERFACE,
  type Cluster,
  contractOf,
  type Pass,
  type PassInput,
  type RawObject,
  service,
  type ServiceParts,
  slice,
  withBinding,
} from './support.ts';

const metrics = (path?: string): string =>
  `capabilities: [{ type: metrics, binding: { type: http, interface: api${path === undefined ? '' : `, path: '${path}'`} } }]`;
const DECLARED = contractOf(API_INTERFACE + metrics('/stats'));
const PATHLESS = contractOf(API_INTERFACE + metrics());
const TEXT = '# HELP up Whether it is up.\n# TYPE up gauge\nup{job="a"} 1\n';
const ok = (text = TEXT, contentType = 'text/plain; version=0.0.4'): HttpAnswer => ({
  kind: 'answered',
  status: 200,
  contentType,
  text,
});

const BOTH = [
  { name: 'http', port: 8080 },
  { name: 'web', port: 81, targetPort: 'container-web' },
];
const cluster = (parts: ServiceParts = {}, more: Partial<Cluster> = {}): Cluster => ({
  services: [service({ labels: { app: 'app' }, ...parts })],
  slices: [slice([true])],
  ...more,
});
const monitor = (
  kind: 'ServiceMonitor' | 'PodMonitor',
  endpoints: readonly unknown[],
  selector: unknown = { matchLabels: { app: 'app' } },
): RawObject => ({
  kind,
  metadata: { namespace: 'default', name: 'm' },
  spec: { selector, [kind === 'ServiceMonitor' ? 'endpoints' : 'podMetricsEndpoints']: endpoints },
});
const scrape = (annotations: Readonly<Record<string, string>>): ServiceParts => ({
  annotations: Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`prometheus.io/${key}`, value]),
  ),
});

type Judged = Pass & { readonly requests: readonly HttpInquiry[] };
function judge(answer: HttpAnswer, input: Partial<PassInput> = {}): Judged {
  const result = answered(
    { contract: DECLARED, cluster: cluster(), features: { metricsObservation: true }, ...input },
    (inquiry: Inquiry) => (inquiry.kind === 'http' ? answer : undefined),
  );
  assert.deepEqual(result.windows, []);
  return { ...result, requests: result.asked.filter((inquiry) => inquiry.kind === 'http') };
}
const place = (input: Partial<PassInput>): string => {
  const { requests } = judge(ok(), input);
  assert.ok(requests.length <= 1);
  return requests.map(({ host, port, path }) => `${host}:${port}${path}`).join(' ');
};
const AT = 'app.default.svc';
const UNSUPPORTED = 'Unknown/OBSERVATION_UNSUPPORTED 1/2';
const INSUFFICIENT = 'Unknown/EVIDENCE_INSUFFICIENT 1/2';

test('evaluation/ME1 a contract without the capability', () => {
  const { evidence } = judge(ok(), { contract: contractOf(API_INTERFACE) });
  assert.deepEqual(
    evidence.observations.map(({ kind }) => kind),
    ['InterfaceObserved'],
  );
});

test('evaluation/ME2 the switch is off', () => {
  const { text, requests } = judge(ok(), { features: {} });
  assert.equal(text, UNSUPPORTED);
  assert.deepEqual(requests, []);
});

test('evaluation/ME3 nowhere to ask', () => {
  const bare = contractOf(`${API_INTERFACE}capabilities: [{ type: metrics }]`);
  const port: PactoTarget = { serviceName: 'app', interfaceBindings: [{ interface: 'api', servicePort: 1 }] };
  assert.equal(judge(ok(), { contract: bare }).text, UNSUPPORTED);
  assert.equal(judge(ok(), { contract: withBinding(DECLARED, { type: 'grpc' }) }).text, UNSUPPORTED);
  assert.match(
    judge(ok(), { target: { serviceName: 'app' } }).text,
    /UNSUPPORTED,OBSERVATION_UNSUPPORTED 0\/2/,
  );
  assert.match(judge(ok(), { cluster: {} }).text, /MISSING,OBSERVATION_UNSUPPORTED 0\/2/);
  assert.match(judge(ok(), { target: port }).text, /INSUFFICIENT,OBSERVATION_UNSUPPORTED 0\/2/);
});

test('evaluation/ME4 the Service cannot be read', () => {
  assert.match(
    judge(ok(), { cluster: cluster({}, { unreadable: ['Service'] }) }).text,
    /COLLECTION_FAILED,COLLECTION_FAILED 0\/2/,
  );
});

test('evaluation/ME5 a declared path with an exposition', () => {
  const { text, evidence, requests } = judge(ok());
  assert.equal(text, 'Compliant 2/2');
  assert.equal(evidence.observations.at(-1)?.provenance.collector, 'k8s-observer');
  assert.deepEqual(requests, [{ kind: 'http', host: AT, port: 8080, path: '/stats' }]);
});

test('evaluation/ME6 a help line inside JSON is no exposition', () => {
  assert.equal(judge(ok('{"text": "# HELP up"}\n', 'text/plain')).text, INSUFFICIENT);
});

test('evaluation/ME7 an exposition of another content type', () => {
  assert.equal(judge(ok(TEXT, 'application/json')).text, INSUFFICIENT);
});

test('evaluation/ME8 404 is never an absence', () => {
  const answer: HttpAnswer = { kind: 'answered', status: 404, contentType: 'text/plain', text: 'no' };
  const first = judge(answer);
  assert.equal(first.text, INSUFFICIENT);
  assert.equal(judge(answer, { windows: first.windows }).text, INSUFFICIENT);
});

test('evaluation/ME9 refused', () => {
  assert.equal(judge({ kind: 'unanswered' }).text, 'Unknown/COLLECTION_FAILED 1/2');
});

test('evaluation/ME10 no path and nothing that names one', () => {
  const { text, requests } = judge(ok(), { contract: PATHLESS });
  assert.equal(text, UNSUPPORTED);
  assert.deepEqual(requests, []);
});

test('evaluation/ME11 annotations', () => {
  const annotated = cluster(scrape({ scrape: 'true', port: '9102', path: '/m' }));
  assert.equal(place({ contract: PATHLESS, cluster: annotated }), `${AT}:9102/m`);
  assert.equal(
    place({ contract: PATHLESS, cluster: cluster(scrape({ scrape: 'true', port: '9102' })) }),
    `${AT}:9102/metrics`,
  );
});

test('evaluation/ME12 annotations that do not say where', () => {
  for (const annotations of [
    { scrape: 'false', port: '9102' },
    { scrape: 'true', port: '' },
    { scrape: 'true', port: 'web' },
    { scrape: 'true', port: '0' },
    { scrape: 'true', port: '99999' },
  ]) {
    assert.equal(
      place({ cluster: cluster(scrape(annotations)) }),
      `${AT}:8080/stats`,
      JSON.stringify(annotations),
    );
  }
});

test('evaluation/ME13 a port named for metrics', () => {
  for (const name of ['metrics', 'http-metrics']) {
    const named = cluster({
      ports: [
        { name: 'http', port: 8080 },
        { name, port: 9090 },
      ],
    });
    assert.equal(place({ cluster: named }), `${AT}:9090/stats`);
    assert.equal(place({ contract: PATHLESS, cluster: named }), `${AT}:9090/metrics`);
  }
});

test('evaluation/ME14 a ServiceMonitor comes before everything', () => {
  const parts = {
    ...scrape({ scrape: 'true', port: '9102' }),
    ports: [...BOTH, { name: 'metrics', port: 9090 }],
  };
  const of = (endpoint: unknown): string =>
    place({ cluster: cluster(parts, { others: [monitor('ServiceMonitor', [endpoint])] }) });
  assert.equal(of({ port: 9999, path: '/sm' }), `${AT}:9999/sm`);
  assert.equal(of({ port: 'web' }), `${AT}:81/metrics`);
  assert.equal(of({ targetPort: 'container-web' }), `${AT}:81/metrics`);
  assert.equal(of({ targetPort: 8080 }), `${AT}:8080/metrics`);
  for (const port of ['unknown', 0, -1, 70_000]) assert.equal(of({ port }), `${AT}:9102/metrics`);
  for (const targetPort of [0, 70_000]) assert.equal(of({ targetPort }), `${AT}:9102/metrics`);
});

test('evaluation/ME15 a PodMonitor that selects what the Service selects', () => {
  const parts = { ...scrape({ scrape: 'true', port: '9102' }), ports: BOTH };
  const of = (others: readonly RawObject[], more: ServiceParts = {}): string =>
    place({ cluster: cluster({ ...parts, ...more }, { others }) });
  assert.equal(of([monitor('PodMonitor', [{ port: 9999 }])]), `${AT}:9999/metrics`);
  assert.equal(of([monitor('PodMonitor', [{ port: 'container-web' }])]), `${AT}:81/metrics`);
  assert.equal(of([monitor('PodMonitor', [{ port: 9999 }], { matchLabels: {} })]), `${AT}:9999/metrics`);
  assert.equal(of([monitor('PodMonitor', [{ port: 9999 }], {})]), `${AT}:9102/metrics`);
  assert.equal(
    of([monitor('PodMonitor', [{ port: 9999 }], { matchLabels: { app: 7 } })]),
    `${AT}:9102/metrics`,
  );
  assert.equal(
    of([monitor('PodMonitor', [{ port: 9999 }], { matchLabels: { app: 'other' } })]),
    `${AT}:9102/metrics`,
  );
});

test('evaluation/ME16 monitors that cannot be listed', () => {
  const unreadable = ['ServiceMonitor', 'PodMonitor'];
  const result = judge(ok(), { cluster: cluster({}, { unreadable }) });
  assert.equal(result.text, 'Compliant 2/2');
  assert.deepEqual(
    result.failures.map(({ resource }) => resource),
    unreadable,
  );
});

test('evaluation/ME17 authentication is not read', () => {
  const endpoint = {
    port: 9999,
    path: '/sm',
    basicAuth: { username: { name: 's', key: 'k' } },
    bearerTokenFile: '/x',
  };
  const { requests } = judge(ok(), {
    cluster: cluster({}, { others: [monitor('ServiceMonitor', [endpoint])] }),
  });
  assert.deepEqual(requests, [{ kind: 'http', host: AT, port: 9999, path: '/sm' }]);
});

test('evaluation/ME18 what is no endpoint is passed over', () => {
  const others = [monitor('ServiceMonitor', ['nonsense', null, { port: 9999 }])];
  assert.equal(place({ cluster: cluster({}, { others }) }), `${AT}:9999/metrics`);
});

test('evaluation/ME19 a body that is cut in a line', () => {
  assert.equal(judge(ok(`${TEXT}requests_total{code="20`)).text, 'Compliant 2/2');
});

test('expositions', () => {
  const plain = 'text/plain';
  const good = [
    'up 1\n',
    'up{a="b\\"c",} +Inf 1395066363000\n',
    'a_bucket{le="0.1"} 1e-3 # {trace_id="x"} 0.5 1.2\n# EOF\n',
    '{"utf8.name", a="b"} NaN\r\n',
    '\n# just a comment\n up 0x1F\n',
  ];
  for (const text of good) assert.ok(isExposition(plain, text), text);
  const bad = [
    '',
    'up 1',
    '# HELP up x\n# TYPE up gauge\n',
    'up\n',
    'up one\n',
    '<html>\n',
    'up 1\nnonsense\n',
    'up{a=b} 1\n',
    '1up 2\n',
  ];
  for (const text of bad) assert.ok(!isExposition(plain, text), text);
  assert.ok(isExposition('application/OpenMetrics-Text; version=1.0.0', 'up 1\n'));
  assert.ok(!isExposition('', 'up 1\n'));
});

test('a line made to hang is answered at once', () => {
  const line = `up{${'a="b",'.repeat(600)}`;
  assert.ok(!isExposition('text/plain', `${line}\n`));
});
