// Contracts from registries, on a real API server with a real registry and the real oras: verdicts, pull secrets, and that a
// registry which hangs holds up nobody else.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TestClient } from '../cluster/client.ts';
import { at, type KubeObject, listAt, textAt } from '../cluster/kube-object.ts';
import { createNamespace } from '../cluster/namespace.ts';
import { sharedCluster } from '../cluster/shared-cluster.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { packed } from '../contract/bundle-support.ts';
import { push, rig, type Rig } from '../contract/loader-support.ts';
import { type RegistryServer, startRegistry } from '../contract/registry-server.ts';
import { verdict } from '../demo/promotions.ts';
import { apply, contract, deployment, pacto, service } from '../demo/shop.ts';
import { startGateSystem } from '../helpers/gate-system.ts';
import type { Program } from '../helpers/program.ts';
import { ensureTool } from '../tools/build.ts';

const USER = 'ada';
const PASSWORD = 'correct-horse-battery';
const WRONG = 'wrong-horse-battery';
const SECRET_TEXTS = [
  ...[PASSWORD, WRONG],
  ...[PASSWORD, WRONG].map((word) => Buffer.from(word).toString('base64')),
  ...[PASSWORD, WRONG].map((word) => Buffer.from(`${USER}:${word}`).toString('base64')),
];

type Stage = {
  readonly admin: TestClient;
  readonly namespace: string;
  readonly operator: Program;
  /** Open to everybody. */
  readonly open: RegistryServer;
  /** Asks for user and password. */
  readonly guarded: RegistryServer;
  readonly client: Rig;
};

/** Two registries, and an operator that looks at one namespace and reaches both. */
async function stage(t: TestContext): Promise<Stage> {
  const cluster = await sharedCluster();
  const [open, guarded, oras] = await Promise.all([
    startRegistry(t),
    startRegistry(t, { user: USER, password: PASSWORD }),
    ensureTool('oras'),
  ]);
  const insecure = [open.host, guarded.host];
  const client = await rig(t, { insecure });
  const namespace = await createNamespace(t, cluster, 'oci');
  const system = await startGateSystem(cluster, {
    window: '60s',
    watchNamespace: namespace,
    governed: [namespace],
    name: `oci-${namespace}`,
    operatorFlags: ['--oras', oras, ...insecure.flatMap((host) => ['--insecure-registry', host])],
  });
  t.after(() => system.stop());
  return { admin: cluster.admin, namespace, operator: system.operator, open, guarded, client };
}

/** A Pacto of the shop with its contract in a registry. */
function fromRegistry(namespace: string, name: string, oci: string, pullSecretRef?: string): object {
  const plain = pacto(namespace, name, '') as { readonly spec: object };
  const contractRef = { oci, ...(pullSecretRef === undefined ? {} : { pullSecretRef }) };
  return { ...plain, spec: { ...plain.spec, contractRef } };
}

function basicSecret(namespace: string, name: string, host: string, password: string): object {
  const stringData = { registry: host, username: USER, password };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData };
}

function validity(object: KubeObject): string {
  const found = listAt(object, 'status', 'conditions').find((c) => at(c, 'type') === 'ContractValid');
  return `${String(at(found, 'status'))}/${String(at(found, 'reason'))}: ${String(at(found, 'message'))}`;
}

/** What the events of a namespace say, by the name of their Pacto; the last of several. */
async function eventsOf(admin: TestClient, namespace: string): Promise<ReadonlyMap<string, string>> {
  const { body } = await admin.list(`/api/v1/namespaces/${namespace}/events`);
  const ofPactos = body.items.filter((event) => at(event, 'involvedObject', 'kind') === 'Pacto');
  return new Map(
    ofPactos.map((event) => [
      textAt(event, 'involvedObject', 'name'),
      `${textAt(event, 'type')} ${textAt(event, 'reason')}: ${textAt(event, 'message')}`,
    ]),
  );
}

const files = (name: string): Readonly<Record<string, string>> => ({
  'interfaces/http.yaml': `openapi: 3.1.0\ninfo: { title: ${name}, version: 1.0.0 }\n`,
});

/** Pushes the shop's contract of `name`. */
async function publish(t: TestContext, { client }: Stage, text: string, version: string): Promise<string> {
  const name = text.split('/').at(-1)?.split(':')[0] ?? '';
  const bundle = await packed({ 'pacto.yaml': contract(name, version), ...files(name) });
  return push(t, client, text, bundle);
}

