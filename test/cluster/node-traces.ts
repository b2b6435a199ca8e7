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
  /** Its namespaces, as in `pid:[4026532600]`. The kernel gives the numbers of those that are gone to others. */
  readonly namespaces: readonly string[];
  /** The processes that were in one of them, by process id and start, which together are never given again. */
  readonly processes: ReadonlySet<string>;
};

const KINDS = ['pid', 'net', 'mnt', 'uts', 'ipc', 'cgroup'];

/** Looks at a node that runs. Namespaces that it shares with this process are none of its own. */
export function tracesOf(info: NodeInfo, dir: string): NodeTraces {
  const shared = namespacesOf('self');
  const namespaces = namespacesOf(String(info.pid)).filter((name) => !shared.includes(name));
  const inside = pids().filter((pid) => namespacesOf(pid).some((name) => namespaces.includes(name)));
  return { info, dir, namespaces, processes: new Set(inside.map(identityOf)) };
}

/** Everything that is still there of a node, in words. The folder of its cluster stays while that runs. */
export function leftOf({ info, dir, processes }: NodeTraces): readonly string[] {
  // Containers have namespaces of their own, and the node's cgroups.
  const cgroup = `/testnode-${info.subnet.replace(/\.0\/24$/, '')}`;
  const left = pids()
    .filter((pid) => textOf(`/proc/${pid}/cgroup`).includes(cgroup) || processes.has(identityOf(pid)))
    .map((pid) => `process ${pid} ${textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 100)}`);
  const mounts = textOf('/proc/self/mountinfo').split('\n');
  left.push(...mounts.filter((line) => line.includes(`${dir}/`)).map((line) => `mount ${line}`));
  if (info.link in networkInterfaces()) left.push(`link ${info.link}`);
  left.push(
    ...info.cgroups.filter(({ folder }) => existsSync(folder)).map(({ folder }) => `cgroup ${folder}`),
  );
  return left;
}

const pids = (): string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !isGone(Number(name)));

/** Process id and the time of its start, as the kernel counts it. */
function identityOf(pid: string): string {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name stands in parentheses and may hold anything; the start is the twentieth word behind it.
  return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
}

function namespacesOf(pid: string): readonly string[] {
  return KINDS.flatMap((kind) => {
    try {
      return [readlinkSync(`/proc/${pid}/ns/${kind}`)];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

/** Text of a file; empty for one that is gone. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
