// Every kind of ours as a custom resource: names, scope, columns and schemas. The CRD files are made from this list.
import type { TSchema } from 'typebox';
import { GATE_GROUP, GATE_VERSION, PACTO_GROUP, PACTO_VERSION } from '../names.ts';
import { EvidenceGrantSpecSchema } from './evidence-grant.ts';
import {
  NodeRuntimeObservationSpecSchema,
  NodeRuntimeObservationStatusSchema,
} from './node-runtime-observation.ts';
import { PactoRevisionSpecSchema, PactoRevisionStatusSchema } from './pacto-revision.ts';
import { PactoSpecSchema } from './pacto-spec.ts';
import { PactoStatusSchema } from './pacto-status.ts';
import {
  ClusterPromotionPolicySpecSchema,
  PromotionPolicySpecSchema,
  PromotionPolicyStatusSchema,
} from './promotion-policy.ts';

export type PrinterColumn = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
};

export type CustomResource = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly description: string;
  readonly columns: readonly PrinterColumn[];
  readonly spec: TSchema;
  readonly status?: TSchema;
  /** Whether `status` is written through its own subresource. */
  readonly statusSubresource: boolean;
};

const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
const ACCEPTED: PrinterColumn = {
  name: 'Accepted',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Accepted")].status',
};
const MODE: PrinterColumn = { name: 'Mode', type: 'string', jsonPath: '.spec.mode' };
const WOULD_BLOCK: PrinterColumn = {
  name: 'Would Block',
  type: 'integer',
  jsonPath: '.status.wouldBlock.last24h',
};

const PACTO_KINDS = { group: PACTO_GROUP, version: PACTO_VERSION, scope: 'Namespaced' } as const;
const GATE_KINDS = { group: GATE_GROUP, version: GATE_VERSION, scope: 'Namespaced' } as const;

/** The custom resource of a kind. Throws TypeError for a kind that is not ours. */
export function customResource(kind: string): CustomResource {
  const found = CUSTOM_RESOURCES.find((candidate) => candidate.kind === kind);
  if (found === undefined) throw new TypeError(`no custom resource of kind ${kind}`);
  return found;
}

export const CUSTOM_RESOURCES: readonly CustomResource[] = [
  {
    ...PACTO_KINDS,
    kind: 'Pacto',
    plural: 'pactos',
    description: 'Holds a running service to its contract and says whether it keeps it.',
    columns: [
      { name: 'Status', type: 'string', jsonPath: '.status.contractStatus' },
      { name: 'Service', type: 'string', jsonPath: '.spec.target.serviceName' },
      { name: 'Version', type: 'string', jsonPath: '.status.contractVersion' },
      { name: 'Errors', type: 'integer', jsonPath: '.status.summary.errorCount' },
      { name: 'Warnings', type: 'integer', jsonPath: '.status.summary.warningCount' },
      { name: 'Last Reconciled', type: 'date', jsonPath: '.status.lastReconciledAt' },
      AGE,
    ],
    spec: PactoSpecSchema,
    status: PactoStatusSchema,
    statusSubresource: true,
  },
  {
    ...PACTO_KINDS,
    kind: 'PactoRevision',
    plural: 'pactorevisions',
    description: 'One content a contract has had.',
    columns: [
      { name: 'Version', type: 'string', jsonPath: '.spec.version' },
      { name: 'Pacto', type: 'string', jsonPath: '.spec.pactoRef' },
      { name: 'Resolved', type: 'boolean', jsonPath: '.status.resolved' },
      AGE,
    ],
    spec: PactoRevisionSpecSchema,
    status: PactoRevisionStatusSchema,
    statusSubresource: true,
  },
  {
    ...PACTO_KINDS,
    kind: 'NodeRuntimeObservation',
    plural: 'noderuntimeobservations',
    shortNames: ['nro'],
    description: 'What the agent of one node saw of its pods: listening sockets and connections.',
    columns: [
      { name: 'State', type: 'string', jsonPath: '.status.collection.state' },
      { name: 'Reason', type: 'string', jsonPath: '.status.collection.reason' },
      { name: 'Published', type: 'date', jsonPath: '.status.lastPublished' },
      AGE,
    ],
    spec: NodeRuntimeObservationSpecSchema,
    status: NodeRuntimeObservationStatusSchema,
    statusSubresource: false,
  },
  {
    ...GATE_KINDS,
    kind: 'PromotionPolicy',
    plural: 'promotionpolicies',
    description: 'Holds promotions in its namespace to the verdicts of contracts.',
    columns: [MODE, ACCEPTED, WOULD_BLOCK, AGE],
    spec: PromotionPolicySpecSchema,
    status: PromotionPolicyStatusSchema,
    statusSubresource: true,
  },
  {
    ...GATE_KINDS,
    scope: 'Cluster',
    kind: 'ClusterPromotionPolicy',
    plural: 'clusterpromotionpolicies',
    description: 'Holds promotions in many namespaces to the verdicts of contracts.',
    columns: [MODE, ACCEPTED, WOULD_BLOCK, AGE],
    spec: ClusterPromotionPolicySpecSchema,
    status: PromotionPolicyStatusSchema,
    statusSubresource: true,
  },
  {
    ...GATE_KINDS,
    kind: 'EvidenceGrant',
    plural: 'evidencegrants',
    description: 'Lets policies of other namespaces read the verdicts of this one.',
    columns: [AGE],
    spec: EvidenceGrantSpecSchema,
    statusSubresource: false,
  },
];
