// Exposure and visibility: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalAddress, isPublicAddress } from '../../evaluation/address.ts';
import { INTERNAL_LOAD_BALANCER } from '../../evaluation/read-annotations.ts';
import {
  API_INTERFACE,
  type Cluster,
  contractOf,
  pass,
  type PassInput,
  type RawObject,
  service,
  type ServiceParts,
  slice,
} from './support.ts';

const INTERNAL = contractOf(API_INTERFACE.replace('ref: a.yaml', 'ref: a.yaml, visibility: internal'));
const PUBLIC = contractOf(API_INTERFACE.replace('ref: a.yaml', 'ref: a.yaml, visibility: public'));
const UNSET = contractOf(API_INTERFACE);
const PUBLIC_IP = '203.0.113.7';

type Outcome = 'mismatch' | 'verified' | 'unverified';

function judge(cluster: Cluster, input: Partial<PassInput> = {}): Outcome {
  const result = pass({ contract: INTERNAL, cluster, ...input });
  if (result.text === 'NonCompliant/INTERFACE_VISIBILITY_MISMATCH 1/1') {
    assert.equal(result.verdict.findings?.[0]?.contractPath, 'interfaces[name=api].visibility');
    return 'mismatch';
  }
  assert.equal(result.text, 'Compliant 1/1');
  const unverified = result.verdict.evaluationCoverage?.unverified ?? [];
  return unverified.includes('interfaces[name=api].visibility') ? 'unverified' : 'verified';
}

const of = (
  parts: ServiceParts,
  others: readonly RawObject[] = [],
  unreadable: readonly string[] = [],
): Cluster => ({
  services: [service(parts)],
  slices: [slice([true])],
  others,
  unreadable,
});
const balancer = (...ingress: { ip?: string; hostname?: string }[]): ServiceParts => ({
  type: 'LoadBalancer',
  ingress,
});
const externalIP = (address: string): ServiceParts => ({ spec: { externalIPs: [address] } });

type IngressParts = {
  readonly namespace?: string;
  readonly port?: RawObject;
  readonly addresses?: readonly RawObject[];
};
const ingress = ({
  namespace = 'default',
  port = { number: 8080 },
  addresses = [{ ip: PUBLIC_IP }],
}: IngressParts = {}): RawObject => ({
  kind: 'Ingress',
  metadata: { namespace, name: 'web' },
  spec: { rules: [{ http: { paths: [{ path: '/', backend: { service: { name: 'app', port } } }] } }] },
  status: { loadBalancer: { ingress: addresses } },
});
const byDefault: RawObject = {
  kind: 'Ingress',
  metadata: { namespace: 'default', name: 'web' },
  spec: { defaultBackend: { service: { name: 'app', port: { number: 8080 } } } },
  status: { loadBalancer: { ingress: [{ ip: PUBLIC_IP }] } },
};
const route = (namespace: string, reference: RawObject): RawObject => ({
  kind: 'HTTPRoute',
  metadata: { namespace, name: 'web' },
  spec: { rules: [{ backendRefs: [{ name: 'app', port: 8080, ...reference }] }] },
});
const BOTH_PORTS: ServiceParts = {
  ports: [
    { name: 'http', port: 8080 },
    { name: 'admin', port: 9000 },
  ],
};

const ROWS: readonly (readonly [
  id: string,
  given: string,
  cluster: Cluster,
  outcome: Outcome,
  input?: Partial<PassInput>,
])[] = [
  ['EX1', 'ClusterIP, no routes', of({}), 'verified'],
  ['EX2', 'a public external IP', of(externalIP(PUBLIC_IP)), 'mismatch'],
  ['EX3', 'a private external IP', of(externalIP('10.1.2.3')), 'verified'],
  ['EX4', 'a load balancer with a public IP', of(balancer({ ip: PUBLIC_IP })), 'mismatch'],
  ['EX5', 'a load balancer with a private IP', of(balancer({ ip: '10.0.0.5' })), 'unverified'],
  ['EX6', 'a load balancer without status', of({ type: 'LoadBalancer' }), 'unverified'],
  ['EX7', 'a public hostname', of(balancer({ hostname: 'a1.elb.example' })), 'mismatch'],
  ['EX8', 'an internal hostname', of(balancer({ hostname: 'internal-a1.elb.example' })), 'unverified'],
  [
    'EX10',
    'the AWS annotation set to false',
    of({
      ...balancer({ ip: PUBLIC_IP }),
      annotations: { 'service.beta.kubernetes.io/aws-load-balancer-internal': 'false' },
    }),
    'mismatch',
  ],
  ['EX11', 'a private and a public IP', of(balancer({ ip: '10.0.0.5' }, { ip: PUBLIC_IP })), 'mismatch'],
  ['EX15', 'NodePort', of({ type: 'NodePort' }), 'unverified'],
  ['EX16', 'an Ingress by port number', of({}, [ingress()]), 'mismatch'],
  [
    'EX17',
    'an Ingress by port name, public hostname',
    of({}, [ingress({ port: { name: 'http' }, addresses: [{ hostname: 'a.example' }] })]),
    'mismatch',
  ],
  ['EX18', 'an Ingress by its default backend', of({}, [byDefault]), 'mismatch'],
  [
    'EX19',
    'an Ingress to another port of the Service',
    of(BOTH_PORTS, [ingress({ port: { number: 9000 } })]),
    'unverified',
  ],
  ['EX20', 'an Ingress without status', of({}, [ingress({ addresses: [] })]), 'unverified'],
  ['EX21', 'an Ingress of another namespace', of({}, [ingress({ namespace: 'elsewhere' })]), 'verified'],
  ['EX22', 'an HTTPRoute', of({}, [route('default', {})]), 'unverified'],
  [
    'EX23',
    'an HTTPRoute of another namespace',
    of({}, [route('edge', { namespace: 'default' })]),
    'unverified',
  ],
  [
    'EX25',
    'Ingresses unreadable, a public load balancer',
    of(balancer({ ip: PUBLIC_IP }), [], ['Ingress']),
    'mismatch',
  ],
  ['EX26', 'Ingresses unreadable, ClusterIP', of({}, [], ['Ingress']), 'unverified'],
  ['EX26', 'HTTPRoutes unreadable, ClusterIP', of({}, [], ['HTTPRoute']), 'unverified'],
  ['EX27', 'declared public, external', of(externalIP(PUBLIC_IP)), 'verified', { contract: PUBLIC }],
  ['EX28', 'declared public, internal', of({}), 'unverified', { contract: PUBLIC }],
  ['EX29', 'visibility left out, external', of(externalIP(PUBLIC_IP)), 'mismatch', { contract: UNSET }],
];

