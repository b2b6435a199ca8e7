// Schema of a Pacto's status: the verdict, why, and what was read from the contract and the cluster.
import { Type } from 'typebox';
import { CONTRACT_STATUSES } from '../contract-status.ts';
import { SEVERITIES } from '../finding.ts';
import { WINDOW_KINDS } from '../pacto.ts';
import { enumOf, int32, int64, mapOf, strings, time } from './builders.ts';
import { ConditionsSchema } from './common.ts';

const summary = Type.Object(
  { errorCount: int32(), warningCount: int32(), infoCount: int32(), unknownCount: int32() },
  { description: 'Findings counted by severity.' },
);

const evaluationCoverage = Type.Object({
  evaluated: int32({ description: 'Required assertions that could be judged.' }),
  required: int32({ description: 'Required assertions the contract declares.' }),
  unverified: Type.Optional(strings({ description: 'Checks for which there was no usable fact.' })),
});

const observationWindow = Type.Object({
  kind: enumOf(WINDOW_KINDS),
  subject: Type.String(),
  firstObservedNegativeAt: time({ description: 'Start of the present streak of absences.' }),
});

const contract = Type.Object({
  serviceName: Type.String(),
  version: Type.String(),
  owner: Type.Optional(
    Type.Object(
      {
        team: Type.Optional(Type.String()),
        dri: Type.Optional(Type.String()),
        contacts: Type.Optional(
          Type.Array(
            Type.Object({
              type: Type.String(),
              value: Type.String(),
              purpose: Type.Optional(Type.String()),
            }),
          ),
        ),
      },
      { minProperties: 1 },
    ),
  ),
  ownerDisplay: Type.Optional(Type.String()),
  resolvedRef: Type.Optional(Type.String({ description: 'Full reference with tag or digest.' })),
});

const validationItem = Type.Object({
  code: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  message: Type.String(),
});

const validation = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Optional(Type.Array(validationItem)),
  warnings: Type.Optional(Type.Array(validationItem)),
});

const finding = Type.Object({
  code: Type.String(),
  severity: enumOf(SEVERITIES),
  category: Type.String(),
  subject: Type.Optional(Type.String({ description: 'For example interface/api.' })),
  contractPath: Type.Optional(Type.String({ description: 'Place in the contract.' })),
  message: Type.String(),
  evidenceRefs: Type.Optional(
    Type.Array(
      Type.Object({
        source: Type.String(),
        observedAt: Type.String({ description: 'RFC 3339 time of the reading.' }),
        collector: Type.Optional(Type.String()),
        detectedAt: Type.Optional(Type.String()),
      }),
    ),
  ),
});

const resource = Type.Object({
  name: Type.String(),
  kind: Type.Optional(Type.String()),
  exists: Type.Boolean(),
});

const property = Type.Object({
  key: Type.String(),
  value: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
});

const configuration = Type.Object({
  name: Type.String(),
  hasSchema: Type.Boolean(),
  ref: Type.Optional(Type.String()),
  valueKeys: Type.Optional(strings()),
  secretKeys: Type.Optional(strings()),
  overriddenKeys: Type.Optional(strings()),
  properties: Type.Optional(Type.Array(property)),
});

const policy = Type.Object({
  name: Type.String(),
  hasSchema: Type.Boolean(),
  schema: Type.Optional(Type.String()),
  ref: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  properties: Type.Optional(Type.Array(property)),
});

const observedRuntime = Type.Object({
  workloadKind: Type.Optional(Type.String()),
  deploymentStrategy: Type.Optional(Type.String()),
  podManagementPolicy: Type.Optional(Type.String()),
  terminationGracePeriodSeconds: Type.Optional(int64()),
  workloadGeneration: Type.Optional(
    int64({ description: 'metadata.generation of the workload that was read.' }),
  ),
  imageDigests: Type.Optional(
    Type.Array(Type.Object({ image: Type.String(), digest: Type.String() }), {
      description: 'Digest of each container image on which all ready pods agree.',
    }),
  ),
  containerImages: Type.Optional(strings()),
  initContainerImages: Type.Optional(strings({ description: 'Images of init containers.' })),
  rolloutComplete: Type.Optional(
    Type.Boolean({ description: 'Whether the rollout of the workload had ended when it was read.' }),
  ),
  hasPVC: Type.Boolean(),
  hasEmptyDir: Type.Boolean(),
  healthProbeInitialDelaySeconds: Type.Optional(int32()),
});

