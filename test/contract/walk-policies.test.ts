// Policies by reference: what resolves, what does not, and chains that lead back to themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BundleFiles } from '../../contract/bundle-files.ts';
import { compilePolicies, type PolicyItem } from '../../contract/l3/policy-item.ts';
import {
  type PolicyHolder,
  type PolicyResolver,
  REGISTRY_BASE,
  walkPolicies,
} from '../../contract/l3/walk-policies.ts';
import type { ContractPolicyEntry } from '../../contract/model.ts';
import { validateContract } from '../../contract/validate.ts';
import { BASE, files, load } from './support.ts';

const FIXED = 'policy/schema.json';

/** A contract with these policies and files; without files it is inline. */
function holder(
  policies: readonly ContractPolicyEntry[],
  contents: Readonly<Record<string, string>> | undefined = {},
  base = REGISTRY_BASE,
): PolicyHolder {
  return { contract: { policies }, files: contents === undefined ? undefined : files(contents), base };
}

const inline = (policies: readonly ContractPolicyEntry[]): PolicyHolder => ({
  ...holder(policies),
  files: undefined,
});
const to = (ref: string, name = 'p'): ContractPolicyEntry => ({ name, ref });
const own = (schema: string, name = 'p'): ContractPolicyEntry => ({ name, schema });

/** A resolver over bundles by reference text, or by `base ref`. */
function resolver(bundles: Readonly<Record<string, PolicyHolder>>): PolicyResolver {
  return async (ref, base) => {
    const found = bundles[`${base} ${ref}`] ?? bundles[ref];
    return found === undefined
      ? { kind: 'failed', reason: 'not there' }
      : { kind: 'resolved', holder: found };
  };
}

type Found = {
  readonly origins: readonly string[];
  readonly codes: readonly string[];
  readonly messages: readonly string[];
  readonly items: readonly PolicyItem[];
};

async function walk(root: PolicyHolder, bundles?: Readonly<Record<string, PolicyHolder>>): Promise<Found> {
  const items = await walkPolicies(root, bundles === undefined ? undefined : resolver(bundles));
  const codes: string[] = [];
  const messages: string[] = [];
  const policies = compilePolicies(items, (code, _path, message) => {
    codes.push(code);
    messages.push(message);
  });
  return { origins: policies.map(({ origin }) => origin), codes, messages, items };
}

const A = 'oci://r.example.com/a/a:1.0.0';
const B = 'oci://r.example.com/a/b:1.0.0';

test('contract/106 a reference without a resolver', async () => {
  assert.deepEqual((await walk(holder([to(A)]))).codes, ['POLICY_REF_UNRESOLVED']);
});

test('contract/107 a bundle that has only the fixed file', async () => {
  const { origins, codes } = await walk(holder([to(A)]), { [A]: holder([], { [FIXED]: '{}' }) });
  assert.deepEqual([origins, codes], [[`${A} → ${FIXED}`], []]);
});

test('contract/108 a bundle without it, one that is no schema, one without files, an error', async () => {
  const unreadable: BundleFiles = { read: () => ({ kind: 'unreadable', reason: 'permission denied' }) };
  const bundles: Readonly<Record<string, PolicyHolder>> = {
    lacks: holder([], {}),
    'not JSON': holder([], { [FIXED]: 'nope' }),
    'not compilable': holder([], { [FIXED]: '{"type": 12345}' }),
    'no file system': inline([]),
    unreadable: { ...holder([]), files: unreadable },
  };
  for (const ref of [...Object.keys(bundles), 'resolver error']) {
    const { codes, origins } = await walk(holder([to(ref)]), bundles);
    assert.deepEqual([codes, origins], [['POLICY_REF_UNRESOLVED'], []], ref);
  }
});

test('contract/109 policies a bundle declares: a path of its own, two, an empty list', async () => {
  const count = async (bundle: PolicyHolder): Promise<number> =>
    (await walk(holder([to(A)]), { [A]: bundle })).origins.length;
  assert.equal(await count(holder([own('rules/x.json')], { 'rules/x.json': '{}', [FIXED]: '{}' })), 1);
  assert.equal(
    await count(holder([own('x.json', 'x'), own('y.json', 'y')], { 'x.json': '{}', 'y.json': '{}' })),
    2,
  );
  assert.equal(await count(holder([], { [FIXED]: '{}' })), 1);
});

test('contract/110 entries of a child that cannot be enforced', async () => {
  const contents = { 'bad.json': 'nope', 'no.json': '{"$ref": "#/missing"}' };
  for (const entry of [own('gone.json'), own('bad.json'), own('no.json'), { name: 'neither' }]) {
    const { codes } = await walk(holder([to(A)]), { [A]: holder([entry], contents) });
    assert.deepEqual(codes, ['POLICY_REF_UNRESOLVED'], JSON.stringify(entry));
  }
});

