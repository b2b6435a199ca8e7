// What a deploying pipeline may do in the demo: write Deployments, read their ReplicaSets, nothing of the gate's.

export const PIPELINE_RIGHTS = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: demo-pipeline }
rules:
  - { apiGroups: [apps], resources: [deployments], verbs: [get, create, patch] }
  - { apiGroups: [apps], resources: [replicasets], verbs: [list] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: demo-pipeline }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: demo-pipeline }
subjects: [{ kind: ServiceAccount, namespace: shop-staging, name: pipeline }]
`;
