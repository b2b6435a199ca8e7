// Kinds that a cluster may lack or serve in an older version: read where they are, absent where the API server says so, and
// unreadable in every other case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lookup } from '../../api/lookup.ts';
import type { ResourceType } from '../../kube/resource.ts';
import { HTTP_ROUTES, MONITORS } from '../../operator/resources.ts';
import type { Fault } from '../faults/scripted-api-server.ts';
import { movableTime } from '../kube/connect.ts';
import { eventually } from '../kube/rig.ts';
import {
  cacheRig,
  type CacheRig,
  type CacheRigOptions,
  hastyRig,
  type RawObject,
  TYPES,
} from './cache-rig.ts';

const [V1, V1BETA1] = HTTP_ROUTES;
const V1ALPHA2: ResourceType = { ...V1, version: 'v1alpha2' };
const GATEWAYS: ResourceType = { ...V1, kind: 'Gateway', plural: 'gateways' };
const ROUTE: RawObject = {
  kind: 'HTTPRoute',
  metadata: { namespace: 'edge', name: 'web' },
  spec: { rules: [{ backendRefs: [{ name: 'a', namespace: 'default' }] }] },
};
const OTHERS = [...TYPES.values()].filter(({ kind }) => kind !== 'HTTPRoute');

const routes = ({ cache }: CacheRig): Lookup<readonly unknown[]> => cache.view.httpRoutesTo('default', 'a');
const found = (r: CacheRig): string => {
  const answer = routes(r);
  return answer.kind === 'found' ? `${answer.value.length} routes` : answer.kind;
};
const asked = ({ server }: CacheRig): readonly string[] => [
  ...new Set(server.seen.map(({ path }) => path).filter((path) => path.endsWith('/httproutes'))),
];

/** [what the server serves of the group, what it answers, where it was asked] */
const SERVED: readonly (readonly [
  what: string,
  types: readonly ResourceType[],
  answer: string,
  paths: readonly string[],
])[] = [
  ['v1', [V1], '1 routes', ['v1']],
  ['v1 and v1beta1', [V1BETA1, V1], '1 routes', ['v1']],
  ['v1beta1 alone', [V1BETA1], '1 routes', ['v1beta1']],
  ['v1 of other kinds, and v1beta1', [GATEWAYS, V1BETA1], '1 routes', ['v1beta1']],
  ['a version that is not understood', [V1ALPHA2], 'unreadable', []],
  ['other kinds of the group', [GATEWAYS], '0 routes', []],
  ['nothing of the group', [], '0 routes', []],
];

for (const [what, types, answer, paths] of SERVED) {
  test(`operator/optional a cluster that serves ${what}`, async (t) => {
    const r = await cacheRig(t, { objects: [ROUTE], discovered: [...OTHERS, ...types] });
    assert.equal(found(r), answer);
    assert.deepEqual(
      asked(r),
      paths.map((version) => `/apis/gateway.networking.k8s.io/${version}/httproutes`),
    );
  });
}

const REFUSED: Fault = { kind: 'status', status: 403, reason: 'Forbidden' };
const PROXY_PAGE: Fault = { kind: 'bytes', bytes: '{"message":"no such page"}', end: 'whole' };

test('operator/optional a server that does not say what it serves is not one without routes', async (t) => {
  const r = await cacheRig(t, {
    objects: [ROUTE],
    before: (server) => server.intercept(({ path }) => (path === '/apis' ? REFUSED : undefined)),
  });
  const answer = routes(r);
  assert.deepEqual(
    [answer.kind, answer.kind === 'unreadable' ? answer.reason : ''],
    ['unreadable', 'which versions of HTTPRoute.gateway.networking.k8s.io are served is not told (403)'],
  );
});

test('operator/optional the page of something in between is no word of the API server', async (t) => {
  const before: CacheRigOptions['before'] = (server) =>
    server.interceptNext(1, ({ path }) => (path === '/apis' ? PROXY_PAGE : undefined));
  const r = await cacheRig(t, { objects: [ROUTE], before, settles: 'later' });
  await eventually(() => r.server.seen.some(({ path }) => path === '/apis'), 'the server is asked');
  assert.equal(found(r), 'unreadable');
  await eventually(() => {
    assert.notEqual(found(r), '0 routes', 'nobody has said so');
    return found(r) === '1 routes';
  }, 'it is asked again');
});

test('operator/optional a kind that comes, and one that goes from one version to another, is found again', async (t) => {
  const { r, again } = await hastyRig(t, { objects: [ROUTE], discovered: OTHERS });
  assert.equal(found(r), '0 routes');
  const woken = new Set<string>();
  r.put({ kind: 'Pacto', metadata: { namespace: 'default', name: 'p' }, spec: {} });
  await eventually(() => r.cache.pacto('default/p').kind === 'found', 'the Pacto is read');
  t.after(r.cache.subscribe((key) => woken.add(key)));
  woken.clear();
  r.discover([...OTHERS, V1BETA1]);
  again();
  await eventually(() => found(r) === '1 routes', 'v1beta1 is watched');
  await eventually(() => woken.has('default/p'), 'what was concluded without is looked at again');

  r.discover([...OTHERS, V1]);
  const gone: Fault = {
    kind: 'status',
    status: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  };
  r.server.intercept(({ path }) => (path.includes('/v1beta1/') ? gone : undefined));
  r.server.endWatches('httproutes.gateway.networking.k8s.io');
  await eventually(() => found(r) === 'unreadable', 'the old version is gone');
  await eventually(() => {
    again();
    return found(r) === '1 routes';
  }, 'v1 is watched');
  r.put({ ...ROUTE, metadata: { namespace: 'edge', name: 'second' } });
  await eventually(() => found(r) === '2 routes', 'and followed');
});

test('operator/optional that there is none holds only as long as it is confirmed', async (t) => {
  const { fake, clock } = movableTime();
  const { r, again } = await hastyRig(t, { discovered: OTHERS, clock });
  assert.equal(found(r), '0 routes');
  fake.advanceSync(90_001);
  assert.equal(found(r), 'unreadable');
  again();
  await eventually(() => found(r) === '0 routes', 'the server has said it again');
});

test('operator/optional monitors without their kind are none, and refused ones are unreadable', async (t) => {
  const types = [...TYPES.values()].filter(({ group }) => group !== MONITORS.PodMonitor.group);
  const without = await cacheRig(t, { discovered: types });
  assert.deepEqual(without.cache.view.monitors('PodMonitor', 'default'), { kind: 'found', value: [] });
  const refused = await cacheRig(t, { gaps: new Map([['PodMonitor', 'forbidden']]) });
  assert.equal(refused.cache.view.monitors('PodMonitor', 'default').kind, 'unreadable');
  assert.equal(refused.cache.view.monitors('ServiceMonitor', 'default').kind, 'found');
});

test('operator/optional what the server says is there and does not serve is unreadable', async (t) => {
  const r = await cacheRig(t, { gaps: new Map([['HTTPRoute', 'notServed']]), discovered: [...OTHERS, V1] });
  const answer = routes(r);
  assert.equal(
    answer.kind === 'unreadable' ? answer.reason : answer.kind,
    'HTTPRoute.gateway.networking.k8s.io is said to be served in v1 and is not',
  );
});
