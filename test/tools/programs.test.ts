// The small programs of the Go module do what other tests rely on.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, test, type TestContext } from 'node:test';
import { extract } from 'tar-stream';
import { type Finished, finished } from '../helpers/finished.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { ensureTools } from './build.ts';

const NAMES = ['luarun', 'celeval', 'registry', 'image', 'workload', 'cluster-up'] as const;
let tools: Readonly<Record<(typeof NAMES)[number], string>>;
before(async () => {
  tools = await ensureTools(NAMES);
});

function run(program: string, args: readonly string[], input = ''): Promise<Finished> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}); // it may end before it has read everything
  child.stdin.end(input);
  return finished(child);
}

/** A program that runs until its input closes; the first line it writes. */
async function running(
  t: TestContext,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(async () => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, line };
}

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', generation: 2 },
  status: { observedGeneration: 2, replicas: 3 },
});

test('luarun/ gives a script the object and what Argo CD gives it, and no more', async (t) => {
  const script = join(await temporaryFolder(t), 'health.lua');
  const lua = async (text: string): Promise<Finished> => {
    await writeFile(script, text);
    return run(tools.luarun, [script], deployment);
  };
  const health = await lua(`hs = {}
if obj.status.replicas == 3 then hs.status = "Healthy" end
hs.names = {}
table.insert(hs.names, obj.metadata.name)
return hs`);
  assert.deepEqual(JSON.parse(health.stdout), { status: 'Healthy', names: ['web'] });
  const open = await lua(`return {
  string == nil, math == nil, io == nil, os.execute == nil, package.loaded.os.getenv == nil, os.time() > 0 }`);
  assert.deepEqual(JSON.parse(open.stdout), [true, true, true, true, true, true]);
  const endless = await lua('while true do end');
  assert.equal(endless.code, 1);
  assert.match(endless.stderr, /deadline exceeded/);
  assert.equal((await lua('this is no Lua')).code, 1);
});

test('celeval/ gives the status and the values that Flux gives', async () => {
  const expressions = JSON.stringify({
    current: 'status.replicas == 3',
    failed: 'status.replicas == 0',
    inProgress: 'status.replicas in [1, 2]', // looked at before `failed`
  });
  const status = async (object: string): Promise<string> =>
    (await run(tools.celeval, [expressions], object)).stdout;
  assert.equal(await status(deployment), 'Current\n');
  assert.equal(await status(deployment.replace('"replicas":3', '"replicas":1')), 'InProgress\n');
  assert.equal(await status(deployment.replace('"replicas":3', '"replicas":0')), 'Failed\n');
  assert.equal(
    await status(deployment.replace('"observedGeneration":2', '"observedGeneration":1')),
    'InProgress\n',
  );
  assert.deepEqual(await run(tools.celeval, ['-e', 'has(status.phase)'], deployment), {
    code: 0,
    stdout: 'false\n',
    stderr: '',
  });
  const wrong = await run(tools.celeval, ['-e', 'status.('], deployment);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /^celeval: .*[Ss]yntax error/s);
});

