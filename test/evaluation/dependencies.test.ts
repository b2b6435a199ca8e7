// Dependencies: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PactoTarget } from '../../api/pacto.ts';
import type { Contract } from '../../contract/model.ts';
import { satisfiesText } from '../../contract/range.ts';
import {
  type Cluster,
  contractOf,
  MINUTE,
  type Pass,
  pass,
  type PassInput,
  type RawObject,
  service,
  slice,
  streak,
} from './support.ts';

const TARGET: PactoTarget = { serviceName: 'app' };

type Declared = { readonly ref?: string; readonly range?: string; readonly required?: boolean };
function declared({
  ref = 'oci://r.example.com/pay:1.0.0',
  range = '1.x',
  required = true,
}: Declared = {}): Contract {
  return contractOf(
    `dependencies: [{ name: pay, ref: '${ref}', required: ${required}, compatibility: '${range}' }]`,
  );
}

type Provider = {
  readonly name?: string;
  readonly namespace?: string;
  readonly service?: string;
  readonly ref?: string;
  readonly version?: string;
  readonly loaded?: boolean;
};
function pacto({
  name = 'pay',
  namespace = 'default',
  service: serviceName = 'pay',
  ref = 'r.example.com/pay:1.0.0',
  version = '1.2.3',
  loaded = true,
}: Provider = {}): RawObject {
  return {
    kind: 'Pacto',
    metadata: { namespace, name },
    spec: { target: serviceName === '' ? {} : { serviceName } },
    ...(loaded && { status: { contract: { serviceName: 'pay', version, resolvedRef: ref } } }),
  };
}

const PAY = service({ name: 'pay' });
const ready = (...flags: boolean[]): RawObject => slice(flags, { name: 'pay-1', service: 'pay' });
const cluster = (parts: Partial<Cluster> = {}): Cluster => ({
  services: [PAY],
  slices: [ready(true)],
  others: [pacto()],
  ...parts,
});
const OLD = [streak(3 * MINUTE, 'pay', 'dependency')];

const judge = (input: Partial<PassInput> = {}): Pass =>
  pass({ contract: declared(), target: TARGET, cluster: cluster(), ...input });

const REACHABLE = 'Compliant 1/1';
const UNSUPPORTED = 'Unknown/OBSERVATION_UNSUPPORTED 0/1';
const INSUFFICIENT = 'Unknown/EVIDENCE_INSUFFICIENT 0/1';
const FAILED = 'Unknown/COLLECTION_FAILED 0/1';
const UNREACHABLE = 'NonCompliant/DEPENDENCY_UNREACHABLE 1/1';
const twoProviders = (one: string, two: string, second: Partial<Provider> = {}): Cluster =>
  cluster({
    services: [PAY, service({ name: 'pay2' })],
    slices: [ready(false), slice([true], { name: 'pay2-1', service: 'pay2' })],
    others: [pacto({ version: one }), pacto({ name: 'pay2', service: 'pay2', version: two, ...second })],
  });

