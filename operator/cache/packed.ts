// Values of JSON in a fifth to a third of the memory, for what is held for long and seldom read.
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * What Pactos have in common, which their packed form only refers to. Of no other importance: what is packed is unpacked by the
 * same process. The most frequent last, where references to it are shortest.
 */
const COMMON = JSON.stringify({
  malformed: '',
  findings: [
    {
      code: 'INTERFACE_PORT_MISMATCH',
      severity: 'warning',
      subject: '',
      message: '',
      evidenceRefs: [{ kind: 'EndpointSlice', namespace: 'default', name: '', field: 'spec.' }],
    },
  ],
  observationWindows: [
    { kind: '', subject: '', firstObservedNegativeAt: '2026-01-01T00:00:00Z', windowSeconds: 120 },
  ],
  capabilities: [{ type: 'health', binding: { type: 'http', interface: 'http', path: '/healthz' } }],
  configurations: [{ name: '', bound: true, schema: 'config/schema.json' }],
  uid: '-4',
  generation: 1,
  spec: {
    contractRef: {
      inline:
        'pactoVersion: "2.0"\nservice:\n  name: \n  version: 1.0.0\n  owner:\n    team: \ninterfaces:\n  - name: \n    type: openapi\n    ref: interfaces/http.yaml\n',
      oci: 'oci://',
    },
    target: {
      serviceName: '',
      workloadRef: { name: '', kind: 'StatefulSet' },
      interfaceBindings: [{ interface: 'http', servicePort: 'http' }],
      configBindings: [{ configuration: '', kind: 'ConfigMap', name: '', key: '' }],
    },
  },
  status: {
    contractStatus: 'NonCompliant',
    contractStatusSince: '2026-01-01T00:00:00Z',
    contractVersion: '1.0.0',
    currentRevision: '',
    contract: { serviceName: '', version: '1.0.0', resolvedRef: '', owner: { team: '' } },
    conditions: ['ContractValid', 'RuntimeObserved', 'Compliant'].map((type) => ({
      type,
      status: 'True',
      reason: 'Parsed',
      message: 'Contract v1.0.0 is valid',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      observedGeneration: 1,
    })),
    interfaces: [{ name: 'http', type: 'openapi', visibility: 'internal', ref: 'interfaces/http.yaml' }],
    dependencies: [{ name: '', ref: 'oci://', required: true, compatibility: '^1.0.0' }],
    resources: {
      service: { name: '', exists: true },
      workload: { name: '', kind: 'Deployment', exists: true },
    },
    observedRuntime: { workloadKind: 'Deployment', containerImages: [''], hasPVC: false, hasEmptyDir: false },
    summary: { errorCount: 0, warningCount: 0, infoCount: 0, unknownCount: 0 },
    evaluationCoverage: { evaluated: 1, required: 1 },
    lastReconciledAt: '2026-01-01T00:00:00Z',
    observedGeneration: 1,
  },
});

/** A small window and little memory: what is packed is a few thousand characters long, and a few hundred then. */
const OPTIONS = { dictionary: Buffer.from(COMMON), windowBits: 12, memLevel: 4, chunkSize: 2_048 } as const;

/** The value, which must have a JSON, as a text of bytes. Takes about 50 µs for 2 KB. */
export function pack(value: object): string {
  return deflateRawSync(JSON.stringify(value), OPTIONS).toString('latin1');
}

/** The value again. Takes about 25 µs for 2 KB. */
export function unpack(packed: string): unknown {
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'latin1'), OPTIONS).toString());
}
