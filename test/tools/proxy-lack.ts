// Tells whether kube-proxy can run on a real node of this machine, before anybody tries.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Lack } from '../helpers/machine-lacks.ts';
import { nodeLack } from './node-lack.ts';

/** What this machine lacks for Services that are reached at their cluster IPs; undefined when nothing. */
export async function proxyLack(env: NodeJS.ProcessEnv = process.env): Promise<Lack | undefined> {
  return (await nodeLack(env)) ?? ((await tablesWork(env)) ? undefined : 'nft');
}

/** Makes a table in a network of its own, which goes with the command. */
async function tablesWork(env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    await promisify(execFile)('unshare', ['--net', 'nft', 'add table inet check'], { env });
    return true;
  } catch {
    return false; // no such program, or a kernel without it
  }
}
