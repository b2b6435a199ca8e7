// Whether a process has ended, as tests must see it.
import { readFileSync } from 'node:fs';

/** True for a process that ended, also while nobody has asked for its exit status yet: such a zombie does nothing more. */
export function isGone(pid: number | undefined): boolean {
  if (pid === undefined) return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold anything; the state follows it.
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return true;
  }
}
