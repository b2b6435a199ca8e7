// Builds programs of the Go module: counts first what there is to do, says so, and then does it.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BuildProgress } from './build-progress.ts';
import { type FreeBytes, inWords, requireSpace } from './disk-space.ts';
import type { GoToolchain } from './go-toolchain.ts';
import { findProgram, type RunResult, runProgram } from './run-program.ts';
import { ToolError } from './tool-error.ts';
import { type ToolName, TOOLS, type ToolSpec } from './tool-table.ts';

/** Processor time, measured with Go 1.26 and 1.27: the lower figure on quiet cores, the upper one on shared ones. */
const SECONDS_PER_PACKAGE = { quiet: 0.29, shared: 0.58 } as const;
/** Of the build cache: 4.7 GB for 3,300 packages. */
const BYTES_PER_PACKAGE = 1.45e6;
/** All modules, downloaded and unpacked. */
const MODULE_BYTES = 1.1e9;
/** Packages to compile when nothing is there yet, for what is said before they can be counted. */
const COLD_PACKAGES = 3_300;
/** A program, and once more while it is linked. */
const LINK_BYTES = { std: 20e6, module: 180e6 } as const;
/** Below this nobody needs to be told beforehand. */
const QUICK_MINUTES = 0.5;

/** The flags that make a flavour of program. They are part of its key. */
export type BuildFlags = {
  readonly cgo: '0' | '1';
  readonly args: readonly string[];
};

/** Flags of a flavour; the module's version of Kubernetes is written into the programs, as they tell it to others. */
export function buildFlags({ flavour, modfile = 'go.mod' }: ToolSpec, module: string): BuildFlags {
  if (flavour === 'seccomp') return { cgo: '1', args: ['-tags', 'seccomp', '-ldflags', '-s -w'] };
  const version = kubernetesVersion(module, modfile);
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const set = Object.entries(values).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  const versions = modfile === 'go.mod' ? [] : [`-modfile=${modfile}`];
  return { cgo: '0', args: [...versions, '-ldflags', ['-s -w', ...set].join(' ')] };
}

function kubernetesVersion(module: string, modfile: string): string {
  const text = readFileSync(join(module, modfile), 'utf8');
  return /^\s*k8s\.io\/kubernetes (v\S+)/m.exec(text)?.[1] ?? 'v0.0.0';
}

