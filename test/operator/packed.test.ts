// What is packed comes out as it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { pack, unpack } from '../../operator/cache/packed.ts';

test('operator/packed a value of JSON comes out as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
      assert.deepEqual(unpack(pack(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('operator/packed an object larger than the API server takes comes out as it was', () => {
  const value = { text: Array.from({ length: 200_000 }, (_, i) => `${i} ünï ✓`).join(' ') };
  assert.deepEqual(unpack(pack(value)), value);
});

test('operator/packed a usual status takes less than a third', () => {
  const value = {
    uid: '0b6d2a0e-6c1f-4c59-8b0c-3b7f0e7f9a11',
    generation: 4,
    spec: {
      contractRef: { oci: 'oci://registry.example/shop/checkout:2.3.1' },
      target: { serviceName: 'checkout', workloadRef: { name: 'checkout', kind: 'Deployment' } },
    },
    status: {
      contractStatus: 'Compliant',
      contractStatusSince: '2026-11-02T08:15:00Z',
      contractVersion: '2.3.1',
      contract: {
        serviceName: 'checkout',
        version: '2.3.1',
        resolvedRef: 'registry.example/shop/checkout:2.3.1',
      },
      conditions: [
        {
          type: 'ContractValid',
          status: 'True',
          reason: 'Parsed',
          message: 'Contract checkout v2.3.1 is valid',
          lastTransitionTime: '2026-11-02T08:15:00Z',
          observedGeneration: 4,
        },
      ],
      resources: {
        service: { name: 'checkout', exists: true },
        workload: { name: 'checkout', exists: true },
      },
      summary: { errorCount: 0, warningCount: 0, infoCount: 0, unknownCount: 0 },
    },
  };
  const [packed, json] = [pack(value), JSON.stringify(value)];
  assert.ok(packed.length < json.length / 3, `${packed.length} of ${json.length}`);
});
