// Names other programs and stored objects depend on. A change here breaks clusters: add names, never alter them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as names from '../../api/names.ts';

test('every fixed name is what it has always been', () => {
  assert.deepEqual(
    { ...names },
    {
      PACTO_GROUP: 'pacto.trianalab.io',
      PACTO_VERSION: 'v1alpha1',
      PACTO_API_VERSION: 'pacto.trianalab.io/v1alpha1',
      GATE_GROUP: 'gate.pacto.trianalab.io',
      GATE_VERSION: 'v1alpha1',
      GATE_API_VERSION: 'gate.pacto.trianalab.io/v1alpha1',
      LABELS: {
        pacto: 'pacto.trianalab.io/pacto',
        version: 'pacto.trianalab.io/version',
        appName: 'app.kubernetes.io/name',
        component: 'app.kubernetes.io/component',
        managedBy: 'app.kubernetes.io/managed-by',
      },
      AGENT_LABELS: {
        'app.kubernetes.io/name': 'pacto-node-agent',
        'app.kubernetes.io/component': 'node-agent',
        'app.kubernetes.io/managed-by': 'pacto-operator',
      },
      ANNOTATIONS: {
        evidence: 'gate.pacto.trianalab.io/evidence',
        breakGlass: 'gate.pacto.trianalab.io/break-glass',
      },
      FIELD_MANAGERS: { operator: 'pacto-operator', gate: 'pacto-gate', agent: 'pacto-agent' },
      LEASES: { operator: 'a4917283.pacto.io', serve: 'pacto-gate-serve', webhook: 'pacto-gate-webhook' },
      METRIC_PREFIX: 'pacto_gate_',
      USER_AGENT: 'pacto-gate',
      EVENT_COMPONENT: 'pacto-controller',
      AGENT_NAMESPACE: 'pacto-node-agent',
    },
  );
});
