// Interfaces: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PactoTarget } from '../../api/pacto.ts';
import {
  API_INTERFACE,
  BOUND,
  type Cluster,
  contractOf,
  MINUTE,
  pass,
  type PassInput,
  service,
  slice,
  streak,
} from './support.ts';

const contract = contractOf(API_INTERFACE);
const READY: Cluster = { services: [service()], slices: [slice([true])] };
const ABSENT = 'Unknown/EVIDENCE_INSUFFICIENT 0/1';
const PRESENT = 'Compliant 1/1';
const bound = (servicePort: number | string): PactoTarget => ({
  ...BOUND,
  interfaceBindings: [{ interface: 'api', servicePort }],
});
const UNBOUND: PactoTarget = { serviceName: 'app' };
const DISCOVERY = { interfaceNameMatchDiscovery: true };
const byName = (fields: Partial<Cluster> = {}): Cluster => ({
  services: [service({ ports: [{ name: 'api', port: 8080, protocol: 'TCP' }] })],
  slices: [slice([true], { ports: [{ name: 'api', port: 8080, protocol: 'TCP' }] })],
  ...fields,
});

type Row = readonly [
  id: string,
  given: string,
  input: Omit<PassInput, 'contract'>,
  text: string,
  windows?: number,
];

const ROWS: readonly Row[] = [
  ['IF1', 'no binding', { target: UNBOUND, cluster: READY }, 'Unknown/OBSERVATION_UNSUPPORTED 0/1'],
  ['IF3', 'bound, Service missing', { cluster: {} }, 'Unknown/EVIDENCE_MISSING 0/1'],
  [
    'IF4',
    'bound, Service unreadable',
    { cluster: { unreadable: ['Service'] } },
    'Unknown/COLLECTION_FAILED 0/1',
  ],
  ['IF5', 'ExternalName Service', { cluster: { services: [service({ type: 'ExternalName' })] } }, ABSENT],
  [
    'IF6',
    'selectorless Service with a ready slice',
    { cluster: { ...READY, services: [service({ selector: {} })] } },
    ABSENT,
  ],
  ['IF7', 'bound to a port the Service lacks', { target: bound(9090), cluster: READY }, ABSENT],
  ['IF8', 'bound by name, ready', { cluster: READY, windows: [streak(MINUTE)] }, PRESENT],
  ['IF9', 'bound by number, ready', { target: bound(8080), cluster: READY }, PRESENT],
  ['IF10', 'text that looks like a number is a name', { target: bound('8080'), cluster: READY }, ABSENT],
  [
    'IF11',
    'Service port 80 with targetPort 8080',
    {
      cluster: {
        ...READY,
        services: [service({ ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }] })],
      },
    },
    PRESENT,
  ],
  [
    'IF12',
    'a named targetPort with another number per slice',
    {
      cluster: {
        services: [service({ ports: [{ name: 'http', port: 80, targetPort: 'web', protocol: 'TCP' }] })],
        slices: [
          slice([false]),
          slice([true], { name: 'app-2', ports: [{ name: 'http', port: 9090, protocol: 'TCP' }] }),
        ],
      },
    },
    PRESENT,
  ],
  [
    'IF13',
    'a slice of another port name only',
    {
      cluster: {
        ...READY,
        slices: [slice([true], { ports: [{ name: 'admin', port: 9000, protocol: 'TCP' }] })],
      },
    },
    ABSENT,
    1,
  ],
  [
    'IF14',
    'three endpoints, two ready',
    { cluster: { ...READY, slices: [slice([true, false, true])] } },
    PRESENT,
  ],
  [
    'IF15',
    'ready only in the second slice',
    { cluster: { ...READY, slices: [slice([false]), slice([true], { name: 'app-2' })] } },
    PRESENT,
  ],
  [
    'IF16',
    'one slice per address family',
    { cluster: { ...READY, slices: [slice([true]), slice([true], { name: 'app-v6' })] } },
    PRESENT,
  ],
  [
    'IF17',
    'only terminating endpoints',
    { cluster: { ...READY, slices: [slice([false, false])] } },
    ABSENT,
    1,
  ],
  ['IF18', 'not ready addresses are published', { cluster: READY }, PRESENT],
  ['IF19', 'an endpoint with ready unset', { cluster: { ...READY, slices: [slice([undefined])] } }, PRESENT],
  ['IF20', 'no slices, first pass', { cluster: { services: [service()] } }, ABSENT, 1],
  [
    'IF21',
    'zero ready, streak one minute old',
    { cluster: { services: [service()] }, windows: [streak(MINUTE)] },
    ABSENT,
    1,
  ],
  [
    'IF22',
    'zero ready, streak as old as the window',
    { cluster: { services: [service()] }, windows: [streak(2 * MINUTE)] },
    'NonCompliant/INTERFACE_ABSENT 1/1',
    1,
  ],
  [
    'IF23',
    'zero ready, streak older',
    { cluster: { services: [service()] }, windows: [streak(3 * MINUTE)] },
    'NonCompliant/INTERFACE_ABSENT 1/1',
    1,
  ],
  [
    'IF25',
    'slices unreadable, streak kept',
    { cluster: { services: [service()], unreadable: ['EndpointSlice'] }, windows: [streak(3 * MINUTE)] },
    'Unknown/COLLECTION_FAILED 0/1',
    1,
  ],
  [
    'IF28',
    'discovery finds a ready port',
    { target: UNBOUND, cluster: byName(), features: DISCOVERY, windows: [streak(MINUTE)] },
    PRESENT,
    1,
  ],
  [
    'IF29',
    'discovery finds a port with nothing ready',
    { target: UNBOUND, cluster: byName({ slices: [] }), features: DISCOVERY },
    'Unknown/OBSERVATION_UNSUPPORTED 0/1',
  ],
  [
    'IF30',
    'discovery without a Service',
    { target: UNBOUND, cluster: {}, features: DISCOVERY },
    'Unknown/OBSERVATION_UNSUPPORTED 0/1',
  ],
  [
    'IF31',
    'a port of that name with discovery off',
    { target: UNBOUND, cluster: byName() },
    'Unknown/OBSERVATION_UNSUPPORTED 0/1',
  ],
  ['IF32', 'a headless Service with a selector', { cluster: READY }, PRESENT],
  [
    'IF33',
    'only a workload as target',
    {
      target: { workloadRef: { name: 'app' }, interfaceBindings: BOUND.interfaceBindings ?? [] },
      cluster: READY,
    },
    'Unknown/EVIDENCE_MISSING 0/1',
  ],
  [
    'IF34',
    'discovery, Service unreadable',
    { target: UNBOUND, cluster: byName({ unreadable: ['Service'] }), features: DISCOVERY },
    'Unknown/OBSERVATION_UNSUPPORTED 0/1',
  ],
  [
    'IF34',
    'discovery, slices unreadable',
    { target: UNBOUND, cluster: byName({ unreadable: ['EndpointSlice'] }), features: DISCOVERY },
    'Unknown/OBSERVATION_UNSUPPORTED 0/1',
  ],
];

