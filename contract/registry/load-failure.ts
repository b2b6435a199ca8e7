// Why a contract could not be loaded, in the classes that decide what is said about it (contract 3.8, controller 6.7).

/** What each class says about the contract: nothing (`Unknown`, it may come right by itself) or that it is at fault. */
const CLASSES = {
  /** No answer, or none that means anything: network, DNS, TLS, time limits, HTTP errors not named below, a busy machine. */
  unreachable: 'Unknown',
  /** HTTP 401 or 403 for every source of credentials. */
  authentication: 'Unknown',
  /** HTTP 404, or no semantic version among the tags. */
  'not-found': 'Unknown',
  /** The pull secret cannot be read or used. */
  'pull-secret': 'Unknown',
  'invalid-reference': 'Invalid',
  /** Not a bundle, not the bytes its digest promises, or its pacto.yaml does not parse. */
  'invalid-bundle': 'Invalid',
  /** No tag lies in the range. */
  'no-match': 'Invalid',
  /** `spec.overrides` cannot be applied. */
  override: 'Invalid',
  /** The inline text does not parse. */
  'invalid-inline': 'Invalid',
  /** Neither inline text nor a reference. */
  'no-source': 'Invalid',
  /** Anything else, which fails closed. */
  unclassified: 'Invalid',
} as const;

export type LoadFailureKind = keyof typeof CLASSES;

export type LoadFailure = {
  readonly kind: LoadFailureKind;
  /** One sentence: what, where, and for most what to do. Holds no credentials. */
  readonly message: string;
  /** Where in the resource the fault lies: `spec.overrides`. */
  readonly path?: string;
};

/** The contract status a failure leads to. */
export function statusOfFailure(kind: LoadFailureKind): 'Unknown' | 'Invalid' {
  return CLASSES[kind];
}