for (const [id, given, cluster, outcome, input] of ROWS) {
  test(`evaluation/${id} ${given}`, () => assert.equal(judge(cluster, input), outcome));
}

test('evaluation/EX9 every annotation for an internal load balancer', () => {
  const values: Readonly<Record<string, string>> = {
    'networking.gke.io/load-balancer-type': 'Internal',
    'cloud.google.com/load-balancer-type': 'internal',
    'service.beta.kubernetes.io/aws-load-balancer-internal': '0.0.0.0/0',
    'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal',
    'service.beta.kubernetes.io/azure-load-balancer-internal': 'True',
    'service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type': 'private',
    'service.beta.kubernetes.io/oci-load-balancer-internal': 'true',
    'oci-network-load-balancer.oraclecloud.com/internal': 'true',
    'service.beta.kubernetes.io/openstack-internal-load-balancer': 'true',
    'service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type': 'intranet',
  };
  assert.deepEqual(Object.keys(values).toSorted(), [...INTERNAL_LOAD_BALANCER.keys()].toSorted());
  for (const [key, value] of Object.entries(values)) {
    const parts = { ...balancer({ ip: PUBLIC_IP }), annotations: { [key]: value } };
    assert.equal(judge(of(parts)), 'unverified', key);
    assert.equal(
      judge(of({ ...parts, annotations: { [key]: 'external' } })),
      key.endsWith('aws-load-balancer-internal') ? 'unverified' : 'mismatch',
      key,
    );
  }
});

const publicly = (text: string): boolean => isPublicAddress(canonicalAddress(text) ?? text);

test('evaluation/EX12 addresses that are not public', () => {
  for (const text of [
    '100.64.1.1',
    '169.254.1.1',
    'fd00::1',
    'fe80::1',
    '::1',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '127.0.0.1',
    '172.31.0.1',
    '192.168.1.1',
    'fe80::1%eth0',
    '',
    'example.com',
  ]) {
    assert.equal(publicly(text), false, text);
  }
});

test('evaluation/EX13 addresses that are public', () => {
  for (const text of ['2001:db8::1', '::ffff:203.0.113.7', '8.8.8.8', '172.32.0.1', '100.128.0.1'])
    assert.equal(publicly(text), true, text);
});

test('evaluation/EX7 EX11 an entry with address and name is public by either', () => {
  assert.equal(judge(of(balancer({ ip: '10.0.0.5', hostname: 'a1.elb.example' }))), 'mismatch');
  assert.equal(judge(of(balancer({ ip: PUBLIC_IP, hostname: 'internal-a1.elb.example' }))), 'mismatch');
});

test('evaluation/EX14 a private address mapped into IPv6', () => {
  assert.equal(publicly('::ffff:10.0.0.1'), false);
  assert.equal(publicly('::ffff:0a00:0001'), false);
  assert.equal(canonicalAddress('::ffff:0a00:0001'), '10.0.0.1');
  // Another kind of address, which only looks alike.
  assert.notEqual(canonicalAddress('::ffff:0:1.2.3.4'), '0.0.1.2');
});

test('evaluation/EX24 a cluster without HTTPRoutes has none', () => {
  assert.equal(judge(of({}, [])), 'verified');
});

test('evaluation/EX30 a confirmed absence is the only finding', () => {
  const first = pass({ contract: INTERNAL, cluster: { services: [service(balancer({ ip: PUBLIC_IP }))] } });
  const later = pass({
    contract: INTERNAL,
    cluster: { services: [service(balancer({ ip: PUBLIC_IP }))] },
    windows: first.windows,
    now: Date.parse(first.windows[0]?.firstObservedNegativeAt ?? '') + 120_000,
  });
  assert.equal(later.text, 'NonCompliant/INTERFACE_ABSENT 1/1');
});