for (const [id, given, input, text, windows = 0] of ROWS) {
  test(`evaluation/${id} ${given}`, () => {
    const result = pass({ contract, ...input });
    assert.equal(result.text, text);
    assert.equal(result.windows.length, windows);
  });
}

test('evaluation/IF2 an asyncapi interface without a binding', () => {
  const asyncapi = contractOf('interfaces: [{ name: api, type: asyncapi, ref: a.yaml }]');
  assert.equal(
    pass({ contract: asyncapi, target: UNBOUND, cluster: READY }).text,
    'Unknown/OBSERVATION_UNSUPPORTED 0/1',
  );
});

test('evaluation/IF23 the finding of an absence carries no address', () => {
  const { verdict } = pass({ contract, cluster: { services: [service()] }, windows: [streak(3 * MINUTE)] });
  assert.doesNotMatch(JSON.stringify(verdict.findings), /\b\d{1,3}(\.\d{1,3}){3}\b/);
});

test('evaluation/IF24 an endpoint that becomes ready ends the streak', () => {
  const first = pass({ contract, cluster: { services: [service()] }, windows: [streak(3 * MINUTE)] });
  const second = pass({ contract, cluster: READY, windows: first.windows });
  assert.equal(second.text, PRESENT);
  assert.deepEqual(second.windows, []);
});

test('evaluation/IF26 two interfaces on two ports', () => {
  const two = contractOf(
    'interfaces: [{ name: api, type: openapi, ref: a }, { name: rpc, type: grpc, ref: b }]',
  );
  const ports = [
    { name: 'http', port: 8080, protocol: 'TCP' },
    { name: 'grpc', port: 9090, protocol: 'TCP' },
  ];
  const target: PactoTarget = {
    serviceName: 'app',
    interfaceBindings: [
      { interface: 'api', servicePort: 'http' },
      { interface: 'rpc', servicePort: 9090 },
    ],
  };
  const result = pass({
    contract: two,
    target,
    cluster: { services: [service({ ports })], slices: [slice([true], { ports })] },
    windows: [streak(MINUTE, 'api'), streak(MINUTE, 'rpc')],
  });
  assert.equal(result.text, 'Compliant 2/2');
  assert.deepEqual(result.windows, []);
});

test('evaluation/IF27 one interface bound and ready, one unbound', () => {
  const two = contractOf(
    'interfaces: [{ name: api, type: openapi, ref: a }, { name: rpc, type: grpc, ref: b }]',
  );
  assert.equal(pass({ contract: two, cluster: READY }).text, 'Unknown/OBSERVATION_UNSUPPORTED 1/2');
});

test('a slice port of another protocol does not carry the Service port', () => {
  const slices = [slice([true], { ports: [{ name: 'http', port: 8080, protocol: 'UDP' }] })];
  assert.equal(pass({ contract, cluster: { services: [service()], slices } }).text, ABSENT);
});

test('a hand-made slice without port names is matched by number', () => {
  const slices = [slice([true], { ports: [{ name: '', port: 8080, protocol: 'TCP' }] })];
  assert.equal(pass({ contract, cluster: { services: [service()], slices } }).text, PRESENT);
});

test('a failed read is told once, with kind, name and reason', () => {
  const two = contractOf(
    'interfaces: [{ name: api, type: openapi, ref: a }, { name: rpc, type: grpc, ref: b }]',
  );
  const target: PactoTarget = {
    ...BOUND,
    interfaceBindings: ['api', 'rpc'].map((name) => ({ interface: name, servicePort: 'http' })),
  };
  const { failures, verdict } = pass({
    contract: two,
    target,
    cluster: { services: [service()], unreadable: ['EndpointSlice'] },
  });
  assert.deepEqual(failures, [
    { resource: 'EndpointSlice', name: 'default/app', reason: 'EndpointSlice is forbidden (403)' },
  ]);
  assert.doesNotMatch(JSON.stringify(verdict), /403/);
});

test('a failed read is told also where it decides nothing', () => {
  for (const kind of ['Service', 'EndpointSlice']) {
    const cluster = byName({ unreadable: [kind] });
    const { failures } = pass({ contract, target: UNBOUND, cluster, features: DISCOVERY });
    assert.deepEqual(
      failures.map(({ resource }) => resource),
      [kind],
    );
  }
});
