// A lock between processes by a file: one does the work, the others wait for it, and nobody waits for the dead.
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_AGAIN_MS = 100;
const SIGN_OF_LIFE_MS = 5_000;
/** A holder that gave no sign of life for so long is dead, whatever its process id says. */
const SILENT_MS = 60_000;

/** Who holds a lock. */
export type LockOwner = {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the kernel's words; tells a reused process id. Empty where the system does not say. */
  readonly started: string;
  /** Of this one acquisition. */
  readonly id: string;
};

export type LockOptions = {
  /** Called once when somebody else holds the lock. */
  readonly onWait?: (owner: LockOwner) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Runs `work` while holding the lock file at `path`. A lock whose owner is dead is taken over. Should two processes take
 * over the same dead lock in the same instant, both may work: what is done under the lock must be safe then, only wasteful.
 */
export async function withFileLock<T>(
  path: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const id = await acquire(path, options);
  const alive = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {}); // a lost lock file costs double work at worst
  }, SIGN_OF_LIFE_MS);
  alive.unref();
  try {
    return await work();
  } finally {
    clearInterval(alive);
    // After a long sleep of the machine the lock may have become somebody else's.
    if ((await readOwner(path))?.id === id) await rm(path, { force: true });
  }
}

async function acquire(path: string, { onWait, signal }: LockOptions): Promise<string> {
  const id = randomUUID();
  const mine = `${path}.${id}`;
  await writeFile(mine, JSON.stringify(self(id)));
  try {
    for (let told = false; ; ) {
      signal?.throwIfAborted();
      if (await linked(mine, path)) return id;
      const owner = await readOwner(path);
      if (owner === undefined) continue; // released meanwhile
      if (await isDead(path, owner)) {
        await takeAway(path);
        continue;
      }
      if (!told) onWait?.(owner);
      told = true;
      await delay(LOOK_AGAIN_MS, undefined, { signal });
    }
  } finally {
    await rm(mine, { force: true });
  }
}

/** A link appears with its content in one step and fails where there is one already, which writing a file does not. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function readOwner(path: string): Promise<LockOwner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as LockOwner;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return { pid: 0, host: '', started: '', id: '' }; // not ours: its age counts
    throw error;
  }
}

async function isDead(path: string, owner: LockOwner): Promise<boolean> {
  if (owner.host === hostname() && owner.pid > 0) return !isRunning(owner);
  try {
    return Date.now() - (await stat(path)).mtimeMs > SILENT_MS;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Renames first: of several that saw the dead lock only one removes it. */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.dead-${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await rm(aside, { force: true });
}

const self = (id: string): LockOwner => ({
  pid: process.pid,
  host: hostname(),
  started: startOf(process.pid),
  id,
});

function isRunning({ pid, started }: LockOwner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return started === '' || started === startOf(pid);
}

function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold blanks; the start time is the 20th field behind it.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
