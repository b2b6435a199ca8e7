// How to reach a cluster and as whom: plain data, read from a kubeconfig or from a pod's service account.

/** PEM text, given or in a file that is read again when it changes. */
export type PemSource =
  | { readonly kind: 'inline'; readonly pem: string }
  | { readonly kind: 'file'; readonly path: string };

/** A program that hands out credentials, as kubeconfigs name it. */
export type ExecSpec = {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment the program inherits. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Whether cluster details are handed to the program. */
  readonly provideClusterInfo: boolean;
  readonly installHint?: string;
};

export type Auth =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'tokenFile'; readonly path: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'exec'; readonly exec: ExecSpec };

export type ClusterConfig = {
  /** Base URL of the API server, perhaps with a path in front of `/api`; no trailing slash. */
  readonly server: string;
  /** Where the configuration came from, for messages: `context "prod" of /home/a/.kube/config`. */
  readonly source: string;
  /** Namespace of the context or of the pod, if either names one. */
  readonly namespace?: string;
  /** Absent: the machine's own roots. */
  readonly ca?: PemSource;
  /** Name the server's certificate is checked against instead of the URL's host. */
  readonly serverName?: string;
  readonly tlsVerify: 'verify' | 'skip';
  readonly clientCertificate?: { readonly certificate: PemSource; readonly key: PemSource };
  readonly auth: Auth;
  /** Identity to act as, with the Impersonate headers. */
  readonly impersonate?: { readonly user: string; readonly groups: readonly string[]; readonly uid?: string };
  /** `http://`, `https://` or `socks5://` proxy in front of the API server. */
  readonly proxyUrl?: string;
};

/** The configuration is missing or cannot be used; the message says what, where, and what to do. */
export class ClusterConfigError extends Error {
  override readonly name = 'ClusterConfigError';
  readonly code = 'CLUSTER_CONFIG';
}
