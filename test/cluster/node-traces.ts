// What a real node is on this machine, so that tests can tell whether any of it is left.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { NodeInfo } from './cluster.ts';
import { isGone } from './is-gone.ts';

/** A node, looked at while it ran. */
export type NodeTraces = {
  readonly info: NodeInfo;
  /** Folder of its cluster. */
  readonly dir: string;
  /** Its namespaces, as in `pid:[4026532600]`. */
  readonly namespaces: ReadonlySet<string>;
};

const KINDS = ['pid', 'net', 'mnt', 'uts', 'ipc', 'cgroup'];

/** Looks at a node that runs. Namespaces that it shares with this process are none of its own. */
export function tracesOf(info: NodeInfo, dir: string): NodeTraces {
  const shared = new Set(namespacesOf('self'));
  return {
    info,
    dir,
    namespaces: new Set(namespacesOf(String(info.pid)).filter((name) => !shared.has(name))),
  };
}

/** Everything that is still there of a node, in words. The folder of its cluster stays while that runs. */
export function leftOf({ info, dir, namespaces }: NodeTraces): readonly string[] {
  const left: string[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || isGone(pid)) continue;
    const own = namespacesOf(name).filter((namespace) => namespaces.has(namespace));
    if (own.length > 0) left.push(`process ${name} in ${own.join(' ')}`);
  }
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  left.push(...mounts.filter((line) => line.includes(`${dir}/`)).map((line) => `mount ${line}`));
  if (info.link in networkInterfaces()) left.push(`link ${info.link}`);
  left.push(
    ...info.cgroups.filter(({ folder }) => existsSync(folder)).map(({ folder }) => `cgroup ${folder}`),
  );
  return left;
}

function namespacesOf(pid: string): string[] {
  return KINDS.flatMap((kind) => {
    try {
      return [readlinkSync(`/proc/${pid}/ns/${kind}`)];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}
