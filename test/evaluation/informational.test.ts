// The parts of a status that repeat the contract, and the picture of the targets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { informationalFields } from '../../evaluation/informational.ts';
import { snapshotRuntime } from '../../evaluation/runtime-snapshot.ts';
import { describeSchema } from '../../evaluation/schema-description.ts';
import { load } from '../contract/support.ts';
import { contractOf, NAMESPACE, service, viewOf, workload } from './support.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

test('controller/137 every field of a full contract', () => {
  const { contract } = load(`pactoVersion: "2.0"
service: { name: app, version: 1.0.0, owner: { dri: me, contacts: [{ type: chat, value: "#app" }] } }
interfaces: [{ name: api, type: openapi, ref: a.yaml, visibility: public }, { name: rpc, type: grpc, ref: b.proto }]
configurations: [{ name: cfg, required: true, schema: c.json, values: { PORT: 80, KEY: "secret://vault/k", db: { host: h } } }]
policies: [{ name: rules, schema: p.json }, { name: far, ref: ../rules }]
dependencies: [{ name: db, ref: ../db, required: true, compatibility: "^1" }]
capabilities: [{ type: health }, { type: extension, ref: a.b/c }]
metadata: { tier: 1, team: core, tags: [a, b] }
`);
  const policySchema = describeSchema({
    title: 'Rules',
    description: 'House rules',
    properties: { owner: { type: 'string', default: 'x' } },
  });
  const fields = informationalFields(contract, {
    resolvedRef: 'r.example.com/app:1.0.0',
    overriddenKeys: new Map([['cfg', ['PORT']]]),
    descriptions: { get: (path) => (path === 'p.json' ? policySchema : undefined) },
  });
  assert.deepEqual(fields, {
    contractVersion: '1.0.0',
    contract: {
      serviceName: 'app',
      version: '1.0.0',
      owner: { dri: 'me', contacts: [{ type: 'chat', value: '#app' }] },
      ownerDisplay: 'me',
      resolvedRef: 'r.example.com/app:1.0.0',
    },
    interfaces: [
      { name: 'api', type: 'openapi', ref: 'a.yaml', visibility: 'public' },
      { name: 'rpc', type: 'grpc', ref: 'b.proto' },
    ],
    capabilities: [{ type: 'health' }, { type: 'extension', ref: 'a.b/c' }],
    configurations: [
      {
        name: 'cfg',
        hasSchema: true,
        valueKeys: ['KEY', 'PORT', 'db'],
        secretKeys: ['KEY'],
        overriddenKeys: ['PORT'],
        properties: [
          { key: 'KEY', value: 'secret://vault/k', type: 'string' },
          { key: 'PORT', value: '80', type: 'integer' },
          { key: 'db.host', value: 'h', type: 'string' },
        ],
      },
    ],
    dependencies: [{ name: 'db', ref: '../db', required: true, compatibility: '^1' }],
    policies: [
      {
        name: 'rules',
        hasSchema: true,
        schema: 'p.json',
        title: 'Rules',
        description: 'House rules',
        properties: [{ key: 'owner', value: 'x', type: 'string' }],
      },
      { name: 'far', hasSchema: false, ref: '../rules' },
    ],
    metadata: { tier: '1', team: 'core', tags: '["a","b"]' },
  });
});

test('controller/138 without values the properties come from the schema', () => {
  const contract = contractOf('configurations: [{ name: cfg, required: true, schema: c.json, values: {} }]');
  const schema = describeSchema({
    properties: { b: { type: 'integer', default: 5 }, a: { properties: { c: { type: 'string' } } } },
  });
  const { configurations } = informationalFields(contract, { descriptions: { get: () => schema } });
  assert.deepEqual(configurations?.[0]?.properties, [
    { key: 'a.c', type: 'string' },
    { key: 'b', value: '5', type: 'integer' },
  ]);
});

test('controller/139 without a bundle there are no properties and no error', () => {
  const contract = contractOf('configurations: [{ name: cfg, required: true, schema: c.json }]');
  assert.deepEqual(informationalFields(contract).configurations, [{ name: 'cfg', hasSchema: true }]);
});

test('a minimal contract fills only what it has', () => {
  assert.deepEqual(informationalFields(contractOf('')), {
    contractVersion: '1.0.0',
    contract: { serviceName: 'app', version: '1.0.0' },
  });
});

test('controller/29 a missing workload is told, the Service is there', () => {
  const snapshot = snapshotRuntime(NAMESPACE, { serviceName: 'app' }, viewOf({ services: [service()] }));
  assert.deepEqual(snapshot, {
    resources: {
      service: { name: 'app', exists: true },
      workload: { name: 'app', kind: 'Deployment', exists: false },
    },
  });
});

test('controller/28 a workload that cannot be read makes every existence unknown', () => {
  const snapshot = snapshotRuntime(
    NAMESPACE,
    { serviceName: 'app' },
    viewOf({ services: [service()], unreadable: ['Deployment'] }),
  );
  assert.equal(snapshot.failure, 'Deployment is forbidden (403)');
  assert.deepEqual(
    [snapshot.resources?.service?.exists, snapshot.resources?.workload?.exists],
    [false, false],
  );
  assert.equal(snapshot.observedRuntime, undefined);
});

test('a workload-only target has no Service entry, and zero is written where it means something', () => {
  const view = viewOf({
    workloads: [
      workload('StatefulSet', {
        metadata: { generation: 4 },
        spec: {
          podManagementPolicy: 'Parallel',
          strategy: { type: 'RollingUpdate' },
          volumeClaimTemplates: [{ metadata: { name: 'data' } }],
        },
        pod: {
          terminationGracePeriodSeconds: 0,
          containers: [
            { image: 'r.example.com/app:1', readinessProbe: { tcpSocket: { port: 1 } } },
            { image: `r.example.com/side@${DIGEST}` },
          ],
        },
      }),
    ],
  });
  const snapshot = snapshotRuntime(NAMESPACE, { workloadRef: { name: 'app', kind: 'StatefulSet' } }, view);
  assert.deepEqual(snapshot, {
    resources: { workload: { name: 'app', kind: 'StatefulSet', exists: true } },
    observedRuntime: {
      workloadKind: 'StatefulSet',
      podManagementPolicy: 'Parallel',
      terminationGracePeriodSeconds: 0,
      workloadGeneration: 4,
      rolloutComplete: false,
      imageDigests: [{ image: `r.example.com/side@${DIGEST}`, digest: DIGEST }],
      containerImages: ['r.example.com/app:1', `r.example.com/side@${DIGEST}`],
      hasPVC: true,
      hasEmptyDir: false,
      healthProbeInitialDelaySeconds: 0,
    },
  });
});
