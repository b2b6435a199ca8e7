// The children that reach registries: how they are called, what they are told, and that nothing of them stays behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ChildLimits } from '../../contract/registry/child-limits.ts';
import { classifyOras } from '../../contract/registry/classify-oras.ts';
import { CredentialFolders } from '../../contract/registry/credential-folders.ts';
import { OrasClient } from '../../contract/registry/oras-client.ts';
import { systemClock } from '../../runtime/clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { script } from './fixtures-oras.ts';
import { failureOf, reference, rig } from './loader-support.ts';

const CREDENTIALS = {
  kind: 'credentials',
  credentials: { kind: 'basic', username: 'u', password: 'p' },
} as const;

test('oras is called by an array of words, the reference behind --, and knows nothing it need not', async (t) => {
  const folder = await temporaryFolder(t);
  const program = await script(
    folder,
    'for word in "$@"; do echo "word $word"; done; env; cat "${4#--registry-config=}"',
  );
  const oras = new OrasClient({
    program,
    env: { PATH: process.env['PATH'], HTTPS_PROXY: 'http://proxy.example.com', SECRET: 'x' },
    insecureRegistries: [' plain.example.com ', ''],
    folders: new CredentialFolders(folder),
    timers: systemClock.timers,
  });
  const said = async (text: string): Promise<string> => {
    const answer = await oras.manifest(reference(text), CREDENTIALS, t.signal);
    return answer.kind === 'answer' ? answer.value.toString() : answer.failure.message;
  };
  const secure = await said('registry.example.com/a/b:1');
  assert.match(
    secure,
    /^word manifest\nword fetch\nword --plain-http=false\nword --registry-config=\S+\nword --\nword registry\.example\.com\/a\/b:1\n/,
  );
  assert.match(secure, /"registry\.example\.com":\{"auth":"dTpw"\}/);
  assert.match(secure, /HTTPS_PROXY=/);
  assert.doesNotMatch(secure, /SECRET=/);
  assert.doesNotMatch(
    secure
      .split('\n')
      .filter((line) => line.startsWith('word '))
      .join(),
    /dTpw/,
  );
  assert.match(await said('plain.example.com/a/b:1'), /--plain-http=true/);
  assert.deepEqual(await readdir(folder), ['oras']);
});

test('credentials lie in a folder and a file that are for this user alone', async (t) => {
  const root = await temporaryFolder(t);
  const file = await new CredentialFolders(root).write('secret');
  const [folder = ''] = await readdir(root);
  assert.equal((await stat(join(root, folder))).mode & 0o777, 0o700);
  assert.equal((await stat(file.path)).mode & 0o777, 0o600);
  assert.equal(await readFile(file.path, 'utf8'), 'secret');
  await file.remove();
  assert.deepEqual(await readdir(root), []);
});