const claim = Type.Object({
  id: Type.String(),
  type: Type.String(),
  category: Type.Optional(Type.String()),
  status: enumOf(['done', 'partial', 'not-done', 'deferred']),
  evidence: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  weight: int32(),
  earnedWeight: Type.Optional(int32()),
  excluded: Type.Optional(Type.Boolean()),
});

const readiness = Type.Object({
  score: Type.Optional(int32()),
  minScore: Type.Optional(int32()),
  totalWeight: Type.Optional(int32()),
  earnedWeight: Type.Optional(int32()),
  doneCount: Type.Optional(int32()),
  partialCount: Type.Optional(int32()),
  notDoneCount: Type.Optional(int32()),
  deferredCount: Type.Optional(int32()),
  passing: Type.Optional(Type.Boolean()),
  expired: Type.Optional(Type.Boolean()),
  expires: Type.Optional(Type.String({ description: 'Last valid day, YYYY-MM-DD.' })),
  daysRemaining: Type.Optional(int32()),
  revisions: Type.Optional(
    Type.Array(
      Type.Object({
        date: Type.String(),
        version: Type.String(),
        author: Type.String(),
        description: Type.String(),
      }),
    ),
  ),
  claims: Type.Optional(Type.Array(claim)),
});

export const PactoStatusSchema = Type.Object(
  {
    contractStatus: Type.Optional(enumOf(CONTRACT_STATUSES, { description: 'The verdict.' })),
    contractStatusSince: Type.Optional(
      time({ description: 'Since when contractStatus has its present value.' }),
    ),
    evaluationCoverage: Type.Optional(evaluationCoverage),
    observationWindows: Type.Optional(Type.Array(observationWindow)),
    stabilizationWindowSeconds: Type.Optional(
      int32({ description: 'How long an absence must last before it is a violation.' }),
    ),
    resolutionPolicy: Type.Optional(enumOf(['Latest', 'PinnedTag', 'PinnedDigest'])),
    summary: Type.Optional(summary),
    contractVersion: Type.Optional(Type.String()),
    contract: Type.Optional(contract),
    validation: Type.Optional(validation),
    findings: Type.Optional(
      Type.Array(finding, { description: 'Findings in the contract first, then those of the cluster.' }),
    ),
    resources: Type.Optional(
      Type.Object({ service: Type.Optional(resource), workload: Type.Optional(resource) }),
    ),
    interfaces: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          type: enumOf(['openapi', 'asyncapi', 'grpc']),
          ref: Type.Optional(Type.String()),
          visibility: Type.Optional(Type.String()),
        }),
      ),
    ),
    capabilities: Type.Optional(
      Type.Array(Type.Object({ type: Type.String(), ref: Type.Optional(Type.String()) })),
    ),
    configurations: Type.Optional(Type.Array(configuration)),
    dependencies: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          ref: Type.String(),
          required: Type.Boolean(),
          compatibility: Type.Optional(Type.String()),
        }),
      ),
    ),
    policies: Type.Optional(Type.Array(policy)),
    observedRuntime: Type.Optional(observedRuntime),
    readiness: Type.Optional(readiness),
    metadata: Type.Optional(
      mapOf(Type.String(), { description: 'Metadata of the contract, every value as text.' }),
    ),
    conditions: Type.Optional(ConditionsSchema),
    currentRevision: Type.Optional(Type.String({ description: 'PactoRevision in force.' })),
    lastReconciledAt: Type.Optional(time({ description: 'End of the last pass.' })),
    observedGeneration: Type.Optional(int64({ description: 'metadata.generation of the last pass.' })),
  },
  { description: 'The verdict and what it rests on. Written by the operator alone.' },
);
