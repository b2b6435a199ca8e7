// The operator's view over its caches and the view over files: equal answers for equal objects, gaps included.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Lookup } from '../../api/lookup.ts';
import type { LabelSelector } from '../../api/meta.ts';
import { WORKLOAD_KINDS } from '../../api/pacto.ts';
import type { ClusterView } from '../../evaluation/view.ts';
import { viewWithGaps } from '../evaluation/view-with-gaps.ts';
import { movableTime } from '../kube/connect.ts';
import { cacheRig, type CacheRig, type Gap, resourceOf, TYPES } from './cache-rig.ts';
import { caughtUp } from './marks.ts';
import { ADDRESSES, anyObject, LABEL_KEYS, NAMES, NAMESPACES, REPOSITORIES, UIDS } from './random-objects.ts';

/** Kinds a cluster may do without: not served means none. */
const OPTIONAL: readonly string[] = ['HTTPRoute', 'ServiceMonitor', 'PodMonitor'];
const KINDS = [...TYPES.keys()];

const named = <T extends string>(words: readonly T[]): [string, T][] =>
  NAMESPACES.flatMap((namespace) => words.map((word): [string, T] => [namespace, word]));
const own = (key: string, value: string): Readonly<Record<string, string>> =>
  Object.fromEntries([[key, value]]);
const SELECTORS: readonly LabelSelector[] = [
  {},
  { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
  { matchExpressions: [{ key: '__proto__', operator: 'NotIn', values: ['a'] }] },
  ...LABEL_KEYS.flatMap((key) => NAMES.map((value) => ({ matchLabels: own(key, value) }))),
  { matchLabels: { app: 'a', constructor: 'b' } },
];
const MAYBE_NAMES = [...NAMES, '', 'nobody'];

/** Every look-up there is, with what it is asked for. */
const QUESTIONS: { readonly [Look in keyof ClusterView]: readonly Parameters<ClusterView[Look]>[] } = {
  service: named(MAYBE_NAMES),
  endpointSlices: named(MAYBE_NAMES),
  workload: WORKLOAD_KINDS.flatMap((kind) =>
    named(NAMES).map(([namespace, name]): Parameters<ClusterView['workload']> => [kind, namespace, name]),
  ),
  pactosOfRepository: [...REPOSITORIES, '', 'r.example.com'].map((repository) => [repository]),
  pactosNamed: MAYBE_NAMES.map((name) => [name]),
  pactosOn: named(MAYBE_NAMES),
  ingressesTo: named(MAYBE_NAMES),
  httpRoutesTo: named(MAYBE_NAMES),
  monitors: (['ServiceMonitor', 'PodMonitor'] as const).flatMap((kind) =>
    NAMESPACES.map((namespace): Parameters<ClusterView['monitors']> => [kind, namespace]),
  ),
  pod: named(MAYBE_NAMES),
  podsMatching: NAMESPACES.flatMap((namespace) =>
    SELECTORS.map((selector): Parameters<ClusterView['podsMatching']> => [namespace, selector]),
  ),
  jobsOwnedBy: named([...UIDS, '']),
  servicesAt: [...ADDRESSES, 'None', ''].map((address) => [address]),
  endpointSlicesAt: [...ADDRESSES, 'None', ''].map((address) => [address]),
  nodeObservation: MAYBE_NAMES.map((name) => [name]),
  lease: MAYBE_NAMES.map((name) => [name]),
};

/** All answers of a view, by question; of an unreadable kind only that it is. */
function answers(view: ClusterView): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(QUESTIONS).flatMap(([look, asked]) =>
      asked.map((words): [string, unknown] => {
        const ask = view[look as keyof ClusterView] as (...args: unknown[]) => Lookup<unknown>;
        return [`${look} ${JSON.stringify(words)}`, comparable(ask(...words))];
      }),
    ),
  );
}

function comparable(answer: Lookup<unknown>): unknown {
  if (answer.kind === 'absent') return answer;
  if (answer.kind === 'unreadable') {
    assert.notEqual(answer.reason, '');
    return { kind: 'unreadable' };
  }
  const { value } = answer;
  return { kind: 'found', value: Array.isArray(value) ? value.map(asSeen) : asSeen(value) };
}

/** What evaluation sees of an object: the owner of a pod is kept for waking Pactos alone. */
function asSeen(value: unknown): unknown {
  const { owner: _owner, ...rest } = value as Readonly<Record<string, unknown>>;
  return rest;
}

/** Compares both views over what the server holds now. */
function assertEqual({ cache, stored }: CacheRig, gaps: ReadonlyMap<string, Gap | 'stale'>): void {
  const isNone = (kind: string): boolean => OPTIONAL.includes(kind) && gaps.get(kind) === 'notServed';
  // What was read from files has been text too.
  const objects = JSON.parse(JSON.stringify(stored())) as readonly { readonly kind: string }[];
  const shown = objects.filter(({ kind }) => !isNone(kind));
  const unreadable = [...gaps.keys()].filter((kind) => !isNone(kind));
  assert.deepEqual(answers(cache.view), answers(viewWithGaps(shown, unreadable)));
}

const objects = fc.array(anyObject, { minLength: 10, maxLength: 60 });
const gapsOf = (...words: readonly Gap[]): fc.Arbitrary<ReadonlyMap<string, Gap>> =>
  fc
    .tuple(fc.subarray(KINDS, { maxLength: 4 }), fc.array(fc.constantFrom(...words), { minLength: 4 }))
    .map(([kinds, how]) => new Map(kinds.map((kind, i) => [kind, how[i] ?? 'forbidden'])));

test('evaluation/views equal objects give equal answers, read at once and then followed change by change', async (t) => {
  await fc.assert(
    fc.asyncProperty(objects, objects, fc.nat(20), async (first, second, gone) => {
      const r = await cacheRig(t, { objects: first });
      assertEqual(r, new Map());
      r.put(...second);
      for (const object of first.slice(0, gone)) r.remove(object);
      await caughtUp(r);
      assertEqual(r, new Map());
      await r.stop();
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

test('evaluation/views what the API server refuses or does not serve is unreadable in every look-up of it', async (t) => {
  await fc.assert(
    fc.asyncProperty(objects, gapsOf('forbidden', 'notServed'), async (held, gaps) => {
      const r = await cacheRig(t, { objects: held, gaps });
      assertEqual(r, gaps);
      await r.stop();
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

test('evaluation/views what was not confirmed for too long is unreadable, kind by kind', async (t) => {
  await fc.assert(
    fc.asyncProperty(objects, fc.subarray(KINDS, { minLength: 1 }), async (held, stale) => {
      const { fake, clock } = movableTime();
      const r = await cacheRig(t, { objects: held, clock });
      fake.advanceSync(90_001);
      assertEqual(r, new Map(KINDS.map((kind) => [kind, 'stale'])));
      const fresh = KINDS.filter((kind) => !stale.includes(kind));
      for (const kind of fresh) r.server.bookmark(resourceOf(kind));
      await caughtUp(r, stale);
      assertEqual(r, new Map(stale.map((kind) => [kind, 'stale'])));
      await r.stop();
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test('evaluation/views kinds that are not watched are unreadable', async (t) => {
  const r = await cacheRig(t, { objects: fc.sample(objects, 1).flat(), watched: {} });
  const off = ['ServiceMonitor', 'PodMonitor', 'Pod', 'NodeRuntimeObservation', 'Lease'];
  assertEqual(r, new Map(off.map((kind) => [kind, 'stale'])));
});
