// Decoding our kinds: what the schema admits passes unchanged, what it forbids comes back with its place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../../api/schema/decode.ts';

const pacto = {
  apiVersion: 'pacto.trianalab.io/v1alpha1',
  kind: 'Pacto',
  metadata: { name: 'app', namespace: 'default' },
  spec: {
    contractRef: { inline: 'pactoVersion: "2.0"' },
    target: {
      serviceName: 'app',
      interfaceBindings: [
        { interface: 'api', servicePort: 8080 },
        { interface: 'admin', servicePort: 'admin' },
      ],
    },
  },
};

const policy = {
  apiVersion: 'gate.pacto.trianalab.io/v1alpha1',
  kind: 'PromotionPolicy',
  metadata: { name: 'gate' },
  spec: { targets: [{ kinds: ['Deployment'] }], rules: { maxAge: '10m', soak: '1h30m' } },
};

function problems(kind: Parameters<typeof decode>[0], value: unknown): readonly string[] {
  const decoded = decode(kind, value);
  return decoded.kind === 'valid' ? [] : decoded.problems.map(({ path, message }) => `${path} ${message}`);
}

test('a valid object comes back as the same value', () => {
  const decoded = decode('Pacto', pacto);
  assert.ok(decoded.kind === 'valid' && decoded.value === (pacto as unknown));
  assert.deepEqual(problems('PromotionPolicy', policy), []);
});

test('every problem is reported with a pointer', () => {
  const broken = {
    ...pacto,
    spec: { contractRef: {}, checkIntervalSeconds: 29, target: { workloadRef: { kind: 'Pod' } } },
  };
  const found = problems('Pacto', broken);
  assert.ok(found.includes('/spec/checkIntervalSeconds must be >= 30'));
  assert.ok(found.includes("/spec/target/workloadRef must have required property 'name'"));
  assert.ok(
    found.some((text) => text.startsWith('/spec/target/workloadRef/kind must be one of Deployment,')),
  );
});

test('durations that Go refuses are refused', () => {
  for (const maxAge of ['10', '10 m', '-5m', '1d', '', 'm']) {
    assert.equal(
      problems('PromotionPolicy', { ...policy, spec: { ...policy.spec, rules: { maxAge } } }).length,
      1,
      maxAge,
    );
  }
  for (const maxAge of ['0', '10m', '1.5h', '90s', '1h30m', '100ms', '.5s']) {
    assert.deepEqual(
      problems('PromotionPolicy', { ...policy, spec: { ...policy.spec, rules: { maxAge } } }),
      [],
      maxAge,
    );
  }
});

test('a policy without targets, and data that is no object, are refused', () => {
  assert.equal(problems('PromotionPolicy', { ...policy, spec: { targets: [] } }).length, 1);
  for (const value of [null, 1, 'text', [], {}]) assert.notEqual(problems('Pacto', value).length, 0);
});
