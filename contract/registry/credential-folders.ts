// Private folders for registry configurations that a child process must read. They are gone after use, with the process,
// and at the latest when the next one starts: what a killed process left behind is swept away.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'pacto-gate-registry-';
/** Tells this process from an earlier one with the same id, as the first process of a container always has. */
const OWN = `${process.pid}-${randomBytes(6).toString('hex')}`;

export type CredentialFile = {
  readonly path: string;
  remove(): Promise<void>;
};

/** Writes configurations below one temporary folder. */
export class CredentialFolders {
  readonly #root: string;
  readonly #open = new Set<string>();
  #swept: Promise<void> | undefined;
  readonly #onExit = (): void => {
    for (const folder of this.#open) rmSync(folder, { recursive: true, force: true });
  };

  /** @param root default: the system's folder for temporary files */
  constructor(root: string = tmpdir()) {
    this.#root = root;
  }

  /** Writes `text` where only this user can read it. Rejects when that is not possible. */
  async write(text: string): Promise<CredentialFile> {
    await this.sweep();
    // mkdtemp makes the folder readable by its owner alone.
    const folder = await mkdtemp(join(this.#root, `${PREFIX}${OWN}-`));
    if (this.#open.size === 0) process.on('exit', this.#onExit);
    this.#open.add(folder);
    const remove = async (): Promise<void> => {
      await rm(folder, { recursive: true, force: true });
      this.#open.delete(folder);
      if (this.#open.size === 0) process.removeListener('exit', this.#onExit);
    };
    const path = join(folder, 'config.json');
    try {
      await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      await remove();
      throw error;
    }
    return { path, remove };
  }

  /**
   * Removes what processes left that are no more; folders of other users and of living processes stay. Done once, before the
   * first file is written or when a program starts.
   */
  sweep(): Promise<void> {
    return (this.#swept ??= this.#sweep());
  }

  async #sweep(): Promise<void> {
    const names = await readdir(this.#root).catch(() => []);
    for (const name of names) {
      const match = /^pacto-gate-registry-([0-9]+)-[0-9a-f]+-/.exec(name);
      if (match === null || name.startsWith(`${PREFIX}${OWN}-`)) continue;
      const folder = join(this.#root, name);
      // Another process may sweep at the same time; what cannot be removed is not ours.
      if (await isLeftover(folder, Number(match[1])).catch(() => false)) {
        await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      }
    }
  }
}

async function isLeftover(folder: string, pid: number): Promise<boolean> {
  const { uid, mtimeMs } = await lstat(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) return false;
  if (pid === process.pid || !isAlive(pid)) return true;
  // The id may have gone to a younger process.
  const started = await startedAt(pid);
  return started !== undefined && started > mtimeMs + 1_000;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process started, in milliseconds since the epoch, where the system tells (Linux). */
async function startedAt(pid: number): Promise<number | undefined> {
  try {
    const [stat, system] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/stat', 'utf8'),
    ]);
    // The name of the program stands in parentheses and may hold anything.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const boot = Number(/^btime ([0-9]+)$/m.exec(system)?.[1]);
    return Number.isFinite(ticks + boot) ? boot * 1000 + ticks * 10 : undefined;
  } catch {
    return undefined;
  }
}
