// Which Pactos a change of each kind wakes, which it does not, and that nothing is listed for it.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Informer } from '../../kube/informer.ts';
import {
  backedBy,
  lease,
  node,
  type NodeParts,
  pod,
  seen,
  type SeenPod,
} from '../evaluation/kernel-support.ts';
import { service, slice, workload } from '../evaluation/support.ts';
import { eventually } from '../kube/rig.ts';
import { cacheRig, type CacheRig, hastyRig, type RawObject } from './cache-rig.ts';
import { caughtUp } from './marks.ts';

type PactoParts = {
  readonly namespace?: string;
  readonly target?: RawObject;
  readonly status?: RawObject;
  readonly metadata?: RawObject;
};

function pacto(
  name: string,
  { namespace = 'default', target, status = {}, metadata }: PactoParts = {},
): RawObject {
  return {
    kind: 'Pacto',
    metadata: { namespace, name, ...metadata },
    spec: { contractRef: { inline: '' }, target: target ?? { serviceName: name } },
    status,
  };
}

const from = (repository: string, version = '1.0.0'): RawObject => ({
  contract: { serviceName: 'x', version, resolvedRef: `${repository}:${version}` },
});
const needs = (...repositories: readonly string[]): RawObject => ({
  dependencies: repositories.map((repository) => ({ name: 'd', ref: `oci://${repository}` })),
});

/** `a` has everything of its own; `b` shares nothing with it; `c` depends on what `a` provides; one more is called like `a`. */
const A = pacto('a', {
  target: {
    serviceName: 'a',
    workloadRef: { name: 'a-app', kind: 'Deployment' },
    configBindings: [
      { configuration: 'x', kind: 'ConfigMap', name: 'settings' },
      { configuration: 'y', kind: 'Secret', name: 'keys' },
    ],
  },
  status: from('r.test/a'),
});
const B = pacto('b');
const C = pacto('c', { target: { serviceName: 'c' }, status: needs('r.test/a') });
const PACTOS = [A, B, C, pacto('a', { namespace: 'shop' })];

/** A rig whose wakes are kept, each as `namespace/name cause`, and the way to ask which ones something brings. */
async function desk(
  t: TestContext,
  objects: readonly RawObject[] = [],
): Promise<{ readonly r: CacheRig; readonly wakes: (act: () => void) => Promise<readonly string[]> }> {
  const r = await cacheRig(t, { objects: [...PACTOS, ...objects] });
  let woken: string[] = [];
  t.after(r.cache.subscribe((key, cause) => woken.push(`${key} ${cause}`)));
  const wakes = async (act: () => void): Promise<readonly string[]> => {
    await caughtUp(r);
    woken = [];
    act();
    await caughtUp(r);
    return woken.filter((wake) => !wake.startsWith('marks/')).sort();
  };
  return { r, wakes };
}

const ingressTo = (...services: readonly string[]): RawObject => ({
  kind: 'Ingress',
  metadata: { namespace: 'default', name: 'web' },
  spec: { rules: services.map((name) => ({ http: { paths: [{ backend: { service: { name } } }] } })) },
});
const routeTo = (...services: readonly string[]): RawObject => ({
  kind: 'HTTPRoute',
  metadata: { namespace: 'edge', name: 'web' },
  spec: { rules: [{ backendRefs: services.map((name) => ({ name, namespace: 'default' })) }] },
});
const configMap = (name: string, more: RawObject = {}): RawObject => ({
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name },
  ...more,
});
const sliceOf = (name: string, ready = true): RawObject => slice([ready], { name: 'slice-1', service: name });
const [OTHER_A, OTHER_C] = ['default/a other', 'default/c other'];