test('contract/111 a chain of two; the fixed file of the one in between is not used', async () => {
  const { origins } = await walk(holder([to(A)]), {
    [A]: holder([to(B)], { [FIXED]: '{}' }),
    [B]: holder([], { [FIXED]: '{}' }),
  });
  assert.deepEqual(origins, [`${B} → ${FIXED}`]);
});

test('contract/112 a bundle that refers to itself; two that refer to each other', async () => {
  const self = await walk(holder([to(A)]), { [A]: holder([to(A)]) });
  assert.deepEqual(self.codes, ['POLICY_REF_CYCLE']);
  assert.ok(self.messages[0]?.endsWith(`refers back to itself: ${A} → ${A}`));
  const both = await walk(holder([to(A)]), { [A]: holder([to(B)]), [B]: holder([to(A)]) });
  assert.deepEqual(both.codes, ['POLICY_REF_CYCLE']);
});

test('contract/113 two siblings that reach one bundle', async () => {
  const shared = holder([], { [FIXED]: '{}' });
  const { origins, codes } = await walk(holder([to(A, 'x'), to(B, 'y')]), {
    [A]: holder([to('oci://r.example.com/s')]),
    [B]: holder([to('oci://r.example.com/s')]),
    'oci://r.example.com/s': shared,
  });
  assert.deepEqual([origins.length, codes], [2, []]);
});

test('contract/114 one relative text in two folders is two references; again from the same folder it is a cycle', async () => {
  const resolves = await walk(holder([to('./p')], {}, '/one'), {
    '/one ./p': holder([to('./p')], {}, '/two'),
    '/two ./p': holder([], { [FIXED]: '{}' }, '/three'),
  });
  assert.deepEqual([resolves.origins.length, resolves.codes], [1, []]);
  const cycle = await walk(holder([to('./p')], {}, '/one'), { './p': holder([to('./p')], {}, '/one') });
  assert.deepEqual(cycle.codes, ['POLICY_REF_CYCLE']);
  assert.ok(cycle.messages[0]?.endsWith('./p → ./p'));
});

test('contract/115 an inline root says nothing about its own entries and still resolves references', async () => {
  assert.deepEqual((await walk(inline([own('p.json')]), {})).items, []);
  const { origins } = await walk(inline([own('p.json'), to(A)]), { [A]: holder([], { [FIXED]: '{}' }) });
  assert.equal(origins.length, 1);
});

test('what is resolved is enforced, and a branch that leads nowhere keeps its siblings but fails closed', async () => {
  const rule = '{"properties": {"service": {"required": ["owner"]}}}';
  const loaded = load(`${BASE}policies: [{ name: p, ref: "${A}" }]`);
  const found = async (policies: readonly ContractPolicyEntry[]): Promise<readonly string[]> => {
    const items = await walkPolicies(
      holder(policies),
      resolver({ [A]: holder([own('o.json', 'owners')], { 'o.json': rule }) }),
    );
    return validateContract(loaded, files({}), items).errors.map(({ code, message }) => `${code} ${message}`);
  };
  assert.deepEqual(await found([to(A)]), [
    `POLICY_VIOLATION policy ${A} → policies["owners"]: at '/service': missing property 'owner'`,
  ]);
  assert.deepEqual(
    (await found([to('gone', 'x'), to(A)])).map((text) => text.split(' ', 1)[0]),
    ['POLICY_REF_UNRESOLVED'],
  );
});

test('references without end are given up', async () => {
  let made = 0;
  const endless: PolicyResolver = async () => {
    made += 1;
    return {
      kind: 'resolved',
      holder: holder([to(`oci://r.example.com/x${made}`), to(`oci://r.example.com/y${made}`)]),
    };
  };
  const items = await walkPolicies(holder([to(A)]), endless);
  assert.ok(made <= 256, `${made} were followed`);
  assert.ok(items.every(({ kind }) => kind === 'unresolved'));
});

test('what cannot be resolved is shown at the entry of the root that leads there', async () => {
  const loaded = load(`${BASE}policies:\n  - { name: x, schema: x.json }\n  - { name: y, ref: "${A}" }\n`);
  const root = { contract: loaded.contract, files: files({ 'x.json': '{}' }), base: '/' };
  const items = await walkPolicies(root, resolver({ [A]: holder([to(B)]) }));
  assert.deepEqual(
    validateContract(loaded, root.files, items).errors.map(({ code, path, line }) => [code, path, line]),
    [['POLICY_REF_UNRESOLVED', '', 5]],
  );
});
