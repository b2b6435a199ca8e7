// The CRDs on a real API server: every field survives, what the schemas forbid is refused.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { CUSTOM_RESOURCES, type CustomResource } from '../../api/schema/custom-resources.ts';
import { textAt } from '../cluster/kube-object.ts';
import { createNamespace } from '../cluster/namespace.ts';
import { sharedCluster } from '../cluster/shared-cluster.ts';

type Schema = {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
};

/** A value of `schema` with every property there is. */
function sample(schema: Schema, name = ''): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      if (schema.properties === undefined)
        return { 'any-key': sample(schema.additionalProperties ?? { type: 'string' }) };
      return Object.fromEntries(
        Object.entries(schema.properties).map(([key, child]) => [key, sample(child, key)]),
      );
    case 'array':
      return [sample(schema.items ?? {}, name)];
    case 'boolean':
      return true;
    case 'integer':
      return Math.max(schema.minimum ?? 1, 1);
    case 'string':
      return sampleText(schema, name);
    default:
      // The one union there is: a port by number or by name.
      return 8080;
  }
}

function sampleText({ format, pattern, minLength }: Schema, name: string): string {
  if (format === 'date-time') return name === 'until' ? '2027-01-01T00:00:00Z' : '2026-12-24T00:00:00Z';
  if (name === 'maxAge' || name === 'soak') return '10m';
  if (name === 'uid') return '0'.repeat(32);
  assert.ok(
    pattern === undefined || name === 'type' || name === 'reason',
    `no sample for ${name} ${pattern}`,
  );
  return 'a'.repeat(Math.max(minLength ?? 1, 1));
}

/** Fields of which only one may be set: the sample keeps the first. */
function exclusive(resource: CustomResource, spec: unknown): unknown {
  if (resource.kind !== 'EvidenceGrant') return spec;
  const grant = spec as { from: { namespaceSelector?: unknown }[] };
  return { ...grant, from: grant.from.map(({ namespaceSelector: _dropped, ...rest }) => rest) };
}

function collection({ group, version, plural, scope }: CustomResource, namespace: string): string {
  return `/apis/${group}/${version}${scope === 'Namespaced' ? `/namespaces/${namespace}` : ''}/${plural}`;
}

function envelope({ group, version, kind }: CustomResource, name: string): Record<string, unknown> {
  return { apiVersion: `${group}/${version}`, kind, metadata: { name } };
}

function resourceOf(kind: string): CustomResource {
  const found = CUSTOM_RESOURCES.find((resource) => resource.kind === kind);
  assert.ok(found !== undefined);
  return found;
}

/** `code message` of a creation that stores nothing. */
async function attempt(kind: string, spec: unknown): Promise<string> {
  const { admin } = await sharedCluster();
  const resource = resourceOf(kind);
  const object = { ...envelope(resource, 'attempt'), spec };
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  const { code, body } = await admin.create(collection(resource, 'default'), object, query);
  return `${code} ${textAt(body, 'message')}`;
}

/** A stored Pacto that is gone after the test; returns its path. */
async function storedPacto(t: TestContext): Promise<string> {
  const cluster = await sharedCluster();
  const resource = resourceOf('Pacto');
  const pactos = collection(resource, await createNamespace(t, cluster, 'crds'));
  const { code } = await cluster.admin.create(pactos, { ...envelope(resource, 'stored'), spec: PACTO });
  assert.equal(code, 201);
  return `${pactos}/stored`;
}

for (const resource of CUSTOM_RESOURCES) {
  test(`every field of ${resource.kind} survives the API server`, async (t) => {
    const cluster = await sharedCluster();
    const objects = collection(resource, await createNamespace(t, cluster, 'crds'));
    // The selectors of the sample match no namespace, so that a policy for the whole cluster governs nobody.
    const name = `full-${randomBytes(4).toString('hex')}`;
    const path = `${objects}/${name}`;
    const spec = exclusive(resource, sample(resource.spec));
    const status = resource.status === undefined ? undefined : sample(resource.status);
    const written = { ...envelope(resource, name), spec, ...(status !== undefined && { status }) };
    const strict = { fieldValidation: 'Strict' };
    const created = await cluster.admin.create(objects, written, strict);
    assert.equal(created.code, 201, JSON.stringify(created.body));
    t.after(async () => {
      await cluster.admin.delete(path);
    });
    if (resource.statusSubresource) {
      const { metadata } = created.body;
      const updated = await cluster.admin.replace(`${path}/status`, { ...written, metadata }, strict);
      assert.equal(updated.code, 200, JSON.stringify(updated.body));
    }
    const { body } = await cluster.admin.get(path);
    assert.deepEqual({ spec: body['spec'], status: body['status'] }, { spec, status });
  });
}

