// A workload with a dependency, its provider, and what the workload's node saw of its connections.
import { MANAGED, node, type NodeParts, type Peer, pod, seen, type SeenPod } from './kernel-support.ts';
import {
  type Cluster,
  contractOf,
  type Pass,
  pass,
  type PassInput,
  type RawObject,
  service,
  slice,
  workload,
} from './support.ts';

/** One dependency of a contract, as flow YAML. */
export const dependency = (name = 'pay', ref = 'oci://r.example.com/pay', required = true): string =>
  `{ name: ${name}, ref: '${ref}', required: ${required}, compatibility: '1.x' }`;
const CONTRACT = contractOf(`dependencies: [${dependency()}]`);
export const ADDRESS = '10.96.0.7';
export const ENDPOINT = '10.244.0.9';
const FEATURES = { kernelEvidence: MANAGED };

/** Another Pacto whose contract was loaded from a registry. */
export function pacto(
  name: string,
  contractName = name,
  parts: { service?: string; ref?: string } = {},
): RawObject {
  const { service: serviceName = name, ref = `r.example.com/${name}:1.0.0` } = parts;
  return {
    kind: 'Pacto',
    metadata: { namespace: 'default', name },
    spec: { target: { serviceName } },
    status: { contract: { serviceName: contractName, version: '1.0.0', resolvedRef: ref } },
  };
}
export const provider = (name: string, clusterIPs: readonly string[]): RawObject =>
  service({
    name,
    selector: { app: name },
    ports: [
      { name: 'http', port: 8080 },
      { name: 'https', port: 443 },
    ],
    spec: { clusterIPs },
  });
export const behind = (name: string, address: string, ready = true): RawObject =>
  slice([ready], { name: `${name}-1`, service: name, endpoints: [{ addresses: [address] }] });

/** What differs from: provider `pay` ready, the workload app with one pod and a complete view of it without peers. */
export type Parts = {
  readonly view?: SeenPod;
  readonly node?: NodeParts;
  readonly ready?: boolean;
  readonly more?: readonly RawObject[];
  readonly pods?: readonly RawObject[];
  readonly cluster?: Partial<Cluster>;
};
function cluster({
  view,
  node: nodeParts,
  ready = true,
  more = [],
  pods = [pod('p1')],
  cluster: other,
}: Parts = {}): Cluster {
  return {
    services: [provider('pay', [ADDRESS])],
    slices: [behind('pay', ENDPOINT, ready)],
    workloads: [workload('Deployment')],
    others: [pacto('pay'), ...pods, node([seen('uid-of-p1', view)], nodeParts), ...more],
    ...other,
  };
}
export const peers = (...list: Peer[]): SeenPod => ({ peers: list });
/** A peer at the cluster IP of `pay`, by default; times in seconds before now. */
export const to = (success: number | undefined, failure?: number, parts: Partial<Peer> = {}): Peer => ({
  address: ADDRESS,
  ...(success !== undefined && { success }),
  ...(failure !== undefined && { failure }),
  ...parts,
});

/** One pass of the workload app over the declared dependency `pay`. */
export const judge = (parts: Parts = {}, input: Partial<PassInput> = {}): Pass =>
  pass({
    contract: CONTRACT,
    target: { serviceName: 'app' },
    cluster: cluster(parts),
    features: FEATURES,
    ...input,
  });

export const REACHABLE = 'Compliant 1/1';
