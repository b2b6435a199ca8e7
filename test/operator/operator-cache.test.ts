// What the operator remembers of Pactos: the whole of each, its own last write included until the watch brings it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pactoRecord } from '../../operator/cache/pacto-record.ts';
import { openPacto, storePacto } from '../../operator/cache/stored-pacto.ts';
import { eventually } from '../kube/rig.ts';
import { cacheRig, type CacheRig, type RawObject } from './cache-rig.ts';

const PACTO: RawObject = {
  kind: 'Pacto',
  metadata: { namespace: 'default', name: 'orders', generation: 3, labels: { a: 'b' } },
  spec: {
    contractRef: { inline: 'größe: "1"\n' },
    target: {
      serviceName: 'orders',
      configBindings: [{ configuration: 'x', kind: 'ConfigMap', name: 'settings' }],
    },
  },
  status: {
    contractStatus: 'Compliant',
    dependencies: [{ name: 'd', ref: 'oci://r.test/d' }],
    more: { un: 'known' },
  },
};

test('operator/cache a Pacto is remembered whole', () => {
  assert.deepEqual(openPacto(storePacto(PACTO)), pactoRecord(PACTO));
  assert.deepEqual(openPacto(storePacto(PACTO)).status, PACTO['status']);
});

const held = ({ cache }: CacheRig) => {
  const found = cache.pacto('default/orders');
  assert.ok(found.kind === 'found');
  return found.value;
};

test('operator/cache a write counts until the watch has brought it, and not after', async (t) => {
  const r = await cacheRig(t, { objects: [PACTO] });
  const before = held(r);
  const written = {
    ...PACTO,
    metadata: { namespace: 'default', name: 'orders', resourceVersion: '9' },
    status: { contractStatus: 'Unknown' },
  };
  r.cache.wrote(before, written);
  assert.equal(held(r).status.contractStatus, 'Unknown');
  r.put({ ...PACTO, status: { contractStatus: 'Warning' } });
  await eventually(() => held(r).status.contractStatus === 'Warning', 'the watch brings the next one');
  r.cache.wrote(before, written);
  assert.equal(held(r).status.contractStatus, 'Warning', 'the watch was faster');
  r.remove(PACTO);
  await eventually(() => r.cache.pacto('default/orders').kind === 'absent', 'it is gone');
  r.cache.wrote(before, written);
  assert.equal(r.cache.pacto('default/orders').kind, 'absent');
});

test('operator/cache the last of several writes counts while the watch is behind all of them', async (t) => {
  const r = await cacheRig(t, { objects: [PACTO] });
  const version = (resourceVersion: string, contractStatus: string): RawObject => ({
    ...PACTO,
    metadata: { namespace: 'default', name: 'orders', resourceVersion },
    status: { contractStatus },
  });
  r.cache.wrote(held(r), version('8', 'Unknown'));
  r.cache.wrote(held(r), version('9', 'Compliant'));
  assert.deepEqual([held(r).resourceVersion, held(r).status.contractStatus], ['9', 'Compliant']);
  r.put({ ...PACTO, status: { contractStatus: 'Warning' } });
  await eventually(() => held(r).status.contractStatus === 'Warning', 'the watch brings something newer');
});
