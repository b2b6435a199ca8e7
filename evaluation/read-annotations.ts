// Annotations of Services that evaluation reads; views keep no others.

/** Where metrics are scraped, by the convention of Prometheus' own example configuration. */
export const SCRAPE_ANNOTATIONS = {
  scrape: 'prometheus.io/scrape',
  port: 'prometheus.io/port',
  path: 'prometheus.io/path',
} as const;

/** Whether the value of an annotation makes a load balancer an internal one. Compared in lower case. */
type Internal = (value: string) => boolean;
const is =
  (word: string): Internal =>
  (value) =>
    value === word;
const anyButFalse: Internal = (value) => value !== '' && value !== 'false';

/** Annotations by which clouds are asked for an internal load balancer: GKE, AWS, Azure, IBM, Oracle, OpenStack, Alibaba. */
export const INTERNAL_LOAD_BALANCER: ReadonlyMap<string, Internal> = new Map([
  ['networking.gke.io/load-balancer-type', is('internal')],
  ['cloud.google.com/load-balancer-type', is('internal')],
  // Older clusters carry a CIDR as its value.
  ['service.beta.kubernetes.io/aws-load-balancer-internal', anyButFalse],
  ['service.beta.kubernetes.io/aws-load-balancer-scheme', is('internal')],
  ['service.beta.kubernetes.io/azure-load-balancer-internal', is('true')],
  ['service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type', is('private')],
  ['service.beta.kubernetes.io/oci-load-balancer-internal', is('true')],
  ['oci-network-load-balancer.oraclecloud.com/internal', is('true')],
  ['service.beta.kubernetes.io/openstack-internal-load-balancer', is('true')],
  ['service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type', is('intranet')],
]);

export const READ_ANNOTATIONS: ReadonlySet<string> = new Set([
  ...Object.values(SCRAPE_ANNOTATIONS),
  ...INTERNAL_LOAD_BALANCER.keys(),
]);
