// Pacto objects for gate tests: a good one, and what is different about the one under test.

export const NOW = new Date('2026-11-30T12:00:00Z');

/** RFC 3339 text of a moment `seconds` before NOW; negative is after. */
export function ago(seconds: number): string {
  return `${new Date(NOW.getTime() - seconds * 1000).toISOString().slice(0, 19)}Z`;
}

export type PactoParts = {
  readonly name?: string;
  readonly namespace?: string;
  readonly generation?: number;
  readonly labels?: Record<string, string>;
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
};

/** A Pacto that is Compliant, judged 10 s ago, with the given parts laid over it. A status key set to undefined goes. */
export function pactoObject(parts: PactoParts = {}): Record<string, unknown> {
  const {
    name = 'api',
    namespace = 'shop-staging',
    generation = 3,
    labels = {},
    spec = {},
    status = {},
  } = parts;
  return {
    apiVersion: 'pacto.trianalab.io/v1alpha1',
    kind: 'Pacto',
    metadata: { name, namespace, uid: `uid-${namespace}-${name}`, generation, labels },
    spec: {
      contractRef: { inline: 'x' },
      target: { serviceName: name, workloadRef: { name, kind: 'Deployment' } },
      ...spec,
    },
    status: {
      contractStatus: 'Compliant',
      contractStatusSince: ago(3600),
      observedGeneration: generation,
      lastReconciledAt: ago(10),
      stabilizationWindowSeconds: 120,
      contract: { serviceName: name, version: '1.0.0' },
      evaluationCoverage: { evaluated: 2, required: 2 },
      summary: { errorCount: 0, warningCount: 0, infoCount: 0, unknownCount: 0 },
      observedRuntime: {
        containerImages: ['registry.test/api:1'],
        hasPVC: false,
        hasEmptyDir: false,
        workloadGeneration: 1,
      },
      ...status,
    },
  };
}

export function finding(severity: string, code: string, subject = 'interface/http'): Record<string, unknown> {
  return { code, severity, subject, category: 'RuntimeDrift', message: `${code} of ${subject}` };
}