/** [row, what, before, change, woken] */
const CHANGES: readonly (readonly [
  id: string,
  what: string,
  before: readonly RawObject[],
  change: (r: CacheRig) => void,
  woken: readonly string[],
])[] = [
  [
    '1',
    'a Service called like a target, and who depends on it',
    [],
    (r) => r.put(service({ name: 'a' })),
    [OTHER_A, OTHER_C],
  ],
  [
    '1',
    'the deletion of it',
    [service({ name: 'a' })],
    (r) => r.remove(service({ name: 'a' })),
    [OTHER_A, OTHER_C],
  ],
  [
    '2',
    'a Deployment called like a workload',
    [],
    (r) => r.put(workload('Deployment', { name: 'a-app' })),
    [OTHER_A],
  ],
  [
    '2',
    'a Job of that name: kinds are not compared',
    [],
    (r) => r.put(workload('Job', { name: 'a-app' })),
    [OTHER_A],
  ],
  [
    '3',
    'a name that is Service and workload',
    [],
    (r) => r.put(workload('StatefulSet', { name: 'b' })),
    ['default/b other'],
  ],
  [
    '4',
    'an unrelated name',
    [],
    (r) => r.put(service({ name: 'z' }), workload('CronJob', { name: 'z' })),
    [],
  ],
  ['5', 'the name in another namespace', [], (r) => r.put(service({ name: 'b', namespace: 'shop' })), []],
  [
    '6',
    'a Service that two have',
    [],
    (r) => r.put(pacto('b2', { target: { serviceName: 'b' } }), service({ name: 'b' })),
    ['default/b other', 'default/b2 other', 'default/b2 own'],
  ],
  ['174', 'a slice of a target, and who depends on it', [], (r) => r.put(sliceOf('a')), [OTHER_A, OTHER_C]],
  [
    '174',
    'a slice that moves from one Service to another',
    [sliceOf('a')],
    (r) => r.put(sliceOf('b')),
    [OTHER_A, 'default/b other', OTHER_C],
  ],
  ['174', 'a slice that goes', [sliceOf('b')], (r) => r.remove(sliceOf('b')), ['default/b other']],
  ['174', 'a slice of no Service', [], (r) => r.put(slice([true], { name: 'alone', service: '' })), []],
  ['174', 'a bound ConfigMap', [], (r) => r.put(configMap('settings')), [OTHER_A]],
  [
    '174',
    'its change, and its deletion',
    [configMap('settings')],
    (r) => {
      r.put(configMap('settings', { data: { x: '1' } }));
      r.remove(configMap('settings'));
    },
    [OTHER_A, OTHER_A],
  ],
  [
    '174',
    'a ConfigMap that nobody binds, or that is called like a bound Secret',
    [],
    (r) => r.put(configMap('other'), configMap('keys')),
    [],
  ],
  ['174', 'an Ingress to a target', [], (r) => r.put(ingressTo('a', 'a')), [OTHER_A]],
  [
    '174',
    'an Ingress that moves from one Service to another',
    [ingressTo('a')],
    (r) => r.put(ingressTo('b')),
    [OTHER_A, 'default/b other'],
  ],
  ['174', 'an Ingress that goes', [ingressTo('b')], (r) => r.remove(ingressTo('b')), ['default/b other']],
  ['174', 'an HTTPRoute of another namespace to a target', [], (r) => r.put(routeTo('a')), [OTHER_A]],
  [
    '174',
    'an HTTPRoute that moves from one Service to another',
    [routeTo('a')],
    (r) => r.put(routeTo('b')),
    [OTHER_A, 'default/b other'],
  ],
  ['174', 'an HTTPRoute that goes', [routeTo('b')], (r) => r.remove(routeTo('b')), ['default/b other']],
  ['174', "a provider's version", [], (r) => r.put({ ...A, status: from('r.test/a', '2.0.0') }), [OTHER_C]],
  [
    '174',
    'a provider whose contract comes from elsewhere: those of the old and of the new',
    [pacto('d', { status: needs('r.test/other') })],
    (r) => r.put({ ...A, status: from('r.test/other') }),
    [OTHER_C, 'default/d other'],
  ],
  ['174', 'a provider that goes', [], (r) => r.remove(A), ['default/a own', OTHER_C]],
  [
    '10',
    'a status that says the same of the contract',
    [],
    (r) => r.put({ ...A, status: { ...from('r.test/a'), contractStatus: 'Compliant' } }),
    [],
  ],
  [
    '11',
    'an annotation',
    [],
    (r) => r.put({ ...A, metadata: { ...meta(A), annotations: { nudge: '1' } } }),
    ['default/a own'],
  ],
  [
    '12',
    'labels',
    [],
    (r) => r.put({ ...A, metadata: { ...meta(A), labels: { x: '1' } } }),
    ['default/a own'],
  ],
  [
    '12',
    'a spec that aims at another Service: dependents hear of it too',
    [],
    (r) => r.put({ ...A, spec: { target: { serviceName: 'z' } } }),
    ['default/a own', OTHER_C],
  ],
  [
    '172',
    'a finalizer, an owner reference',
    [],
    (r) => {
      r.put({ ...A, metadata: { ...meta(A), finalizers: ['x'] } });
      r.put({ ...A, metadata: { ...meta(A), ownerReferences: [{ uid: 'u' }] } });
    },
    ['default/a own', 'default/a own'],
  ],
  [
    '172',
    'managedFields alone',
    [],
    (r) => r.put({ ...A, metadata: { ...meta(A), managedFields: [{ manager: 'x' }] } }),
    [],
  ],
  ['13', 'a Lease that is renewed', [lease(20)], (r) => r.put(lease(1)), []],
];

