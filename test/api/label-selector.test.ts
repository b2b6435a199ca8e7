// Label selectors mean what Kubernetes means by them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelSelectorProblem, matchesLabels } from '../../api/label-selector.ts';
import type { LabelSelector } from '../../api/meta.ts';

const labels = { tier: 'backend', env: 'prod' };

test('requirements are joined by and, and each operator has its meaning', () => {
  const expected: readonly (readonly [LabelSelector, boolean])[] = [
    [{}, true],
    [{ matchLabels: { tier: 'backend' } }, true],
    [{ matchLabels: { tier: 'backend', env: 'test' } }, false],
    [{ matchExpressions: [{ key: 'env', operator: 'In', values: ['test', 'prod'] }] }, true],
    [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }, false],
    [{ matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] }, false],
    [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }, true],
    [{ matchExpressions: [{ key: 'env', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, false],
    [{ matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }, true],
    [
      { matchLabels: { tier: 'backend' }, matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] },
      false,
    ],
  ];
  for (const [selector, matches] of expected) {
    assert.equal(matchesLabels(selector, labels), matches, JSON.stringify(selector));
    assert.equal(labelSelectorProblem(selector), undefined);
  }
});

test('a requirement that Kubernetes refuses never holds and is named', () => {
  const refused: readonly LabelSelector[] = [
    { matchExpressions: [{ key: 'env', operator: 'In' }] },
    { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: [] }] },
    { matchExpressions: [{ key: 'env', operator: 'Exists', values: ['prod'] }] },
    { matchExpressions: [{ key: '', operator: 'In', values: ['a'] }] },
  ];
  for (const selector of refused) {
    assert.equal(matchesLabels(selector, labels), false, JSON.stringify(selector));
    assert.notEqual(labelSelectorProblem(selector), undefined);
  }
});

test('inherited members of a plain object are no labels', () => {
  assert.equal(
    matchesLabels({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, labels),
    false,
  );
  assert.equal(matchesLabels({ matchLabels: { tier: 'backend' } }, undefined), false);
});
