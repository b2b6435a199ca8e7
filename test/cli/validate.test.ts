// `pacto-gate validate`, `pack` and `push` as a person and a pipeline see them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { reportOn } from '../../cli/validate/command.ts';
import { ContractChecker, LARGE_TEXT_BYTES } from '../../contract/check/contract-checker.ts';
import { systemClock } from '../../runtime/clock.ts';
import { startRegistry } from '../contract/registry-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { ensureTool } from '../tools/build.ts';
import { pactoGate } from './validate-support.ts';

const BASE = 'pactoVersion: "2.0"\nservice:\n  name: svc\n  version: 1.0.0\n';

/** A folder with files by path. */
async function bundle(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

type Validation = {
  readonly kind: string;
  readonly valid: boolean;
  readonly contract: unknown;
  readonly findings: readonly Readonly<Record<string, unknown>>[];
  readonly notes: readonly Readonly<Record<string, unknown>>[];
};

async function asJson(
  t: TestContext,
  words: readonly string[],
): Promise<Validation & { readonly code: number }> {
  const { code, out } = await pactoGate(t, ['validate', '-o', 'json', ...words]);
  return { ...(JSON.parse(out) as Validation), code };
}

test('a valid bundle', async (t) => {
  const folder = await bundle(t, { 'pacto.yaml': BASE });
  assert.deepEqual(await pactoGate(t, ['validate', folder]), {
    code: 0,
    out: `${folder}/pacto.yaml: svc 1.0.0 is valid\n`,
    err: '',
  });
});

test('the line with a caret below what is wrong', async (t) => {
  const folder = await bundle(t, { 'pacto.yaml': BASE.replace('1.0.0', 'latest') });
  const { code, out } = await pactoGate(t, ['validate', folder]);
  assert.equal(code, 1);
  assert.equal(
    out,
    `error[INVALID_SEMVER]: "latest" is not a semantic version; write major.minor.patch, for example 1.4.0
  --> ${folder}/pacto.yaml:4:12  service.version
  |
4 |   version: latest
  |            ^^^^^^

${folder}/pacto.yaml: svc latest is invalid (1 error)
`,
  );
});

test('a long line is shown where it matters, and text cannot move the cursor', async (t) => {
  const long = `metadata: { ${'a'.repeat(300)}: 1, b: no, ${'c'.repeat(300)}: 1 }`;
  const folder = await bundle(t, { 'pacto.yaml': `${BASE}${long}\n`, 'x.yaml': 'a: "\u001b[31m"' });
  const { out } = await pactoGate(t, ['validate', folder], { columns: 60 });
  assert.match(out, /^5 \| ….*b: no.*…$/m);
  const lines = out.split('\n');
  const shown = lines.findIndex((line) => line.startsWith('5 |'));
  const caret = (lines[shown + 1] ?? '').indexOf('^');
  assert.equal((lines[shown] ?? '').slice(caret, caret + 2), 'no');
  const hostile = await pactoGate(t, ['validate', path.join(folder, 'x.yaml')]);
  assert.ok(!hostile.out.includes('\u001B'));
});

test('findings as JSON: the fields, errors before warnings, and a file for each', async (t) => {
  const dependency =
    'dependencies: [{ name: db, ref: "oci://r.example.com/a/db:1.0.0", required: true, compatibility: "^1" }]\n';
  const folder = await bundle(t, { 'pacto.yaml': BASE.replace('1.0.0', 'latest') + dependency });
  const file = `${folder}/pacto.yaml`;
  const { code, kind, valid, contract, findings } = await asJson(t, [folder]);
  assert.deepEqual(
    [code, kind, valid, contract],
    [1, 'Validation', false, { name: 'svc', version: 'latest' }],
  );
  assert.deepEqual(findings[0], {
    ...{ code: 'INVALID_SEMVER', severity: 'error', category: 'InvalidVersion', path: 'service.version' },
    ...{ subject: null, line: 4, column: 12, file },
    message: '"latest" is not a semantic version; write major.minor.patch, for example 1.4.0',
  });
  assert.deepEqual(
    findings.map((finding) => [finding['code'], finding['severity'], finding['line']]),
    [
      ['INVALID_SEMVER', 'error', 4],
      ['TAG_NOT_DIGEST', 'warning', 5],
    ],
  );
});

test('SARIF names rules and regions; GitHub gets workflow commands', async (t) => {
  const folder = await bundle(t, { 'pacto.yaml': BASE.replace('1.0.0', 'a%b') });
  const sarif = await pactoGate(t, ['validate', '-o', 'sarif', folder]);
  const { version, runs } = JSON.parse(sarif.out) as {
    readonly version: string;
    readonly runs: readonly {
      readonly tool: unknown;
      readonly results: readonly Readonly<Record<string, unknown>>[];
    }[];
  };
  assert.equal(version, '2.1.0');
  assert.deepEqual(runs[0]?.results[0]?.['locations'], [
    {
      physicalLocation: {
        artifactLocation: { uri: `${folder}/pacto.yaml` },
        region: { startLine: 4, startColumn: 12 },
      },
      logicalLocations: [{ fullyQualifiedName: 'service.version' }],
    },
  ]);
  assert.match(sarif.out, /"shortDescription": \{\s+"text": "service\.version is no semantic version\."/);
  assert.match(sarif.out, /"help": \{\s+"text": "Give `service\.version` three numbers/);
  const github = await pactoGate(t, ['validate', '-o', 'github', folder]);
  assert.match(
    github.out,
    /^::error file=.*\/pacto\.yaml,line=4,col=12,title=INVALID_SEMVER::service\.version: "a%25b" is/,
  );
});

test('a contract that cannot be loaded has the label PARSE_ERROR and its place', async (t) => {
  const folder = await bundle(t, { 'pacto.yaml': `${BASE}runtime: {}\n` });
  const { code, findings, contract } = await asJson(t, [folder]);
  assert.deepEqual([code, contract], [1, null]);
  const [finding] = findings;
  assert.deepEqual([finding?.['code'], finding?.['category'], finding?.['line']], ['PARSE_ERROR', '', 5]);
});

test('a folder and a pacto.yaml are bundles; other files, --inline and standard input are text alone', async (t) => {
  const text = `${BASE}interfaces: [{ name: api, type: openapi, ref: gone.yaml }]\n`;
  const folder = await bundle(t, { 'pacto.yaml': text, 'other.yaml': text });
  const codes = async (...words: readonly string[]): Promise<unknown> =>
    (await asJson(t, words)).findings.map((finding) => finding['code']);
  assert.deepEqual(await codes(folder), ['FILE_NOT_FOUND']);
  assert.deepEqual(await codes(`${folder}/pacto.yaml`), ['FILE_NOT_FOUND']);
  assert.deepEqual(await codes(`${folder}/other.yaml`), []);
  assert.deepEqual(await codes('--inline', folder), []);
  const program = fileURLToPath(new URL('run-sources.ts', import.meta.url));
  const child = spawn(process.execPath, [program, 'validate', '-o', 'json', '-']);
  child.stdin.end(text);
  let said = '';
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  assert.deepEqual(await once(child, 'close'), [0, null], 'no bundle, no missing file');
  assert.match(said, /"valid": true/);
});

test('files of a bundle are looked at, and none outside of it', async (t) => {
  const schema = '{"properties": {"PORT": {"type": "integer"}}}';
  const configuration = (file: string): string =>
    `${BASE}configurations: [{ name: app, required: true, schema: ${file}, values: { PORT: eighty } }]\n`;
  const folder = await bundle(t, {
    'pacto.yaml': configuration('c.json'),
    'c.json': schema,
    'sub/pacto.yaml': configuration('../c.json'),
  });
  const codes = async (...words: readonly string[]): Promise<unknown> =>
    (await asJson(t, words)).findings.map((finding) => finding['code']);
  assert.deepEqual(await codes(folder), ['CONFIG_VALUES_VALIDATION_FAILED']);
  assert.deepEqual(await codes(`${folder}/sub`), ['FILE_NOT_FOUND']);
});

test('--resolve follows policies to folders and registries', async (t) => {
  const rule = '{"properties": {"service": {"required": ["owner"]}}}';
  const folder = await bundle(t, {
    'svc/pacto.yaml': `${BASE}policies: [{ name: house, ref: ../house }]\n`,
    'house/pacto.yaml': `${BASE}  owner: { team: platform }\npolicies: [{ name: owners, schema: rules/owners.json }]\n`,
    'house/rules/owners.json': rule,
    'loop/pacto.yaml': `${BASE}policies: [{ name: again, ref: ../loop }]\n`,
  });
  const svc = path.join(folder, 'svc');
  const alone = await asJson(t, [svc]);
  assert.deepEqual(
    alone.findings.map((finding) => finding['code']),
    ['POLICY_REF_NOT_ENFORCED'],
  );
  assert.equal(alone.code, 0);
  const resolved = await asJson(t, ['--resolve', svc]);
  assert.deepEqual(
    resolved.findings.map((finding) => finding['message']),
    [`policy ../house → policies["owners"]: at '/service': missing property 'owner'`],
  );
  const loop = await asJson(t, ['--resolve', path.join(folder, 'loop')]);
  assert.deepEqual(
    loop.findings.map((finding) => finding['code']),
    ['POLICY_REF_CYCLE'],
  );

  const registry = await startRegistry(t);
  const access = ['--oras', await ensureTool('oras'), '--insecure-registry', registry.host];
  const target = `oci://${registry.host}/acme/house`;
  const pushed = await pactoGate(t, ['push', path.join(folder, 'house'), target, ...access]);
  assert.deepEqual([pushed.err, pushed.code], ['', 0]);
  assert.match(pushed.out, /^127\.0\.0\.1:\d+\/acme\/house:1\.0\.0@sha256:[0-9a-f]{64}\n$/);
  const named = await pactoGate(t, ['push', path.join(folder, 'house'), `${target}:stable`, ...access]);
  assert.equal(named.code, 0);
  assert.match(named.err, /note: the tag is stable and the contract says version 1\.0\.0/);
  await writeFile(
    path.join(svc, 'pacto.yaml'),
    `${BASE}policies: [{ name: house, ref: "${target}:1.0.0" }]\n`,
  );
  const fetched = await asJson(t, ['--resolve', svc, ...access]);
  assert.deepEqual(
    fetched.findings.map((finding) => finding['code']),
    ['POLICY_VIOLATION'],
  );
  const published = await asJson(t, [`${target}:1.0.0`, ...access]);
  assert.deepEqual([published.valid, published.findings], [true, []]);
});

test('what cannot be fetched is not said to be invalid', async (t) => {
  const gone = await pactoGate(t, [
    'validate',
    'oci://127.0.0.1:1/acme/svc:1.0.0',
    '--oras',
    await ensureTool('oras'),
  ]);
  assert.equal(gone.code, 3);
  assert.match(
    gone.err,
    /^pacto-gate validate: registry unreachable for 127\.0\.0\.1:1\/acme\/svc:1\.0\.0: /,
  );
  assert.equal((await pactoGate(t, ['validate', 'oci://r.example.com/Bad/svc'])).code, 2);
  const missing = await pactoGate(t, ['validate', 'oci://r.example.com/a/b:1', '--oras', '/nowhere/oras']);
  assert.equal(missing.code, 3);
  assert.match(missing.err, /cannot run \/nowhere\/oras .*install oras/);
});

test('wrong usage says what to give', async (t) => {
  for (const words of [[], ['a', 'b'], ['/nowhere/at/all'], ['.', '--output', 'xml']]) {
    const { code, err } = await pactoGate(t, ['validate', ...words]);
    assert.equal(code, 2, words.join(' '));
    assert.match(err, /give /);
  }
});

test('--fail-on-warning', async (t) => {
  const folder = await bundle(t, {
    'pacto.yaml': `${BASE}dependencies: [{ name: db, ref: "oci://r.example.com/a/db:1.0.0", required: true, compatibility: "^1" }]\n`,
  });
  assert.equal((await pactoGate(t, ['validate', folder])).code, 0);
  assert.equal((await pactoGate(t, ['validate', '--fail-on-warning', folder])).code, 5);
});

test('pack prints a digest that is the same everywhere, and writes a layout oras can read', async (t) => {
  const files = { 'pacto.yaml': BASE, 'docs/a.md': '# hello', '.pactoignore': 'ignored\n', ignored: 'x' };
  const [one, two] = [await bundle(t, files), await bundle(t, { ...files, ignored: 'y' })];
  const first = await pactoGate(t, ['pack', one]);
  assert.match(first.out, /^sha256:[0-9a-f]{64}\n$/);
  const layout = path.join(await temporaryFolder(t), 'layout');
  const second = await pactoGate(t, ['pack', two, '--to', layout, '-o', 'json']);
  assert.equal((JSON.parse(second.out) as { digest: string }).digest, first.out.trim());
  const child = spawn(await ensureTool('oras'), ['resolve', '--oci-layout', `${layout}:1.0.0`]);
  let resolved = '';
  child.stdout.on('data', (piece: Buffer) => (resolved += piece.toString()));
  await once(child, 'close');
  assert.equal(resolved, first.out);
  assert.match(await readFile(path.join(layout, 'oci-layout'), 'utf8'), /1\.0\.0/);
  assert.equal((await pactoGate(t, ['pack', await bundle(t, { 'a.txt': '' })])).code, 1);
  assert.equal((await pactoGate(t, ['pack', '/nowhere'])).code, 2);
});

test('push refuses what is invalid, what is local, and what cannot be a tag', async (t) => {
  const target = 'oci://r.example.com/acme/svc';
  const refused = async (text: string, to = target): Promise<readonly [number, string]> => {
    const { code, err } = await pactoGate(t, ['push', await bundle(t, { 'pacto.yaml': text }), to]);
    return [code, err];
  };
  const [invalid, why] = await refused(BASE.replace('1.0.0', 'latest'));
  assert.equal(invalid, 1);
  assert.match(why, /error\[INVALID_SEMVER\]/);
  const [local, message] = await refused(
    `${BASE}configurations: [{ name: a, required: true, ref: ../platform }]\n`,
  );
  assert.equal(local, 1);
  assert.match(message, /refers to folders of this machine, which nobody else has: \.\.\/platform/);
  assert.match(
    (await refused(BASE.replace('1.0.0', '1.0.0+build')))[1],
    /version "1\.0\.0\+build" cannot be a tag; give one/,
  );
  assert.equal((await refused(BASE, 'r.example.com/acme/svc'))[0], 2);
  assert.equal((await refused(BASE, `${target}@sha256:${'0'.repeat(64)}`))[0], 2);
});

test('a folder without a contract, and a text that is none, are named for what they are', async (t) => {
  const folder = await temporaryFolder(t);
  const empty = await pactoGate(t, ['validate', folder]);
  assert.deepEqual([empty.code, empty.out], [2, '']);
  assert.match(empty.err, / has no pacto\.yaml; give the folder of a bundle, or a file\n$/);
  const file = path.join(folder, 'contract.yaml');
  await writeFile(file, 'a: [');
  const broken = await pactoGate(t, ['validate', file]);
  assert.equal(broken.code, 1);
  assert.ok(broken.out.endsWith(`\n${file} is invalid (1 error)\n`), broken.out);
});

test('a contract that a busy machine had no time for is neither valid nor invalid', async (t) => {
  const checker = new ContractChecker({ timers: systemClock.timers, patienceMs: 0 });
  t.after(() => checker.close());
  const contract = Buffer.from(`${BASE}metadata: { note: "${'x'.repeat(LARGE_TEXT_BYTES)}" }\n`);
  const subject = { contract, file: 'pacto.yaml', base: '.', files: undefined };
  await assert.rejects(
    reportOn(subject, { checker, resolveWith: undefined }, t.signal),
    /^Error: pacto\.yaml: the contract was not checked: .* busy/,
  );
});
