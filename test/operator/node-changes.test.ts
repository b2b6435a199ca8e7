// Which changes of a node's observation concern a verdict, row by row of the controller's table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeObservationView } from '../../evaluation/projections/node-observation.ts';
import { nodeChange } from '../../operator/cache/node-changes.ts';
import { node, type NodeParts, seen, type SeenPod } from '../evaluation/kernel-support.ts';

const view = (pod: SeenPod, parts: NodeParts = {}): ReturnType<typeof nodeObservationView> =>
  nodeObservationView(node([seen('p1', pod), seen('p2')], parts));
const change = (before: SeenPod, after: SeenPod, parts: NodeParts = {}): unknown =>
  nodeChange(view(before), view(after, parts));
const pods = (...uids: string[]): unknown => ({ kind: 'pods', uids: new Set(uids) });
const peer = (success?: number, failure?: number): SeenPod => ({
  peers: [
    {
      address: '10.0.0.1',
      ...(success !== undefined && { success }),
      ...(failure !== undefined && { failure }),
    },
  ],
});
const LISTENS: SeenPod = { listens: [['0.0.0.0', 8080]] };

test('controller/173 a listener that goes, or comes, concerns its pod', () => {
  assert.deepEqual(change(LISTENS, {}), pods('p1'));
  assert.deepEqual(change({}, LISTENS), pods('p1'));
});

test('controller/173 a peer that turns from succeeding to failing, or back', () => {
  assert.deepEqual(change(peer(20), peer(20, 10)), pods('p1'));
  assert.deepEqual(change(peer(20, 10), peer(5, 10)), pods('p1'));
  assert.deepEqual(change({}, peer(5)), pods('p1'));
});

test('controller/173 the collection state, or events that were lost, concern the whole node', () => {
  assert.deepEqual(change({}, {}, { state: 'Degraded', reason: 'ResyncFailed' }), { kind: 'node' });
  assert.deepEqual(change({}, {}, { dropAgo: 10 }), { kind: 'node' });
  assert.deepEqual(nodeChange(undefined, view({})), { kind: 'node' });
  assert.deepEqual(nodeChange(view({}), undefined), { kind: 'node' });
});

test('controller/173 newer times and counts of a peer concern nobody', () => {
  assert.deepEqual(change(peer(20), peer(5)), pods());
  assert.deepEqual(change(peer(20, 30), peer(5, 30)), pods());
});

test('controller/13 a heartbeat concerns nobody', () => {
  assert.deepEqual(change(peer(20), peer(20), { publishedAgo: 1 }), pods());
});

test('coverage of a pod concerns it', () => {
  assert.deepEqual(change({}, { more: { truncated: true } }), pods('p1'));
  assert.deepEqual(change({}, { baselineAgo: 5 }), pods('p1'));
});
