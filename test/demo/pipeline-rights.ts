// What a deploying pipeline may do: write Deployments, read their ReplicaSets, nothing of the gate's.

/**
 * ClusterRole and ClusterRoleBinding of one name for the ServiceAccount `pipeline`.
 * @param namespace that of the ServiceAccount
 */
export function pipelineRights(name: string, namespace: string): string {
  return `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: ${name} }
rules:
  - { apiGroups: [apps], resources: [deployments], verbs: [get, create, patch] }
  - { apiGroups: [apps], resources: [replicasets], verbs: [list] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: ${name} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name} }
subjects: [{ kind: ServiceAccount, namespace: ${namespace}, name: pipeline }]
`;
}
