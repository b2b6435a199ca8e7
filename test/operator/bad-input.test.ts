// Input that no sane cluster has, through caches, passes and writes: an outcome of the tables, and the neighbour unaffected.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { CONTRACT_STATUSES, type ContractStatus } from '../../api/contract-status.ts';
import type { PactoTarget } from '../../api/pacto.ts';
import { MAX_STATUS_BYTES } from '../../api/status-size.ts';
import { viewOfObjects } from '../../evaluation/object-view.ts';
import type { ObservationFeatures } from '../../evaluation/observe/observe-input.ts';
import { pactoRecord } from '../../operator/cache/pacto-record.ts';
import { judgePacto } from '../../operator/controllers/pacto/judge-pacto.ts';
import { MANAGED } from '../evaluation/kernel-support.ts';
import { service, slice, workload } from '../evaluation/support.ts';
import type { RawObject } from './cache-rig.ts';
import { controllerRig, type ControllerRig } from './controller-rig.ts';
import { anyObject, JUNK, NAMES, NAMESPACES } from './random-objects.ts';
import { CONTRACT, loader, NOW, WINDOW_MS } from './views.ts';

const LONG = 'n'.repeat(253);
/** As a parser of JSON makes it: an own property. */
const HOSTILE_KEYS = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}') as RawObject;
const huge = (bytes: number): string => 'x'.repeat(bytes);

function pacto(name: string, spec: unknown, more: RawObject = {}): RawObject {
  return { kind: 'Pacto', metadata: { namespace: 'default', name, generation: 1 }, spec, ...more };
}
const specOf = (name: string, more: RawObject = {}): RawObject => ({
  contractRef: { inline: contractOf(name) },
  target: { serviceName: name, interfaceBindings: [{ interface: 'http', servicePort: 'http' }] },
  ...more,
});
const contractOf = (name: string, more = ''): string =>
  `pactoVersion: "2.0"\nservice: { name: ${name}, version: 1.0.0 }\ninterfaces: [{ name: http, type: openapi, ref: a.yaml }]\nworkload: service\n${more}`;
const ready = (flag: boolean): RawObject => slice([flag], { name: 'good-1', service: 'good' });
const GOOD = [
  pacto('good', specOf('good')),
  service({ name: 'good' }),
  ready(true),
  workload('Deployment', { name: 'good' }),
];

/** The neighbour is judged, and judged again when something of its own changes. */
async function assertNeighbourGoesOn(r: ControllerRig): Promise<void> {
  await r.judged('good', 'Compliant');
  r.put(ready(false));
  await r.judged('good', 'Unknown');
  r.put(ready(true));
  await r.judged('good', 'Compliant');
}

/** A neighbour beside these objects. */
async function beside(t: TestContext, ...objects: readonly RawObject[]): Promise<ControllerRig> {
  return controllerRig(t, { objects: [...objects, ...GOOD] });
}

const MALFORMED: readonly (readonly [spec: unknown, where: string])[] = [
  ['text', 'spec must be an object'],
  [[], 'spec must be an object'],
  [{ contractRef: 7 }, 'spec.contractRef must be an object'],
  [{ contractRef: { inline: ['x'] } }, 'spec.contractRef.inline must be a text'],
  [specOf('x', { target: [] }), 'spec.target must be an object'],
  [specOf('x', { target: { serviceName: {} } }), 'spec.target.serviceName must be a text'],
  [specOf('x', { target: { workloadRef: { kind: 'Job' } } }), 'spec.target.workloadRef.name is missing'],
  [specOf('x', { target: { interfaceBindings: {} } }), 'spec.target.interfaceBindings must be a list'],
  [
    specOf('x', { target: { interfaceBindings: [null] } }),
    'spec.target.interfaceBindings[0] must be an object',
  ],
  [
    specOf('x', { target: { interfaceBindings: [{ interface: 'http', servicePort: {} }] } }),
    'spec.target.interfaceBindings[0].servicePort must be a number or a text',
  ],
  [specOf('x', { target: { configBindings: 'x' } }), 'spec.target.configBindings must be a list'],
  [
    specOf('x', { overrides: { configurations: [{ name: 'a', values: { b: 1 } }] } }),
    'spec.overrides.configurations[0].values must be an object of texts',
  ],
  [specOf('x', { checkIntervalSeconds: '5' }), 'spec.checkIntervalSeconds must be a number'],
];