function meta(object: RawObject): RawObject {
  return object['metadata'] as RawObject;
}

for (const [id, what, before, change, woken] of CHANGES) {
  test(`controller/${id} ${what}`, async (t) => {
    const { r, wakes } = await desk(t, before);
    assert.deepEqual(await wakes(() => change(r)), [...woken].sort());
  });
}

test('controller/174 a Pod wakes those whose target it is, by slice or by owner, and nobody else', async (t) => {
  const { r, wakes } = await desk(t, [backedBy(['p-b'], { name: 'b-1', service: 'b' })]);
  const [deployment] = r.put(workload('Deployment', { name: 'a-app' }));
  const [set] = r.put(
    workload('ReplicaSet', {
      name: 'a-app-1',
      metadata: {
        ownerReferences: [
          { kind: 'Deployment', name: 'a-app', uid: uidOf(deployment), controller: true },
          { kind: 'Rollout', name: 'b', uid: 'u' },
        ],
      },
    }),
  );
  const owned = pod('p-a', {
    metadata: {
      ownerReferences: [{ kind: 'ReplicaSet', name: 'a-app-1', uid: uidOf(set), controller: true }],
    },
  });
  assert.deepEqual(await wakes(() => r.put(owned)), [OTHER_A]);
  assert.deepEqual(await wakes(() => r.remove(owned)), [OTHER_A]);
  assert.deepEqual(await wakes(() => r.put(pod('p-b'))), ['default/b other']);
  assert.deepEqual(await wakes(() => r.put(pod('stranger'))), []);
});

test('controller/174 a Pod of a StatefulSet, of a Job, and of the Job of a CronJob', async (t) => {
  const { r, wakes } = await desk(t, [
    pacto('batch', { target: { workloadRef: { name: 'nightly', kind: 'CronJob' } } }),
  ]);
  const ownerReferences = [{ kind: 'CronJob', name: 'nightly', controller: true }];
  r.put(workload('Job', { name: 'nightly-1', metadata: { ownerReferences } }));
  const ownedBy = (kind: string, name: string): RawObject =>
    pod('p', { metadata: { ownerReferences: [{ kind, name, controller: true }] } });
  assert.deepEqual(await wakes(() => r.put(ownedBy('StatefulSet', 'a-app'))), [OTHER_A]);
  // Both sides of the change: what it was, and what it is.
  assert.deepEqual(await wakes(() => r.put(ownedBy('Job', 'nightly-1'))), [OTHER_A, 'default/batch other']);
  assert.deepEqual(await wakes(() => r.put(ownedBy('Job', 'b'))), ['default/b other', 'default/batch other']);
});

