// The kinds the gate keeps in memory.
import { GATE_GROUP, GATE_VERSION, PACTO_GROUP, PACTO_VERSION } from '../../api/names.ts';
import type { ResourceType } from '../../kube/resource.ts';

function namespacedKind(group: string, version: string, kind: string, plural: string): ResourceType {
  return { group, version, kind, plural, namespaced: true };
}

export const GATE_RESOURCES = {
  pactos: namespacedKind(PACTO_GROUP, PACTO_VERSION, 'Pacto', 'pactos'),
  policies: namespacedKind(GATE_GROUP, GATE_VERSION, 'PromotionPolicy', 'promotionpolicies'),
  clusterPolicies: {
    ...namespacedKind(GATE_GROUP, GATE_VERSION, 'ClusterPromotionPolicy', 'clusterpromotionpolicies'),
    namespaced: false,
  },
  grants: namespacedKind(GATE_GROUP, GATE_VERSION, 'EvidenceGrant', 'evidencegrants'),
  namespaces: { ...namespacedKind('', 'v1', 'Namespace', 'namespaces'), namespaced: false },
  deployments: namespacedKind('apps', 'v1', 'Deployment', 'deployments'),
  statefulSets: namespacedKind('apps', 'v1', 'StatefulSet', 'statefulsets'),
  replicaSets: namespacedKind('apps', 'v1', 'ReplicaSet', 'replicasets'),
  controllerRevisions: namespacedKind('apps', 'v1', 'ControllerRevision', 'controllerrevisions'),
} as const satisfies Record<string, ResourceType>;