test('operator/bad-input a spec of wrong types is Invalid and says where, without a schema before it', async (t) => {
  const r = await beside(t, ...MALFORMED.map(([spec], i) => pacto(`bad-${i}`, spec)));
  for (const [i, [, where]] of MALFORMED.entries()) {
    await r.judged(`bad-${i}`, 'Invalid');
    const { validation } = r.statusOf(`bad-${i}`);
    assert.deepEqual(validation, {
      valid: false,
      errors: [{ message: `the Pacto is malformed: ${where}` }],
    });
  }
  await assertNeighbourGoesOn(r);
});

test('operator/bad-input a stored status of wrong types says nothing, and is replaced', async (t) => {
  const junk = {
    conditions: 'x',
    observationWindows: [null],
    contractStatus: 7,
    dependencies: [{}],
    findings: {},
  };
  const r = await beside(
    t,
    pacto('worn', specOf('worn', { target: { serviceName: 'good' } }), { status: junk }),
    pacto('text', { contractRef: { inline: contractOf('text') } }, { status: 'text' }),
  );
  await r.judged('worn', 'Unknown');
  await r.judged('text', 'Reference');
  const { conditions, contractStatusSince } = r.statusOf('worn');
  assert.ok(Array.isArray(conditions) && typeof contractStatusSince === 'string');
  await assertNeighbourGoesOn(r);
});

test('operator/bad-input names of 253 characters and keys of the language are names and keys', async (t) => {
  const target = {
    serviceName: LONG,
    workloadRef: { name: LONG },
    interfaceBindings: [{ interface: 'http', servicePort: 'http' }],
  };
  const r = await beside(
    t,
    pacto(LONG, { contractRef: { inline: contractOf('long') }, target }),
    service({
      name: LONG,
      labels: HOSTILE_KEYS as never,
      annotations: HOSTILE_KEYS as never,
      selector: HOSTILE_KEYS as never,
    }),
    slice([true], { name: `${LONG.slice(1)}x`, service: LONG }),
    workload('Deployment', {
      name: LONG,
      metadata: { labels: HOSTILE_KEYS },
      spec: { selector: { matchLabels: HOSTILE_KEYS } },
    }),
    pacto('constructor', specOf('constructor')),
    pacto('keys', {
      contractRef: {
        inline: contractOf(
          'keys',
          'configurations: [{ name: __proto__, required: false, values: { a: b } }]\n',
        ),
      },
      overrides: { configurations: [{ name: '__proto__', values: HOSTILE_KEYS }] },
    }),
  );
  await r.judged(LONG, 'Compliant');
  await r.judged('constructor', 'Unknown');
  await r.idle();
  assert.ok(isStatus(r.statusOf('keys')['contractStatus']));
  assert.equal(({} as Record<string, unknown>)['a'], undefined);
  await assertNeighbourGoesOn(r);
});