test('controller/173 a node concerns Pactos with pods on it, by the pod, and none without', async (t) => {
  const { r, wakes } = await desk(t, [
    backedBy(['p-a'], { name: 'a-1', service: 'a' }),
    backedBy(['p-b'], { name: 'b-1', service: 'b' }),
    backedBy(['p-c'], { name: 'c-1', service: 'c' }),
  ]);
  const [a, b] = r.put(pod('p-a'), pod('p-b'), pod('p-c', { node: 'node-2' }));
  const observed = (ofA: SeenPod, parts: NodeParts = {}): RawObject =>
    node([seen(uidOf(a), ofA), seen(uidOf(b))], parts);
  const peer = (success: number, failure?: number): SeenPod => ({
    peers: [{ address: '10.0.0.1', success, ...(failure !== undefined && { failure }) }],
  });
  const listens: SeenPod = { listens: [['0.0.0.0', 8080]] };
  const both = [OTHER_A, 'default/b other'];
  assert.deepEqual(await wakes(() => r.put(observed(listens))), both, 'a node that is seen first');
  assert.deepEqual(await wakes(() => r.put(observed({}))), [OTHER_A], 'a listener that goes');
  assert.deepEqual(await wakes(() => r.put(observed(peer(20)))), [OTHER_A], 'a peer that comes');
  assert.deepEqual(
    await wakes(() => r.put(observed(peer(20, 10)))),
    [OTHER_A],
    'a peer that turns to failing',
  );
  assert.deepEqual(await wakes(() => r.put(observed(peer(20, 5)))), [], 'a newer time of the same');
  assert.deepEqual(await wakes(() => r.put(observed(peer(20, 5), { publishedAgo: 1 }))), [], 'a heartbeat');
  assert.deepEqual(await wakes(() => r.put(observed(peer(20, 5), { state: 'Degraded' }))), both, 'the state');
  assert.deepEqual(await wakes(() => r.remove(observed({}))), both, 'a node that goes');
  assert.deepEqual(
    await wakes(() => r.put(node([], { name: 'node-3' }))),
    [],
    'a node without pods of theirs',
  );
});

test('controller/7 while Pactos cannot be read a change wakes nobody', async (t) => {
  const r = await cacheRig(t, { objects: PACTOS, gaps: new Map([['Pacto', 'forbidden']]) });
  const woken: string[] = [];
  t.after(r.cache.subscribe((key) => woken.push(key)));
  r.put(service({ name: 'a' }), sliceOf('a'));
  await caughtUp(r, ['Pacto']);
  assert.deepEqual(woken, []);
});

test('a subscription begins with every Pacto, for its own sake', async (t) => {
  const r = await cacheRig(t, { objects: PACTOS });
  const woken: string[] = [];
  t.after(r.cache.subscribe((key, cause) => woken.push(`${key} ${cause}`)));
  assert.deepEqual(woken.sort(), ['default/a own', 'default/b own', 'default/c own', 'shop/a own']);
});

test('a kind that can be read again wakes all, since anything may have been concluded without it', async (t) => {
  const { r, again } = await hastyRig(t, { objects: PACTOS });
  const woken = new Set<string>();
  t.after(r.cache.subscribe((key, cause) => woken.add(`${key} ${cause}`)));
  woken.clear();
  const refusal = { kind: 'status', status: 403, reason: 'Forbidden' } as const;
  const allow = r.server.intercept(({ path }) => (path.endsWith('/services') ? refusal : undefined));
  r.server.endWatches('services');
  await eventually(() => r.cache.view.service('default', 'a').kind === 'unreadable', 'Services are refused');
  assert.deepEqual([...woken], []);
  allow();
  await eventually(() => {
    again();
    return woken.size === 4;
  }, 'all are woken');
  assert.deepEqual([...woken].sort(), [
    'default/a other',
    'default/b other',
    'default/c other',
    'shop/a other',
  ]);
});

test('controller/174 no event lists anything', async (t) => {
  const { r, wakes } = await desk(t);
  const lists = t.mock.method(Informer.prototype, 'list').mock;
  const served = r.server.seen.length;
  for (const [, , , change] of CHANGES) await wakes(() => change(r));
  await wakes(() => r.put(pod('p'), node([seen('p')])));
  assert.equal(lists.callCount(), 0);
  assert.equal(r.server.seen.length, served, 'the API server is asked nothing');
});

function uidOf(object: RawObject | undefined): string {
  return String(meta(object ?? {})['uid']);
}
