// Makes sure that foreign programs are there: found in the user's cache folder, or built into it once for all checkouts.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BuildProgress, type ProgressStream } from './build-progress.ts';
import { cacheFolder } from './cache-folder.ts';
import type { FreeBytes } from './disk-space.ts';
import { withFileLock } from './file-lock.ts';
import { lacks } from '../helpers/machine-lacks.ts';
import { goBuild, wayOf } from './go-build.ts';
import { findGo } from './go-toolchain.ts';
import { nodeLack } from './node-lack.ts';
import { ToolError } from './tool-error.ts';
import { MODULE, toolPath } from './tool-path.ts';
import { isToolName, TOOL_NAMES, TOOL_SETS, type ToolName, TOOLS } from './tool-table.ts';

export { ToolError, type ToolErrorKind } from './tool-error.ts';
export type { ToolName } from './tool-table.ts';

const HALF_BUILT = '.half-';

export type EnsureOptions = {
  /** Environment: PATH for Go, python3, gcc; Go's own variables; PACTO_GATE_CACHE, XDG_CACHE_HOME. Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Where progress goes. Default: standard error. */
  readonly stream?: ProgressStream;
  /** Free bytes of a folder's disk. Default: asks the system. */
  readonly freeBytes?: FreeBytes;
  /** Ends a build. */
  readonly signal?: AbortSignal;
};

/**
 * Absolute path of a program, which is built first where that was not done yet.
 * @throws ToolError with a message that is complete by itself
 */
export async function ensureTool(name: ToolName, options: EnsureOptions = {}): Promise<string> {
  return (await ensureTools([name], options))[name];
}

/** The same for several at once, which costs less than one after the other: what they share is compiled once. */
export async function ensureTools<N extends ToolName>(
  names: readonly N[],
  options: EnsureOptions = {},
): Promise<Readonly<Record<N, string>>> {
  const env = options.env ?? process.env;
  const cache = cacheFolder(env);
  const folder = join(cache, 'tools');
  const paths = Object.fromEntries(names.map((name) => [name, toolPath(name, env)])) as Record<N, string>;
  const missing = (): N[] => names.filter((name) => !existsSync(paths[name]));
  if (missing().length === 0) return paths;
  await makeFolder(folder);
  const progress = new BuildProgress(options.stream ?? process.stderr);
  const { signal, freeBytes } = options;
  try {
    const onWait = ({ pid }: { pid: number }): void => {
      progress.say(`Waiting for process ${pid}, which is building such programs.`);
    };
    await withFileLock(join(folder, 'lock'), { onWait, signal }, async () => {
      await removeHalfBuilt(folder);
      const left = missing(); // another process may have built some meanwhile
      if (left.length === 0) return;
      const toolchain = await findGo({ env, module: MODULE, cache, progress, freeBytes, signal });
      for (const way of new Set(left.map((name) => wayOf(TOOLS[name])))) {
        const some = left.filter((name) => wayOf(TOOLS[name]) === way);
        const half = await mkdtemp(join(folder, HALF_BUILT));
        try {
          await goBuild({
            toolchain,
            module: MODULE,
            names: some,
            folder: half,
            progress,
            freeBytes,
            signal,
          });
          for (const name of some) await publish(join(half, basename(TOOLS[name].package)), paths[name]);
        } finally {
          await rm(half, { recursive: true, force: true });
        }
      }
    });
  } catch (error) {
    throw asToolError(error, folder, signal);
  } finally {
    progress.stop();
  }
  return paths;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw asToolError(cause, folder, undefined);
  }
}

/** What a build left that was killed. Its process is gone, for otherwise it would hold the lock. */
async function removeHalfBuilt(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(HALF_BUILT)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Moves a finished program to its place in one step, so that nobody ever runs half of one. */
async function publish(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
}

function asToolError(error: unknown, folder: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) {
    return new ToolError('aborted', 'The build was stopped on request.', { cause: error });
  }
  if (error instanceof ToolError) return error;
  const { code, path } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new ToolError(
        'disk-full',
        `The disk of ${path ?? folder} is full: free some space there, or name another folder for built programs by PACTO_GATE_CACHE.`,
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
      return new ToolError(
        'cache-not-writable',
        `Built programs are kept in ${folder}, which cannot be written (${code}): name another folder by PACTO_GATE_CACHE.`,
        { cause: error },
      );
    default:
      return error;
  }
}

/**
 * Run as a command: builds the programs and sets that are named and prints a path a line. Without a name, it builds what
 * this machine can use, and says why when that is not all.
 */
async function main(words: readonly string[]): Promise<number> {
  const names: ToolName[] = [];
  for (const word of words.length === 0 ? await usableSets() : words) {
    if (isToolName(word)) names.push(word);
    else if (isSetName(word)) names.push(...TOOL_SETS[word]);
    else {
      const known = [...Object.keys(TOOL_SETS), ...TOOL_NAMES].join(', ');
      process.stderr.write(`${word} is not known; known are ${known}\n`);
      return 2;
    }
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  try {
    const paths = await ensureTools(names, { signal: stop.signal });
    for (const name of names) process.stdout.write(`${paths[name]}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function usableSets(): Promise<readonly (keyof typeof TOOL_SETS)[]> {
  const lack = await nodeLack();
  if (lack === undefined) return ['common', 'real-node'];
  process.stderr.write(`no real node here, and so none of its programs: ${lacks(lack)}\n`);
  return ['common'];
}

const isSetName = (word: string): word is keyof typeof TOOL_SETS => Object.hasOwn(TOOL_SETS, word);

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
