// A server that asks its clients to leave a connection, which is from then on not pinged any more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, converged, eventually, SCOPE } from '../kube/rig.ts';
import type { ScriptedApiServer } from './scripted-api-server.ts';
import { watchingInFakeTime } from './watch-rig.ts';

const watches = (server: ScriptedApiServer): number =>
  server.seen.filter(({ query }) => query.get('watch') === 'true').length;

test('faults/2 a watch leaves a connection that the server asked to leave, without a LIST', async (t) => {
  const { server, running, clock } = await watchingInFakeTime(t);
  const left = server.seen.at(-1)?.clientPort;
  server.goAway();
  server.store.write(SCOPE, 'create', configMap('told-while-leaving'));
  await converged(running.informer, server);
  assert.equal(watches(server), 1, 'the watch goes on where it is');
  await eventually(() => clock.nextInMs !== undefined && clock.nextInMs <= 10_000, 'it is to leave soon');
  await clock.advance(10_000);
  await eventually(() => watches(server) === 2 && server.watching() === 1, 'watching elsewhere');
  assert.notEqual(server.seen.at(-1)?.clientPort, left);
  server.store.write(SCOPE, 'create', configMap('told-elsewhere'));
  await converged(running.informer, server);
  assert.equal(server.lists('configmaps'), 1);
});

test('faults/2 an answer that ended before it had to leave its connection hears nothing of it', async (t) => {
  const { server, running, clock } = await watchingInFakeTime(t);
  server.goAway();
  server.endWatches();
  await eventually(() => watches(server) === 2 && server.watching() === 1, 'watching elsewhere');
  await clock.advance(10_000);
  server.store.write(SCOPE, 'create', configMap('after'));
  await converged(running.informer, server);
  assert.equal(watches(server), 2, 'it stays there');
});

test('faults/2 a watch that ends while it is to leave its connection leaves no timer behind', async (t) => {
  const { server, running, clock } = await watchingInFakeTime(t);
  server.goAway();
  await eventually(() => clock.nextInMs !== undefined && clock.nextInMs <= 10_000, 'it is to leave soon');
  await running.stop();
  await eventually(() => clock.nextInMs === undefined, 'no timer is left');
});
