// Names that must never change: groups, labels, annotations, field managers, leases, metric prefix. A test holds them.

/** API group of the contract kinds, shared with the upstream operator. */
export const PACTO_GROUP = 'pacto.trianalab.io';
/** The only version of the contract kinds. */
export const PACTO_VERSION = 'v1alpha1';
/** `apiVersion` of Pacto, PactoRevision and NodeRuntimeObservation. */
export const PACTO_API_VERSION = 'pacto.trianalab.io/v1alpha1';

/** API group of the gate's own kinds. */
export const GATE_GROUP = 'gate.pacto.trianalab.io';
/** The only version of the gate's kinds. */
export const GATE_VERSION = 'v1alpha1';
/** `apiVersion` of policies, grants, JSON output and HTTP bodies. */
export const GATE_API_VERSION = 'gate.pacto.trianalab.io/v1alpha1';

/** Labels the operator writes on PactoRevisions and components. */
export const LABELS = {
  pacto: 'pacto.trianalab.io/pacto',
  version: 'pacto.trianalab.io/version',
  appName: 'app.kubernetes.io/name',
  component: 'app.kubernetes.io/component',
  managedBy: 'app.kubernetes.io/managed-by',
} as const;

/** Labels of the node agent's objects; an observation without all of them is ignored. */
export const AGENT_LABELS = {
  'app.kubernetes.io/name': 'pacto-node-agent',
  'app.kubernetes.io/component': 'node-agent',
  'app.kubernetes.io/managed-by': 'pacto-operator',
} as const;

/** Annotations users set on objects the gate governs. */
export const ANNOTATIONS = {
  /** `ns/name,ns/name`: evidence named on the object itself, honoured only where a ClusterPromotionPolicy says so. */
  evidence: 'gate.pacto.trianalab.io/evidence',
  /** Reason of at least ten characters; needs the `break-glass` verb. */
  breakGlass: 'gate.pacto.trianalab.io/break-glass',
} as const;

/** Field managers, one per process, for ever. */
export const FIELD_MANAGERS = {
  operator: 'pacto-operator',
  gate: 'pacto-gate',
  agent: 'pacto-agent',
} as const;

/** Leader election leases. The operator's is the upstream name, so that both exclude each other in a migration. */
export const LEASES = {
  operator: 'a4917283.pacto.io',
  serve: 'pacto-gate-serve',
  webhook: 'pacto-gate-webhook',
} as const;

/** Prefix of every metric that is ours alone. */
export const METRIC_PREFIX = 'pacto_gate_';

/** First word of the User-Agent of every request; process and version follow. */
export const USER_AGENT = 'pacto-gate';

/** Component shown on the operator's Events. */
export const EVENT_COMPONENT = 'pacto-controller';

/** Default namespace of the node agent and its observations. */
export const AGENT_NAMESPACE = 'pacto-node-agent';
