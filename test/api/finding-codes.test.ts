// The catalogue of finding codes holds exactly the codes of the specification, each with its facts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FINDING_CODES, findingCodeInfo, findingDocsAnchor } from '../../api/finding-codes.ts';
import { findingRemedy } from '../../api/finding-remedies.ts';

/** Codes of earlier language versions, which must never be used for anything else. */
const RETIRED_CODES: readonly string[] = [
  'INVALID_INTERFACE_TYPE',
  'INTERFACE_REF_REQUIRED',
  'INVALID_CAPABILITY_TYPE',
  'CAPABILITY_REF_REQUIRED',
  'UNSUPPORTED_POLICY_TARGET',
  'EXTENSION_EVALUATOR_UNAVAILABLE',
];

test('contract/146 the catalogue has 54 codes and none of the retired ones', () => {
  assert.equal(FINDING_CODES.size, 54);
  const count = (origin: string): number =>
    [...FINDING_CODES.values()].filter((info) => info.origin === origin).length;
  assert.deepEqual([count('static'), count('runtime'), count('undecided')], [38, 11, 5]);
  const known: ReadonlySet<string> = new Set(FINDING_CODES.keys());
  assert.deepEqual(
    RETIRED_CODES.filter((code) => known.has(code)),
    [],
  );
});

test('runtime codes drift, undecided ones are inconclusive and unknown, only two static codes warn', () => {
  for (const [code, { origin, category, severities }] of FINDING_CODES) {
    if (origin === 'runtime') assert.equal(category, 'RuntimeDrift', code);
    if (origin === 'undecided') assert.deepEqual([category, severities], ['Inconclusive', ['unknown']], code);
  }
  const warnings = [...FINDING_CODES].filter(
    ([, { origin, severities }]) => origin === 'static' && severities[0] === 'warning',
  );
  assert.deepEqual(
    warnings.map(([code]) => code),
    ['TAG_NOT_DIGEST', 'POLICY_REF_NOT_ENFORCED'],
  );
});

test('every code says what to do about it', () => {
  for (const [code, { meaning }] of FINDING_CODES) {
    const remedy = findingRemedy(code) ?? '';
    assert.match(remedy, /^[A-Z](?!.*\. [A-Z])[^\n]*\.$/, code);
    assert.notEqual(remedy, meaning, code);
  }
  assert.equal(findingRemedy('NO_SUCH_CODE'), undefined);
  assert.equal(findingRemedy('constructor'), undefined);
});

test('an unregistered code is an error without category, and every code has an anchor of its own', () => {
  assert.deepEqual(findingCodeInfo('NO_SUCH_CODE').severities, ['error']);
  assert.equal(findingCodeInfo('NO_SUCH_CODE').category, '');
  assert.equal(new Set([...FINDING_CODES.keys()].map(findingDocsAnchor)).size, FINDING_CODES.size);
});