const PACTO = { contractRef: { inline: 'x' } };
const POLICY = { targets: [{ kinds: ['Deployment'] }] };

test('controller/16 a check interval of 29 seconds is refused', async () => {
  assert.match(
    await attempt('Pacto', { ...PACTO, checkIntervalSeconds: 29 }),
    /^422 .*greater than or equal to 30/,
  );
  assert.match(await attempt('Pacto', { ...PACTO, checkIntervalSeconds: 30 }), /^201/);
});

test('an absent interval becomes 300 seconds, an absent workload kind stays absent', async () => {
  const { admin } = await sharedCluster();
  const resource = resourceOf('Pacto');
  const spec = { ...PACTO, target: { workloadRef: { name: 'app' } } };
  const object = { ...envelope(resource, 'attempt'), spec };
  const { body } = await admin.create(collection(resource, 'default'), object, { dryRun: 'All' });
  assert.deepEqual(body['spec'], { ...spec, checkIntervalSeconds: 300 });
});

const REFUSED: readonly (readonly [what: string, kind: string, spec: unknown, message: RegExp])[] = [
  ['a Pacto without a contract reference', 'Pacto', {}, /contractRef: Required/],
  [
    'a workload of another kind',
    'Pacto',
    { ...PACTO, target: { workloadRef: { name: 'a', kind: 'DaemonSet' } } },
    /Unsupported value/,
  ],
  [
    'an override without values',
    'Pacto',
    { ...PACTO, overrides: { configurations: [{ name: 'a', values: {} }] } },
    /minProperties|at least 1/,
  ],
  [
    'a port that is neither number nor text',
    'Pacto',
    { ...PACTO, target: { interfaceBindings: [{ interface: 'a', servicePort: true }] } },
    /servicePort/,
  ],
  ['a revision without a version', 'PactoRevision', { source: {}, pactoRef: 'a', version: '' }, /version/],
  ['a policy without targets', 'PromotionPolicy', { targets: [] }, /at least 1 items/],
  ['a policy for an unknown kind', 'PromotionPolicy', { targets: [{ kinds: ['Pod'] }] }, /Unsupported value/],
  [
    'a freeze that ends before it begins',
    'PromotionPolicy',
    { ...POLICY, freezes: [{ from: '2026-12-27T00:00:00Z', until: '2026-12-24T00:00:00Z', reason: 'r' }] },
    /from must be before until/,
  ],
  ['a duration that is none', 'PromotionPolicy', { ...POLICY, rules: { maxAge: '10 minutes' } }, /maxAge/],
  ['a negative soak', 'PromotionPolicy', { ...POLICY, rules: { soak: '-5m' } }, /soak/],
  [
    'more than all coverage',
    'PromotionPolicy',
    { ...POLICY, rules: { minCoverage: 101 } },
    /less than or equal to 100/,
  ],
  [
    'a requirement that can never hold',
    'ClusterPromotionPolicy',
    { ...POLICY, namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
    /at least one value/,
  ],
  ['a grant to nobody', 'EvidenceGrant', { from: [] }, /at least 1 items/],
  [
    'a grant with two ways to name namespaces',
    'EvidenceGrant',
    { from: [{ kind: 'PromotionPolicy', namespace: 'a', namespaceSelector: {} }] },
    /exactly one of/,
  ],
  ['a grant without namespaces', 'EvidenceGrant', { from: [{ kind: 'PromotionPolicy' }] }, /exactly one of/],
  ['an observation without a node', 'NodeRuntimeObservation', { nodeName: '' }, /nodeName/],
];

for (const [what, kind, spec, message] of REFUSED) {
  test(`the API server refuses ${what}`, async () => {
    const answer = await attempt(kind, spec);
    assert.match(answer, /^422 /);
    assert.match(answer, message);
  });
}

test('a window of zero, a period of grace of zero and other zeros are stored', async (t) => {
  const { admin } = await sharedCluster();
  const status = {
    stabilizationWindowSeconds: 0,
    observedRuntime: {
      hasPVC: false,
      hasEmptyDir: false,
      terminationGracePeriodSeconds: 0,
      healthProbeInitialDelaySeconds: 0,
    },
  };
  const { body } = await admin.mergePatch(`${await storedPacto(t)}/status`, { status });
  assert.deepEqual(body['status'], status);
});

test('a list of conditions with one type twice is refused', async (t) => {
  const { admin } = await sharedCluster();
  const condition = {
    type: 'ContractValid',
    status: 'True',
    reason: 'Parsed',
    message: '',
    lastTransitionTime: '2026-11-30T10:00:00Z',
  };
  const status = { conditions: [condition, condition] };
  const { code } = await admin.mergePatch(`${await storedPacto(t)}/status`, { status });
  assert.equal(code, 422);
});