type Row = readonly [id: string, given: string, input: Partial<PassInput>, text: string, windows?: number];
const ROWS: readonly Row[] = [
  ['DE1', 'the same reference, version in range, ready', {}, REACHABLE],
  [
    'DE2',
    'a reference without version',
    {
      contract: declared({ ref: 'oci://r.example.com/pay' }),
      cluster: cluster({ others: [pacto({ ref: 'r.example.com/pay:1.5.0', version: '1.5.0' })] }),
    },
    REACHABLE,
  ],
  [
    'DE3',
    'a reference with digest, a provider with tag',
    { contract: declared({ ref: `oci://r.example.com/pay@sha256:${'a'.repeat(64)}` }) },
    REACHABLE,
  ],
  [
    'DE4',
    'the colon of a port is no tag',
    {
      contract: declared({ ref: 'oci://registry:5000/pay' }),
      cluster: cluster({ others: [pacto({ ref: 'registry:5000/pay:1.2.3' })] }),
    },
    REACHABLE,
  ],
  [
    'DE5',
    'a resolved reference with scheme',
    { cluster: cluster({ others: [pacto({ ref: 'oci://r.example.com/pay:1.0.0' })] }) },
    REACHABLE,
  ],
  [
    'DE6',
    'no provider of that repository',
    { cluster: cluster({ others: [pacto({ ref: 'r.example.com/other:1.0.0' })] }) },
    UNSUPPORTED,
  ],
  [
    'DE7',
    'a provider whose contract is not loaded',
    { cluster: cluster({ others: [pacto({ loaded: false })] }) },
    UNSUPPORTED,
  ],
  [
    'DE8',
    'a file reference, whatever the names',
    { contract: declared({ ref: 'file://../pay' }) },
    UNSUPPORTED,
  ],
  [
    'DE9',
    'the version outside the range',
    { contract: declared({ range: '2.x' }), cluster: cluster({ others: [pacto({ version: '1.0.0' })] }) },
    'NonCompliant/DEPENDENCY_VERSION_MISMATCH 1/1',
  ],
  [
    'DE10',
    'the same, optional',
    {
      contract: declared({ range: '2.x', required: false }),
      cluster: cluster({ others: [pacto({ version: '1.0.0' })] }),
    },
    'Warning/DEPENDENCY_VERSION_MISMATCH 0/0',
  ],
  [
    'DE11',
    'two providers, the range picks the second',
    { contract: declared({ range: '^2' }), cluster: twoProviders('1.0.0', '2.0.0') },
    REACHABLE,
  ],
  ['DE12', 'two providers inside the range', { cluster: twoProviders('1.0.0', '1.1.0') }, INSUFFICIENT],
  [
    'DE13',
    'two providers, none inside the range',
    { contract: declared({ range: '3.x' }), cluster: twoProviders('1.0.0', '2.0.0') },
    INSUFFICIENT,
  ],
  [
    'DE14',
    'two Pactos on one Service',
    { cluster: cluster({ others: [pacto(), pacto({ name: 'pay-copy' })] }) },
    REACHABLE,
  ],
  [
    'DE15',
    'a provider kept for reference',
    { cluster: cluster({ others: [pacto({ service: '' })] }) },
    INSUFFICIENT,
  ],
  [
    'DE16',
    'its Service is missing, first pass',
    { cluster: cluster({ services: [], slices: [] }) },
    INSUFFICIENT,
    1,
  ],
  [
    'DE17',
    'its Service is missing past the window',
    { cluster: cluster({ services: [], slices: [] }), windows: OLD },
    UNREACHABLE,
    1,
  ],
  ['DE18', 'nothing ready, within the window', { cluster: cluster({ slices: [] }) }, INSUFFICIENT, 1],
  [
    'DE18',
    'nothing ready, past the window',
    { cluster: cluster({ slices: [] }), windows: OLD },
    UNREACHABLE,
    1,
  ],
  [
    'DE19',
    'endpoints that are not ready',
    { cluster: cluster({ slices: [ready(false, false)] }), windows: OLD },
    UNREACHABLE,
    1,
  ],
  [
    'DE20',
    'ready on an unrelated port',
    {
      cluster: cluster({ slices: [slice([true], { service: 'pay', ports: [{ name: 'other', port: 1 }] })] }),
    },
    REACHABLE,
  ],
  [
    'DE21',
    'an ExternalName provider',
    { cluster: cluster({ services: [service({ name: 'pay', type: 'ExternalName' })] }) },
    UNSUPPORTED,
  ],
  [
    'DE22',
    'a selectorless provider without slices',
    { cluster: cluster({ services: [service({ name: 'pay', selector: {} })], slices: [] }) },
    INSUFFICIENT,
    1,
  ],
  [
    'DE23',
    'optional and not to be resolved',
    { contract: declared({ required: false }), cluster: cluster({ others: [] }) },
    'Compliant 0/0',
  ],
  [
    'DE24',
    'optional, nothing ready past the window',
    { contract: declared({ required: false }), cluster: cluster({ slices: [] }), windows: OLD },
    'Warning/DEPENDENCY_UNREACHABLE 0/0',
    1,
  ],
  ['DE25', 'Pactos unreadable', { cluster: cluster({ unreadable: ['Pacto'] }) }, FAILED],
  ['DE25', 'the Service unreadable', { cluster: cluster({ unreadable: ['Service'] }) }, FAILED],
  ['DE25', 'its slices unreadable', { cluster: cluster({ unreadable: ['EndpointSlice'] }) }, FAILED],
  [
    'DE26',
    'unreadable with an old streak',
    { cluster: cluster({ unreadable: ['Service'] }), windows: OLD },
    FAILED,
    1,
  ],
  ['DE27', 'ready again', { windows: OLD }, REACHABLE],
  [
    'DE28',
    'unreachable and outside the range',
    { contract: declared({ range: '2.x' }), cluster: cluster({ slices: [] }), windows: OLD },
    'NonCompliant/DEPENDENCY_UNREACHABLE,DEPENDENCY_VERSION_MISMATCH 1/1',
    1,
  ],
  ['DE31', 'a bare path is local', { contract: declared({ ref: 'r.example.com/pay:1.0.0' }) }, UNSUPPORTED],
];

for (const [id, given, input, text, windows = 0] of ROWS) {
  test(`evaluation/${id} ${given}`, () => {
    const result = judge(input);
    assert.equal(result.text, text);
    assert.equal(result.windows.length, windows);
  });
}

test('evaluation/DE26 the next readable pass tells the violation', () => {
  const failed = judge({ cluster: cluster({ slices: [], unreadable: ['Service'] }), windows: OLD });
  assert.deepEqual(failed.windows, OLD);
  assert.equal(judge({ cluster: cluster({ slices: [] }), windows: failed.windows }).text, UNREACHABLE);
});

test('evaluation/DE29 a provider without version leaves compatibility unverified', () => {
  for (const version of ['', 'latest']) {
    const result = judge({ cluster: cluster({ others: [pacto({ version })] }) });
    assert.equal(result.text, REACHABLE);
    assert.deepEqual(result.verdict.evaluationCoverage?.unverified, ['dependencies[name=pay].compatibility']);
  }
});

test('evaluation/DE30 versions and ranges', () => {
  const cases = [
    ['1.x', '1.5.3', true],
    ['1.x', '2.0.0', false],
    ['^1.0.0', '1.4.2', true],
    ['~1.2.0', '1.3.0', false],
    ['1.2.3', '1.2.4', false],
    ['nonsense', '1.0.0', false],
    ['1.x', 'nonsense', false],
  ] as const;
  for (const [range, version, fits] of cases)
    assert.equal(satisfiesText(version, range), fits, `${range} ${version}`);
});

test('a provider kept for reference stands back where another runs the service', () => {
  const others = [pacto(), pacto({ name: 'catalog', service: '' })];
  assert.equal(judge({ cluster: cluster({ others }) }).text, REACHABLE);
});

test('of two Pactos on one Service the version that fits counts', () => {
  const others = [pacto({ version: '0.9.0' }), pacto({ name: 'pay-new', version: '1.4.0' })];
  assert.equal(judge({ cluster: cluster({ others }) }).text, REACHABLE);
});

test('the host of a repository is read without regard to case', () => {
  const others = [pacto({ ref: 'R.Example.com/pay:1.0.0' })];
  assert.equal(judge({ cluster: cluster({ others }) }).text, REACHABLE);
});
