// Runs programs of this machine in the network of a node, where Services have names and, with kube-proxy, addresses.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ClusterCoordinates, NodeInfo } from './cluster.ts';

const TETHERED = fileURLToPath(new URL('../helpers/tethered.ts', import.meta.url));
const REACH = fileURLToPath(new URL('fixtures/reach.ts', import.meta.url));

/** What a node is entered by. */
type Entrance = Pick<ClusterCoordinates, 'dir'> & { readonly node: NodeInfo };

/** Words to put before a command. It is a child of who starts it, and does not end with the node. */
export const insideNode = ({ dir, node }: Entrance): readonly string[] => [
  join(dir, 'bin', 'node'),
  'enter',
  join(dir, node.name),
];

/**
 * Resolves when a connection to the host, usually `SERVICE.NAMESPACE.svc`, succeeds from inside the node: kube-proxy knows
 * a new Service or endpoint only after a moment.
 * @throws Error when that takes longer than a minute
 */
export async function reachedInside(entrance: Entrance, host: string, port: number): Promise<void> {
  const [program, ...words] = [...insideNode(entrance), process.execPath, TETHERED, REACH];
  await promisify(execFile)(program, [...words, host, String(port)]);
}