test('what a killed process left is removed by the next; what belongs to a living one stays', async (t) => {
  const root = await temporaryFolder(t);
  const holder = fileURLToPath(new URL('hold-credentials.ts', import.meta.url));
  const child = spawn(process.execPath, [holder, root], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(createInterface({ input: child.stdout }), 'line');
  const left = await readdir(root);
  assert.equal(left.length, 1);
  await mkdir(join(root, 'pacto-gate-registry-not-ours'));
  const first = await new CredentialFolders(root).write('x');
  assert.ok((await readdir(root)).includes(left[0] ?? ''), 'its process lives');
  child.kill('SIGKILL');
  await once(child, 'close');
  await new CredentialFolders(root).sweep();
  assert.equal((await readdir(root)).includes(left[0] ?? ''), false);
  await first.remove();
  assert.deepEqual(await readdir(root), ['pacto-gate-registry-not-ours']);
});

test('a process that ends in the middle of a load takes its credentials along', async (t) => {
  const root = await temporaryFolder(t);
  const holder = fileURLToPath(new URL('hold-credentials.ts', import.meta.url));
  const child = spawn(process.execPath, [holder, root, 'throw'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [code] = (await once(child, 'close')) as [number];
  assert.notEqual(code, 0);
  assert.deepEqual(await readdir(root), []);
});

test('a registry that never answers is given up after the time of a request', async (t) => {
  const folder = await temporaryFolder(t);
  const program = await script(folder, 'exec sleep 600');
  const r = await rig(t, { program, requestTimeoutMs: 200 });
  const failure = failureOf(await r.loader.load({ oci: 'registry.example.com/a/b:1' }, t.signal));
  assert.equal(failure.kind, 'unreachable');
  assert.match(failure.message, /no complete answer within 200 ms/);
});

test('a load has a time of its own', async (t) => {
  const folder = await temporaryFolder(t);
  const program = await script(folder, 'exec sleep 600');
  const r = await rig(t, { program, loadTimeoutMs: 200 });
  const failure = failureOf(await r.loader.load({ oci: 'registry.example.com/a/b:1' }, t.signal));
  assert.equal(failure.kind, 'unreachable');
  assert.match(failure.message, /no bundle within 200 ms/);
});

test('output without end is cut', async (t) => {
  const folder = await temporaryFolder(t);
  const program = await script(folder, `while :; do echo ${'y'.repeat(4000)}; done`);
  const r = await rig(t, { program });
  const manifest = failureOf(await r.loader.load({ oci: 'registry.example.com/a/b:1' }, t.signal));
  assert.equal(manifest.kind, 'invalid-bundle');
  assert.match(manifest.message, /its manifest is larger than 4194304 bytes/);
  const tags = failureOf(await r.loader.load({ oci: 'registry.example.com/a/b' }, t.signal));
  assert.equal(tags.kind, 'unreachable');
  assert.match(tags.message, /registry unreachable for \S+\/a\/b: its list of tags does not end$/);
});

test('a process out of file descriptors cannot start a child, and says so', async () => {
  const holder = fileURLToPath(new URL('hold-descriptors.ts', import.meta.url));
  const limited = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, holder];
  const child = spawn('sh', limited, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(said), { kind: 'not-started', reason: 'EMFILE' });
});

test('bytes that do not have their digest are refused here, whatever oras thinks of them', async (t) => {
  const folder = await temporaryFolder(t);
  const program = await script(folder, 'echo something else');
  const r = await rig(t, { program });
  const oci = `registry.example.com/a/b@sha256:${'0'.repeat(64)}`;
  const failure = failureOf(await r.loader.load({ oci }, t.signal));
  assert.equal(failure.kind, 'invalid-bundle');
  assert.match(failure.message, /its bytes do not have the digest sha256:0+$/);
  const descriptor = { mediaType: '', digest: `sha512:${'0'.repeat(128)}`, size: 15 };
  const blob = await r.oras.blob(reference(oci), descriptor, { kind: 'anonymous' }, t.signal);
  assert.equal(blob.kind === 'failed' && blob.failure.kind, 'invalid-bundle');
});

test('one child at a time for a reference, eight in all', async () => {
  const limits = new ChildLimits(8);
  const running = new Map<string, number>();
  let most = 0;
  const work = (key: string) => async (): Promise<void> => {
    running.set(key, (running.get(key) ?? 0) + 1);
    assert.equal(running.get(key), 1, `two at a time for ${key}`);
    most = Math.max(
      most,
      running.values().reduce((a, b) => a + b, 0),
    );
    await new Promise((resolve) => setImmediate(resolve));
    running.set(key, 0);
  };
  const { signal } = new AbortController();
  await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      limits.run({ key: `key ${i % 20}`, group: `group ${i % 5}` }, signal, work(`key ${i % 20}`)),
    ),
  );
  assert.equal(most, 8);
});

test('who waits for a turn can leave, and the turn is not lost', async () => {
  const limits = new ChildLimits(1);
  const { signal } = new AbortController();
  let release: () => void = () => undefined;
  const first = limits.run(
    { key: 'a', group: 'a' },
    signal,
    () => new Promise<void>((resolve) => (release = resolve)),
  );
  const leaving = new AbortController();
  const same = limits.run({ key: 'a', group: 'a' }, leaving.signal, () => Promise.resolve('same'));
  const other = limits.run({ key: 'b', group: 'b' }, leaving.signal, () => Promise.resolve('other'));
  const third = limits.run({ key: 'c', group: 'c' }, signal, () => Promise.resolve('third'));
  leaving.abort(new Error('left'));
  await assert.rejects(same, /left/);
  await assert.rejects(other, /left/);
  await new Promise((resolve) => setImmediate(resolve));
  release();
  await first;
  assert.equal(await third, 'third');
});

