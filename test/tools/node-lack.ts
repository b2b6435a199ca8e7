// Tells whether this machine can run a real node, before anybody tries.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import type { Lack } from '../helpers/machine-lacks.ts';
import { missingPackages } from './go-build.ts';
import { toolPath } from './tool-path.ts';

/** What a real node asks of a machine. */
export type NodeFacts = {
  /** Whether the user lets it, by not setting PACTO_GATE_NODE to 0. */
  readonly allowed: boolean;
  readonly platform: NodeJS.Platform;
  /** User id; undefined where there is none. */
  readonly uid: number | undefined;
  /** Bits of the effective capabilities, as in /proc/self/status. */
  readonly capabilities: bigint;
  readonly cgroupsWritable: boolean;
  /** Whether runc is built, or can be. */
  readonly runc: boolean;
};

const CAP_NET_ADMIN = 1n << 12n;
const CAP_SYS_ADMIN = 1n << 21n;

/** The first thing that is missing. */
export function lackOf(facts: NodeFacts): Lack | undefined {
  const { allowed, platform, uid, capabilities, cgroupsWritable, runc } = facts;
  if (!allowed) return 'permission';
  if (platform !== 'linux') return 'linux';
  if (uid !== 0) return 'root';
  if ((capabilities & CAP_NET_ADMIN) === 0n || (capabilities & CAP_SYS_ADMIN) === 0n) return 'capabilities';
  if (!cgroupsWritable) return 'cgroups';
  return runc ? undefined : 'runc';
}

/** What this machine lacks for a real node; undefined when it can run one. */
export async function nodeLack(env: NodeJS.ProcessEnv = process.env): Promise<Lack | undefined> {
  return lackOf({
    allowed: env['PACTO_GATE_NODE'] !== '0',
    platform: process.platform,
    uid: process.getuid?.(),
    capabilities: effectiveCapabilities(),
    cgroupsWritable: isWritable('/sys/fs/cgroup'),
    runc: existsSync(toolPath('runc', env)) || (await missingPackages(env)).length === 0,
  });
}

function effectiveCapabilities(): bigint {
  if (process.platform !== 'linux') return 0n;
  const [, digits = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return BigInt(`0x${digits}`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