test('registry/ answers truly but for the faults it is told, keeps a log, and ends with its input', async (t) => {
  const { child, line: url } = await running(t, tools.registry, []);
  const put = (faults: unknown): Promise<Response> =>
    fetch(`${url}/_faults`, { method: 'PUT', body: JSON.stringify(faults) });
  assert.equal((await fetch(`${url}/v2/`)).status, 200);
  assert.equal((await put([{ path: '(' }])).status, 400);
  await put([
    { path: '^/v2/$', times: 1, status: 429, header: { 'retry-after': '7' }, body: 'later' },
    { path: '^/v2/x/tags', times: 1, cut: 5 },
  ]);
  const limited = await fetch(`${url}/v2/`);
  assert.deepEqual(
    [limited.status, limited.headers.get('retry-after'), await limited.text()],
    [429, '7', 'later'],
  );
  assert.equal((await fetch(`${url}/v2/`)).status, 200);
  await assert.rejects(fetch(`${url}/v2/x/tags/list`).then((answer) => answer.text()));
  const { faults, log } = (await (await fetch(`${url}/_faults`)).json()) as {
    faults: { times: number }[];
    log: string[];
  };
  assert.deepEqual(
    faults.map(({ times }) => times),
    [0, 0],
  );
  assert.deepEqual(log, ['GET /v2/', 'GET /v2/', 'GET /v2/', 'GET /v2/x/tags/list']);
  child.stdin?.end();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('registry/ asks for the password it was given and leaves no file of it', async (t) => {
  const folder = await temporaryFolder(t);
  const args = ['-user', 'reader', '-password', 'a word'];
  const { child, line: url } = await running(t, tools.registry, args, { ...process.env, TMPDIR: folder });
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${url}/v2/`, { headers })).status;
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  assert.equal(await status({}), 401);
  assert.equal(await status({ authorization: basic('reader:another') }), 401);
  assert.equal(await status({ authorization: basic('reader:a word') }), 200);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.deepEqual(await readdir(folder), []);
});

test('image/ packs equal files to equal images, follows a link that is named, and says the digest', async (t) => {
  const folder = await temporaryFolder(t);
  const file = (name: string): string => join(folder, name);
  await writeFile(file('program'), 'text', { mode: 0o755 });
  await symlink('program', file('link'));
  const pack = async (out: string, version: string): Promise<string> => {
    const flags = [
      '-o',
      file(out),
      '-ref',
      'registry.test/web:1',
      '-entrypoint',
      '/bin/web -x',
      '-env',
      version,
    ];
    const { code, stdout, stderr } = await run(tools.image, [...flags, `${file('link')}=/bin/web`]);
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  const digest = await pack('a.tar', 'VERSION=1');
  assert.match(digest, /^sha256:[0-9a-f]{64}$/);
  assert.equal(await pack('b.tar', 'VERSION=1'), digest);
  assert.notEqual(await pack('c.tar', 'VERSION=2'), digest);
  const layout = await filesOf(file('a.tar'));
  const blob = (name: string): string => layout.get(`blobs/${name.replace(':', '/')}`) ?? '';
  const index = JSON.parse(layout.get('index.json') ?? '') as { manifests: { digest: string }[] };
  assert.equal(index.manifests[0]?.digest, digest);
  const manifest = JSON.parse(blob(digest)) as { config: { digest: string }; layers: { digest: string }[] };
  const { config } = JSON.parse(blob(manifest.config.digest)) as { config: object };
  assert.deepEqual(config, { Entrypoint: ['/bin/web', '-x'], Env: ['VERSION=1'], User: '' });
  await writeFile(file('layer.tar'), blob(manifest.layers[0]?.digest ?? ''));
  assert.deepEqual(
    [...(await filesOf(file('layer.tar')))],
    [
      ['bin/', ''],
      ['bin/web', 'text'],
    ],
  );
});

async function filesOf(tar: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const entry of createReadStream(tar).pipe(extract())) {
    let text = '';
    for await (const chunk of entry) text += String(chunk);
    files.set(entry.header.name, text);
  }
  return files;
}

test('workload/ tells its state and changes its health as it is told', async (t) => {
  const { line } = await running(t, tools.workload, ['-control', '0', '-unready'], {
    ...process.env,
    VERSION: 'v7',
  });
  const port = /with control at \S*:(\d+)$/.exec(line)?.[1];
  const url = `http://127.0.0.1:${port}`;
  const health = async (): Promise<number> => (await fetch(`${url}/healthz`)).status;
  assert.equal(await health(), 503);
  await fetch(`${url}/healthz?ready=true`, { method: 'PUT' });
  assert.equal(await health(), 200);
  assert.equal((await fetch(`${url}/listen?kind=none&port=1`, { method: 'PUT' })).status, 409);
  const state = (await (await fetch(url)).json()) as Record<string, unknown>;
  assert.deepEqual([state['version'], state['ready'], state['listen'], state['peers']], ['v7', true, {}, {}]);
});

test('cluster-up/ refuses arguments it does not know in one sentence', async () => {
  for (const [args, words] of [
    [[], /--dir is required/],
    [['--dir', 'x', '--parts', 'etcd,nonsense'], /"nonsense" is none of etcd, apiserver/],
    [['--dir', 'x', '--arg', 'etcd'], /want PART=FLAG/],
  ] as const) {
    const { code, stderr } = await run(tools['cluster-up'], args);
    assert.equal(code, 2);
    assert.match(stderr, words);
  }
});