test('operator/bad-input a thousand interfaces, and documents of 1.5 MiB, end in a verdict of bounded size', async (t) => {
  const many = Array.from({ length: 1_000 }, (_, i) => `{ name: i${i}, type: grpc, ref: a.proto }`).join(
    ', ',
  );
  const size = 1.5 * 2 ** 20;
  const r = await beside(
    t,
    pacto('thousand', {
      contractRef: {
        inline: `pactoVersion: "2.0"\nservice: { name: thousand, version: 1.0.0 }\ninterfaces: [${many}]\n`,
      },
      target: {
        serviceName: 'good',
        interfaceBindings: Array.from({ length: 1_000 }, (_, i) => ({
          interface: `i${i}`,
          servicePort: 'http',
        })),
      },
    }),
    pacto('huge-text', {
      contractRef: { inline: `${contractOf('huge')}metadata: { note: ${huge(size)} }\n` },
    }),
    pacto('huge-junk', { contractRef: { inline: huge(size) } }),
    pacto('bound', {
      contractRef: {
        inline: contractOf('bound', 'configurations: [{ name: app, required: true, schema: s.json }]\n'),
      },
      target: {
        serviceName: 'good',
        configBindings: [
          { configuration: 'app', kind: 'ConfigMap', name: 'huge', key: 'app', format: 'yaml' },
        ],
      },
    }),
    { kind: 'ConfigMap', metadata: { namespace: 'default', name: 'huge' }, data: { app: huge(size) } },
    service({ name: 'fat', annotations: { note: huge(size) } }),
  );
  await r.judged('thousand', 'Compliant');
  await r.judged('huge-text', 'Reference');
  await r.judged('huge-junk', 'Invalid');
  await assertNeighbourGoesOn(r);
  await r.idle();
  for (const name of ['thousand', 'huge-text', 'huge-junk', 'bound']) {
    const status = r.statusOf(name);
    assert.ok(isStatus(status['contractStatus']), name);
    assert.ok(JSON.stringify(status).length <= MAX_STATUS_BYTES, name);
  }
});

const junkOr = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: JUNK });
const name = fc.constantFrom(...NAMES);
const anyTarget = fc.record(
  {
    serviceName: junkOr(name),
    workloadRef: junkOr(fc.record({ name, kind: fc.constantFrom('Deployment', 'Job', 'CronJob', 'Other') })),
    interfaceBindings: junkOr(
      fc.array(
        fc.record({
          interface: fc.constantFrom('http', 'x'),
          servicePort: fc.constantFrom<unknown>('http', 80, 8080),
        }),
      ),
    ),
  } satisfies Record<keyof Omit<PactoTarget, 'configBindings'>, unknown>,
  { requiredKeys: [] },
);
const FEATURES: ObservationFeatures = {
  interfaceNameMatchDiscovery: true,
  probing: true,
  metricsObservation: true,
  kernelEvidence: MANAGED,
};
const EVERYTHING = `${CONTRACT}capabilities: [{ type: health }, { type: metrics }]
dependencies: [{ name: a, ref: 'oci://r.example.com/a', required: true, compatibility: 1.x }]
state: { type: stateful, persistence: { scope: local, durability: persistent }, dataCriticality: low }
`;

test('operator/bad-input whatever the cluster and the Pacto hold, a pass ends in a verdict', async (t) => {
  const source = { inline: EVERYTHING, oci: undefined, overrides: [], credentials: undefined };
  const contract = await loader().load(source, t.signal);
  assert.equal(contract.kind, 'loaded');
  const statuses = new Set<unknown>();
  fc.assert(
    fc.property(
      fc.array(anyObject, { maxLength: 60 }),
      junkOr(anyTarget),
      fc.constantFrom(...NAMESPACES),
      junkOr(fc.constant({})),
      (objects, target, namespace, status) => {
        const raw = {
          metadata: { namespace, name: 'p' },
          spec: { contractRef: { inline: 'x' }, target },
          status,
        };
        const judged = judgePacto({
          pacto: pactoRecord(raw),
          view: viewOfObjects(objects),
          contract,
          settings: { windowMs: WINDOW_MS, features: FEATURES },
          now: NOW,
        });
        statuses.add(judged.status.contractStatus);
        assert.ok(isStatus(judged.status.contractStatus));
        assert.deepEqual(JSON.parse(JSON.stringify(judged.status)), judged.status);
      },
    ),
    { numRuns: 1_000 },
  );
  assert.ok(statuses.has('Unknown') && statuses.has('Invalid') && statuses.has('Reference'));
});

function isStatus(word: unknown): word is ContractStatus {
  return CONTRACT_STATUSES.some((known) => known === word);
}
