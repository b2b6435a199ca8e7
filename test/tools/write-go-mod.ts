// Writes the module files anew for other versions of Kubernetes: node test/tools/write-go-mod.ts 1.37.2 [1.34.9]
//
// The first is that of everything, in go.mod; the second, that of a further control plane and kubelet, in go.older.mod.
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.ts';

/** Oldest Go that builds the versions below. */
const GO = '1.26.7';

/** Programs that are built as their authors made them, with the modules they come from. */
const PROGRAMS = [
  'helm.sh/helm/v3/cmd/helm@v3.22.0',
  'oras.land/oras/cmd/oras@v1.3.6',
  'github.com/containerd/containerd/v2/cmd/containerd@v2.4.2',
  'github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2@v2.4.2',
  'github.com/containerd/containerd/v2/cmd/ctr@v2.4.2',
  'github.com/opencontainers/runc@v1.5.3',
  'github.com/containernetworking/plugins/plugins/main/bridge@v1.9.1',
  'github.com/containernetworking/plugins/plugins/main/loopback@v1.9.1',
  'github.com/containernetworking/plugins/plugins/ipam/host-local@v1.9.1',
];

/** Libraries whose version is chosen here. In a command of their own, for `go get -tool` takes all it is given for programs. */
const LIBRARIES = [
  'github.com/fluxcd/pkg/runtime@v0.117.0',
  'github.com/yuin/gopher-lua@v1.1.2',
  'github.com/distribution/distribution/v3@v3.1.2',
];

const MODULE = dirname(fileURLToPath(import.meta.url));

async function go(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOWORK: 'off' };
  const onLine = (line: string): void => void process.stderr.write(`${line}\n`);
  const { code, stdout } = await runProgram('go', args, { env, cwd, onLine });
  if (code !== 0) throw new Error(`go ${args.join(' ')} ended with ${code}`);
  return stdout;
}

/** Kubernetes points its libraries at folders that its module does not carry; each has a module of its own beside it. */
async function replacements(version: string): Promise<string> {
  const download: unknown = JSON.parse(
    await go(tmpdir(), 'mod', 'download', '-json', `k8s.io/kubernetes@v${version}`),
  );
  const { GoMod } = download as { GoMod: string };
  const staged = (await readFile(GoMod, 'utf8')).matchAll(/^\t(k8s\.io\/[a-z-]+) => \.\/staging/gm);
  const minor = version.replace(/^1\./, '0.');
  return Array.from(staged, ([, name]) => `\t${name} => ${name} v${minor}\n`).join('');
}

async function writeHead(folder: string, version: string): Promise<void> {
  const head = `module pacto-gate.test/tools\n\ngo ${GO}\n\nrequire k8s.io/kubernetes v${version}\n`;
  await writeFile(join(folder, 'go.mod'), `${head}\nreplace (\n${await replacements(version)})\n`);
}

/** Of `testcluster` alone, for the other programs ask for newer libraries. So it is done where there is nothing else. */
async function writeOlder(version: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pacto-gate-go-mod-'));
  try {
    await cp(join(MODULE, 'testcluster'), join(folder, 'testcluster'), { recursive: true });
    await writeHead(folder, version);
    await go(folder, 'mod', 'tidy');
    for (const end of ['mod', 'sum']) {
      await copyFile(join(folder, `go.${end}`), join(MODULE, `go.older.${end}`));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [newest, older] = process.argv.slice(2);
const isVersion = (text: string | undefined): boolean => text === undefined || /^1\.\d+\.\d+$/.test(text);
if (newest === undefined || !isVersion(newest) || !isVersion(older)) {
  process.stderr.write('usage: node test/tools/write-go-mod.ts 1.MINOR.PATCH [1.OLDER.PATCH]\n');
  process.exitCode = 2;
} else {
  await writeHead(MODULE, newest);
  await go(MODULE, 'get', '-tool', ...PROGRAMS);
  await go(MODULE, 'get', ...LIBRARIES);
  await go(MODULE, 'mod', 'tidy');
  if (older !== undefined) await writeOlder(older);
}