test('controller/oci a contract in a registry is judged like any other, by tag, digest and highest version', async (t) => {
  const s = await stage(t);
  const { admin, namespace, open } = s;
  const digest = await publish(t, s, `${open.host}/shop/api:1.2.0`, '1.2.0');
  const references = {
    api: [`oci://${open.host}/shop/api:1.2.0`, 'PinnedTag', `${open.host}/shop/api:1.2.0`],
    pinned: [`${open.host}/shop/api@${digest}`, 'PinnedDigest', `${open.host}/shop/api@${digest}`],
    latest: [`${open.host}/shop/api`, 'Latest', `${open.host}/shop/api:1.2.0`],
  } as const;
  for (const [name, [oci]] of Object.entries(references)) {
    const image = { name, image: 'registry.test/shop/api:1' };
    await apply(admin, deployment(namespace, image, 1), service(namespace, name));
    await apply(admin, fromRegistry(namespace, name, oci));
  }
  for (const [name, [, policy, resolved]] of Object.entries(references)) {
    const judged = await verdict(admin, namespace, name, 'Compliant');
    assert.match(validity(judged), /^True\/Parsed: Contract api v1\.2\.0 is valid$/);
    assert.equal(textAt(judged, 'status', 'resolutionPolicy'), policy);
    assert.equal(textAt(judged, 'status', 'contract', 'resolvedRef'), resolved);
    assert.equal(textAt(judged, 'status', 'contractVersion'), '1.2.0');
  }
});

test('controller/oci failures of registries read as they are meant, each in its class', async (t) => {
  const s = await stage(t);
  const { admin, namespace, open, guarded } = s;
  await publish(t, s, `${open.host}/shop/api:1.0.0`, '1.0.0');
  const bad = await packed({ 'pacto.yaml': contract('api', 'latest') });
  await push(t, s.client, `${open.host}/shop/bad:1.0.0`, bad);
  const absent = `sha256:${'0'.repeat(64)}`;
  const cases: readonly (readonly [name: string, oci: string, status: string, condition: RegExp])[] = [
    [
      'no-tag',
      `${open.host}/shop/api:9.9.9`,
      'Unknown',
      /^Unknown\/Unavailable: failed to pull ".*": artifact not found: /,
    ],
    [
      'no-digest',
      `${open.host}/shop/api@${absent}`,
      'Unknown',
      /^Unknown\/Unavailable: .*artifact not found: /,
    ],
    [
      'guarded',
      `${guarded.host}/shop/api:1.0.0`,
      'Unknown',
      /^Unknown\/Unavailable: .*authentication failed for /,
    ],
    [
      'no-host',
      '127.0.0.1:1/shop/api:1.0.0',
      'Unknown',
      /^Unknown\/Unavailable: .*registry unreachable for /,
    ],
    ['no-reference', `${open.host}/shop/api:bad tag`, 'Invalid', /^False\/Invalid: .*invalid OCI reference /],
    [
      'bad-contract',
      `${open.host}/shop/bad:1.0.0`,
      'Invalid',
      /^False\/Invalid: Contract validation failed: service\.version: /,
    ],
  ];
  for (const [name, oci] of cases) await apply(admin, fromRegistry(namespace, name, oci));
  const expected = new Map<string, string>();
  for (const [name, , status, condition] of cases) {
    const judged = await verdict(admin, namespace, name, status);
    const told = validity(judged);
    assert.match(told, condition);
    const reason = status === 'Invalid' ? 'ContractInvalid' : 'ContractUnavailable';
    expected.set(name, `Warning ${reason}: ${told.slice(told.indexOf(': ') + 2)}`);
    assert.equal(at(judged, 'status', 'contract'), undefined);
    assert.equal(at(judged, 'status', 'validation', 'valid'), status === 'Invalid' ? false : undefined);
  }
  const events = await waitUntil('an event of every Pacto', async () => {
    const told = await eventsOf(admin, namespace);
    return told.size >= cases.length && told;
  });
  assert.deepEqual(events, expected);
  // Bytes that are not those of the digest: the registry hands out another manifest.
  const digest = await publish(t, s, `${open.host}/shop/web:1.0.0`, '1.0.0');
  const body = '{"schemaVersion":2}';
  const header = {
    'content-type': 'application/vnd.oci.image.manifest.v1+json',
    'docker-content-digest': digest,
  };
  await open.faults({ path: `^/v2/shop/web/manifests/`, status: 200, body, header });
  await apply(admin, fromRegistry(namespace, 'forged', `${open.host}/shop/web@${digest}`));
  assert.match(validity(await verdict(admin, namespace, 'forged', 'Invalid')), /is not a valid Pacto bundle/);
});