export type BuildJob = {
  readonly toolchain: GoToolchain;
  readonly module: string;
  /** Programs built in one way (see `wayOf`): what they share is compiled once. */
  readonly names: readonly ToolName[];
  /** Existing folder to put the programs in. */
  readonly folder: string;
  readonly progress: BuildProgress;
  readonly freeBytes?: FreeBytes | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** How a program is built, as a word: programs of the same one are built by one command. */
export const wayOf = ({ flavour, modfile = 'go.mod' }: ToolSpec): string => `${flavour} ${modfile}`;

const specOf = ({ names }: BuildJob): ToolSpec => TOOLS[names[0] ?? 'testcluster'];

/** @throws ToolError `system-packages-missing`, `disk-full`, `build-failed`, `aborted` */
export async function goBuild(job: BuildJob): Promise<void> {
  const { names, progress } = job;
  if (specOf(job).flavour === 'seccomp') await requireCompiler(job);
  const modulesMissing = !hasModules(job);
  if (modulesMissing) await announce(job, COLD_PACKAGES, MODULE_BYTES);
  const packages = await countPackages(job);
  if (!modulesMissing) await announce(job, packages, 0);
  const what = names.join(', ');
  progress.phase(`compiling ${what}: package`, packages);
  let compiled = 0;
  const result = await go(job, ['build', '-v'], (line) => {
    if (/[ #]/.test(line)) return; // -v names one package a line; other lines are messages
    progress.step(line);
    compiled += 1;
    if (compiled === packages) progress.phase(`linking ${what}`);
  });
  if (result.code !== 0) throw buildError(job, result);
}

/** Lets go say what it would do, which takes seconds, and counts the compilations in it. Downloads modules. */
async function countPackages(job: BuildJob): Promise<number> {
  job.progress.phase('downloading modules:');
  let packages = 0;
  const result = await go(job, ['build', '-n'], (line) => {
    if (line.startsWith('go: downloading ')) job.progress.step(line.slice('go: downloading '.length));
    if (/\/compile -o \$WORK/.test(line)) packages += 1;
  });
  if (result.code !== 0) throw buildError(job, result);
  return packages;
}

function go(job: BuildJob, command: readonly string[], onLine: (line: string) => void): Promise<RunResult> {
  const { cgo, args } = buildFlags(specOf(job), job.module);
  const packages = job.names.map((name) => TOOLS[name].package);
  const env = { ...job.toolchain.env, CGO_ENABLED: cgo, GOFLAGS: '-trimpath -buildvcs=false' };
  const words = [job.toolchain.go, ...command, ...args, '-o', `${job.folder}/`, ...packages];
  // The machine stays usable for whoever waits.
  const nice = findProgram('nice', env);
  const [file, ...rest] = nice === undefined ? words : [nice, '-n', '10', ...words];
  return runProgram(file ?? '', rest, { env, cwd: job.module, signal: job.signal, onLine });
}

async function announce(job: BuildJob, packages: number, moduleBytes: number): Promise<void> {
  const { names, toolchain, progress } = job;
  const what = names.join(', ');
  const compiled = packages * BYTES_PER_PACKAGE;
  const linked = names.reduce((sum, name) => sum + LINK_BYTES[TOOLS[name].sources], 0);
  const minutes = (each: number): number => (packages * each) / availableParallelism() / 60;
  if (minutes(SECONDS_PER_PACKAGE.shared) > QUICK_MINUTES) {
    const from = Math.max(1, Math.round(minutes(SECONDS_PER_PACKAGE.quiet)));
    const to = Math.max(from + 1, Math.round(minutes(SECONDS_PER_PACKAGE.shared)));
    const bytes = inWords(compiled + moduleBytes + linked);
    progress.say(
      `Building ${what} for the first time: about ${from} to ${to} minutes and ${bytes} of disk while building.`,
    );
  }
  await requireSpace(
    what,
    [
      { folder: toolchain.buildCache, bytes: compiled },
      { folder: toolchain.moduleCache, bytes: moduleBytes },
      { folder: dirname(job.folder), bytes: linked },
      { folder: tmpdir(), bytes: linked }, // where go puts what it hands from one step to the next
    ],
    job.freeBytes,
  );
}

/** Whether the largest module is there, and so, unless a download was broken off, the others are. */
function hasModules(job: BuildJob): boolean {
  const { names, module, toolchain } = job;
  if (names.every((name) => TOOLS[name].sources === 'std')) return true;
  return existsSync(
    join(
      toolchain.moduleCache,
      'k8s.io',
      `kubernetes@${kubernetesVersion(module, specOf(job).modfile ?? 'go.mod')}`,
    ),
  );
}

/** Debian names of the packages that the flavour `seccomp` is built with and that are not installed. */
export async function missingPackages(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const missing: string[] = [];
  if (findProgram('gcc', env) === undefined) missing.push('gcc');
  const pkgConfig = findProgram('pkg-config', env);
  if (pkgConfig === undefined) missing.push('pkg-config');
  const found = pkgConfig && (await runProgram(pkgConfig, ['--exists', 'libseccomp'], { env })).code === 0;
  if (!found) missing.push('libseccomp-dev');
  return missing;
}

async function requireCompiler(job: BuildJob): Promise<void> {
  const missing = await missingPackages(job.toolchain.env);
  if (missing.length > 0) {
    throw new ToolError(
      'system-packages-missing',
      `Building ${job.names.join(', ')} needs system packages that are missing: apt-get install ${missing.join(' ')} (Debian and Ubuntu names).`,
    );
  }
}

function buildError(job: BuildJob, { lastLines, code }: RunResult): ToolError {
  const what = job.names.join(', ');
  const full = lastLines.find((line) => /no space left on device|disk quota exceeded/i.test(line));
  if (full !== undefined) {
    return new ToolError(
      'disk-full',
      `Building ${what} stopped since a disk ran full (${full.trim()}): free some space there, or name folders on another disk by GOCACHE, GOMODCACHE, TMPDIR and PACTO_GATE_CACHE.`,
    );
  }
  const said = lastLines.filter((line) => !line.startsWith('go: downloading ')).join('\n');
  return new ToolError(
    'build-failed',
    `Building ${what} failed: ${job.toolchain.go} ended with ${code ?? 'a signal'} and said:\n${said}`,
  );
}