test('one registry takes half of the places, so that one that hangs leaves room for the others', async () => {
  const limits = new ChildLimits(8);
  const { signal } = new AbortController();
  let release: () => void = () => undefined;
  const hang = new Promise<void>((resolve) => (release = resolve));
  let hanging = 0;
  const held = Array.from({ length: 20 }, (_, i) =>
    limits.run({ key: `slow ${i}`, group: 'slow' }, signal, () => {
      hanging += 1;
      return hang;
    }),
  );
  const quick = await limits.run({ key: 'quick', group: 'quick' }, signal, () => Promise.resolve(hanging));
  assert.equal(quick, 4);
  release();
  await Promise.all(held);
  assert.equal(hanging, 20);
});

/** Lets the file of credentials be written and then not be removed. */
class StuckFolders extends CredentialFolders {
  override async write(text: string): Promise<{ readonly path: string; remove(): Promise<void> }> {
    const file = await super.write(text);
    return {
      path: file.path,
      remove: async () => {
        await file.remove();
        throw new Error('the folder is busy');
      },
    };
  }
}

test('an answer is not lost because credentials could not be removed, or because oras could not be started', async (t) => {
  const folder = await temporaryFolder(t);
  const program = await script(folder, 'echo answer');
  const base = { program, env: { PATH: process.env['PATH'] }, timers: systemClock.timers };
  const stuck = new OrasClient({ ...base, folders: new StuckFolders(folder) });
  const oci = reference('registry.example.com/a/b:1');
  const answer = await stuck.manifest(oci, CREDENTIALS, t.signal);
  assert.equal(answer.kind === 'answer' && answer.value.toString(), 'answer\n');
  // More environment than the system hands to a program: spawn throws instead of telling by an event.
  const env = { ...base.env, NO_PROXY: 'x'.repeat(4 * 1024 * 1024) };
  const large = new OrasClient({ ...base, env, folders: new CredentialFolders(folder) });
  const failed = await large.manifest(oci, CREDENTIALS, t.signal);
  assert.match(failed.kind === 'failed' ? failed.failure.message : '', /cannot run .* to reach .*: E2BIG$/);
  assert.deepEqual(await readdir(folder), ['oras']);
});

test('credentials that come back in what oras says are left out', async (t) => {
  const folder = await temporaryFolder(t);
  const said = [
    'Error response from registry: unauthorized: Basic YWRhOmNvcnJlY3QtaG9yc2U= of correct-horse is wrong',
    'at https://ada:correct-horse@registry.example.com/v2/?X-Signature=abcdef0123',
  ].join(' ');
  const program = await script(folder, `echo '${said}' >&2; exit 1`);
  const r = await rig(t, { program });
  const credentials = { kind: 'basic', username: 'ada', password: 'correct-horse' } as const;
  const load = { oci: 'registry.example.com/a/b:1', credentials };
  const { kind, message } = failureOf(await r.loader.load(load, t.signal));
  assert.equal(kind, 'authentication');
  assert.doesNotMatch(message, /correct-horse|YWRhOmNvcnJlY3QtaG9yc2U|abcdef0123/);
  assert.match(message, /https:\/\/\*\*\*@registry\.example\.com\/v2\/\?\*\*\*; check the pull secret/);
});

test('what oras says at its end, and what it means', () => {
  const rows: readonly (readonly [errors: string, kind: string])[] = [
    [
      'Error response from registry: GET "https://r/v2/": response status code 401: Unauthorized',
      'authentication',
    ],
    ['Error response from registry: denied: requested access to the resource is denied', 'authentication'],
    ['Error: failed to fetch the content of "r/a:1": basic credential not found', 'authentication'],
    [
      'Error: failed to fetch "r/a:1": GET "https://r/v2/": failed to resolve credential: exit status 3',
      'authentication',
    ],
    ['Error: failed to decode config file c.json: invalid config format: unexpected EOF', 'authentication'],
    ['Error response from registry: failed to fetch the content of "r/a:1": r/a:1: not found', 'not-found'],
    ['Error response from registry: name unknown: repository name not known to registry', 'not-found'],
    ['Error response from registry: toomanyrequests: slow down', 'unreachable'],
    ['Error: "r/A:1": invalid reference: invalid repository "A"', 'invalid-reference'],
    ['Error: Get "https://r/v2/": dial tcp: lookup r: no such host', 'unreachable'],
    ['Error: Get "https://r/v2/": tls: failed to verify certificate: x509: unknown authority', 'unreachable'],
    ['Error: unexpected EOF', 'unreachable'],
    ['Error: mismatched digest', 'invalid-bundle'],
    ['Error: something nobody has seen', 'unclassified'],
    ['', 'unclassified'],
  ];
  for (const [errors, kind] of rows) assert.equal(classifyOras(errors).kind, kind, errors);
});