test('controller/oci a pull secret opens a registry, its rotation and a new tag are picked up, and its text is nowhere', async (t) => {
  const s = await stage(t);
  const { admin, namespace, guarded, operator } = s;
  const source = {
    kind: 'credentials',
    credentials: { kind: 'basic', username: USER, password: PASSWORD },
  } as const;
  const publishGuarded = async (version: string): Promise<string> => {
    const bundle = await packed({ 'pacto.yaml': contract('api', version), ...files('api') });
    return push(t, s.client, `${guarded.host}/shop/api:${version}`, bundle, source);
  };
  await publishGuarded('1.0.0');
  const path = `/apis/pacto.trianalab.io/v1alpha1/namespaces/${namespace}/pactos/api`;
  await apply(admin, fromRegistry(namespace, 'api', `${guarded.host}/shop/api`, 'pull'));
  const missing = validity(await verdict(admin, namespace, 'api', 'Unknown'));
  assert.match(
    missing,
    /^Unknown\/Unavailable: failed to read pull secret "pull": secret "pull" not found: /,
  );
  assert.equal(at((await admin.get(path)).body, 'status', 'resolutionPolicy'), undefined);
  const nudged = async (what: string, until: (object: KubeObject) => boolean): Promise<KubeObject> => {
    const annotations = { nudge: what };
    assert.equal((await admin.mergePatch(path, { metadata: { annotations } })).code, 200);
    return waitUntil(what, async () => {
      const { body } = await admin.get(path);
      return until(body) && body;
    });
  };
  await apply(admin, basicSecret(namespace, 'pull', guarded.host, WRONG));
  await nudged('wrong password', (object) => validity(object).includes('authentication failed'));
  await apply(admin, basicSecret(namespace, 'pull', guarded.host, PASSWORD));
  await nudged('right password', (object) => validity(object).startsWith('True/Parsed'));
  await publishGuarded('1.1.0');
  const young = await nudged('new tag', (object) => at(object, 'status', 'contractVersion') === '1.1.0');
  assert.equal(textAt(young, 'status', 'contract', 'resolvedRef'), `${guarded.host}/shop/api:1.1.0`);
  await apply(admin, basicSecret(namespace, 'pull', 'registry.example.com', PASSWORD));
  await nudged('another registry', (object) => validity(object).includes('is scoped to registry'));
  const events = await admin.list(`/api/v1/namespaces/${namespace}/events`);
  const everything = [
    operator.text,
    JSON.stringify((await admin.get(path)).body),
    JSON.stringify(events.body),
  ];
  for (const text of everything) {
    for (const secret of SECRET_TEXTS) assert.ok(!text.includes(secret), 'a secret was written down');
  }
});

test('controller/oci a registry that hangs holds up neither the Pactos of others nor the stop', async (t) => {
  const s = await stage(t);
  const { admin, namespace, open, guarded, operator } = s;
  await publish(t, s, `${open.host}/shop/api:1.0.0`, '1.0.0');
  // No answer within the time limit of any request.
  await guarded.faults({ path: '^/v2/hang', delayMs: 600_000 });
  // More than there are children at a time.
  const hanging = Array.from({ length: 12 }, (_, i) => `hang-${i}`);
  await apply(
    admin,
    ...hanging.map((name) => fromRegistry(namespace, name, `${guarded.host}/hang/${name}:1.0.0`)),
  );
  await waitUntil('requests that hang', async () =>
    (await guarded.log()).some((line) => line.includes('/hang/')),
  );
  await apply(admin, pacto(namespace, 'inline', contract('inline', '1.0.0')));
  await apply(admin, fromRegistry(namespace, 'api', `${open.host}/shop/api:1.0.0`));
  for (const name of ['inline', 'api']) {
    assert.match(validity(await verdict(admin, namespace, name, 'Unknown')), /^True\/Parsed/);
  }
  // Not fetched yet, or given up on a machine that is slow; nothing else is ever said of them.
  for (const name of hanging) {
    const { body } = await admin.get(
      `/apis/pacto.trianalab.io/v1alpha1/namespaces/${namespace}/pactos/${name}`,
    );
    assert.ok([undefined, 'Unknown'].includes(at(body, 'status', 'contractStatus') as string | undefined));
  }
  assert.equal(await operator.stop(), 0);
});
