// Versions and compatibility ranges, with every difference from npm's rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseRange, satisfiesText } from '../../contract/range.ts';
import { compareVersions, parseVersion } from '../../contract/version.ts';

function check(range: string, cases: Readonly<Record<string, boolean>>): void {
  for (const [version, expected] of Object.entries(cases)) {
    assert.equal(satisfiesText(version, range), expected, `${range} / ${version}`);
  }
}

test('contract/124 caret', () => {
  check('^2.0.0', { '2.0.0': true, '2.1.0': true, '2.99.99': true, '3.0.0': false, '1.9.9': false });
});

test('contract/125 tilde', () => {
  check('~1.2.0', { '1.2.0': true, '1.2.5': true, '1.3.0': false });
});

test('contract/126 comma means and, and a bad version is in no range', () => {
  check('>= 1.0.0, < 2.0.0', { '1.5.0': true, '2.0.0': false });
  check('^1.0.0', { 'not-a-version': false });
});

test('contract/127 what is a range', () => {
  for (const text of ['^2.0.0', '~1.0.0', '1.2.3', '>= 1.0.0, < 2.0.0']) assert.ok(parseRange(text), text);
  for (const text of ['not-a-range', '']) assert.equal(parseRange(text), undefined, text);
});

test('contract/128 every difference from npm', () => {
  for (const text of [
    '',
    '||',
    '^2.0.0 ||',
    '> =2.0.0',
    '==2.0.0',
    '1x',
    '2.xx',
    '^V2.0.0',
    'latest',
    ',1',
    '1,',
    '1,,2',
    '1-',
    '^',
  ]) {
    assert.equal(parseRange(text), undefined, text);
  }
  for (const text of [
    '>=1.0.0,<3.0.0',
    '!=1.0.0',
    '=>1',
    '=<1',
    '^01.2',
    '1.x.3',
    '*.1.2',
    '*-0',
    '  ^1  ',
  ]) {
    assert.ok(parseRange(text), text);
  }
  check('>=1.0.0, <3.0.0', { '2.0.0': true, '3.0.0': false });
  check('!=1.0.0', { '1.0.0': false, '1.0.1': true });
  check('=>2.0.0', { '2.0.0': true, '1.9.9': false });
  check('=<2.0.0', { '2.0.0': true, '2.0.1': false });
  check('^01.2', { '1.2.0': true, '1.1.9': false });
  check('1.x.3', { '1.9.9': true, '2.0.0': false });
  check('^2.0.0-rc.1', { '2.1.0-rc.1': true });
  check('>=2.0.0-0', { '2.1.0-rc.1': true, '3.0.0-rc.1': true });
  check('<3.0.0-0', { '2.0.0-rc.1': true });
  check('>2.1.3-0', { '3.0.0-rc.1': true });
  check('~0.0.0', { '1.2.3': true });
  check('^*', { '1.0.0': false, '0.0.0': true });
  check('>*', { '1.0.0': true, '0.0.0': false });
  check('<=*', { '1.0.0': false, '0.0.5': true });
  check('2', { '2.9.9': true, '3.0.0': false });
  check('2.1', { '2.1.9': true, '2.2.0': false });
  check('^2', { '2.9.9': true, '3.0.0': false });
  check('~2', { '2.9.9': true, '3.0.0': false });
  check('>2', { '2.9.9': false, '3.0.0': true });
  check('<=2.1', { '2.1.9': true, '2.2.0': false });
  check('1.0 - 2', { '1.0.0': true, '2.9.9': true, '3.0.0': false, '0.9.0': false });
  check('^0.0', { '0.0.9': true, '0.1.0': false });
  check('^0', { '0.9.0': true, '1.0.0': false });
  check('~>2.1', { '2.1.5': true, '2.2.0': false });
  check('>=9007199254740993.0.0', { '9007199254740992.0.0': false, '9007199254740993.0.0': true });
});

test('prereleases need a term of the same group that has one', () => {
  check('*', { '1.0.0-rc.1': false, '1.0.0': true });
  check('^2.0.0', { '2.1.0-rc.1': false });
  check('^1 || >=2.0.0-0', { '1.5.0-rc.1': false, '2.5.0-rc.1': true });
  check('!=1.2', { '1.2.0': false, '1.3.0': true });
});

test('lenient versions', () => {
  for (const text of [
    '1',
    '0.1',
    'v0.1',
    '1.2-rc',
    '01.2.3',
    '1.2.3+01',
    '9007199254740993.0.0',
    '1.2.3-rc.1+b.2',
  ]) {
    assert.ok(parseVersion(text), text);
  }
  for (const text of [
    '1.2.3-01',
    '1.2.3-rc.01',
    '1.2.3-',
    '1.2.3+',
    'V1.0.0',
    ' 1.0.0',
    '1.0.0 ',
    '=1.2.3',
    '1.2.3.4',
    '1..2',
    'abc',
    '',
    '18446744073709551616',
  ]) {
    assert.equal(parseVersion(text), undefined, text);
  }
});

test('precedence', () => {
  const ordered = [
    '1.0.0-1',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta',
    '1.0.0',
    '1.0.1',
    '1.1.0',
    '2.0.0',
  ];
  for (const [index, text] of ordered.entries()) {
    const version = parseVersion(text);
    const next = parseVersion(ordered[index + 1] ?? '3.0.0');
    assert.ok(version !== undefined && next !== undefined);
    assert.ok(compareVersions(version, next) < 0, text);
    assert.ok(compareVersions(next, version) > 0, text);
  }
});

test('hostile text ends quickly and never throws', () => {
  const pieces = ['1', '.', '||', ',', ' ', '-', 'x', '*', '^', '~', '>', '<', '=', '!', 'v', '+', 'rc', '0'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      assert.equal(typeof satisfiesText('1.2.3', text), 'boolean');
      assert.ok([true, false].includes(parseVersion(text) === undefined));
    }),
    { numRuns: 1_000 },
  );
  assert.equal(parseRange('1'.repeat(1_000_000)), undefined);
});
