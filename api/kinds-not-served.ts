// The one sentence for a cluster without our CustomResourceDefinitions, whoever meets it.

/** The API server does not serve kinds a program cannot do without. */
export class KindsNotServedError extends Error {
  override readonly name = 'KindsNotServedError';
  readonly code = 'KIND_NOT_SERVED';

  /** @param kinds as people know them, `Pacto` or `PromotionPolicy.gate.pacto.trianalab.io` */
  constructor(kinds: readonly string[], options?: ErrorOptions) {
    super(
      `this cluster does not serve ${kinds.join(', ')}; install the CustomResourceDefinitions first ` +
        '(kubectl apply --server-side -f deploy/crds), or name another cluster with --kubeconfig and --context',
      options,
    );
  }
}
