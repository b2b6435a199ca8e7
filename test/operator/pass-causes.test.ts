// Why a pass runs: its own sake outweighs another's, and a timer that has come due is its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PassCauses } from '../../operator/controllers/pacto/pass-causes.ts';

test('operator/pass-causes a key never seen passes for its own sake', () => {
  assert.equal(new PassCauses().take('a/b', 0), 'own');
});

test('operator/pass-causes another object alone is a lesser cause, until the timer is due', () => {
  const causes = new PassCauses();
  causes.due('a/b', 1_000);
  causes.note('a/b', 'other');
  assert.equal(causes.take('a/b', 999), 'other');
  assert.equal(causes.take('a/b', 1_000), 'own');
});

test('operator/pass-causes own outweighs other, once', () => {
  const causes = new PassCauses();
  causes.due('a/b', 1_000);
  causes.note('a/b', 'own');
  causes.note('a/b', 'other');
  assert.equal(causes.take('a/b', 0), 'own');
  assert.equal(causes.take('a/b', 0), 'other');
});

test('operator/pass-causes a failed pass keeps its cause for the retry', () => {
  const causes = new PassCauses();
  causes.due('a/b', 1_000);
  causes.note('a/b', 'own');
  causes.restore('a/b', causes.take('a/b', 0));
  assert.equal(causes.take('a/b', 0), 'own');
});

test('operator/pass-causes passes in between never put off the one that is due', () => {
  const causes = new PassCauses();
  assert.equal(causes.take('a/b', 0), 'own');
  causes.due('a/b', 300);
  causes.note('a/b', 'other');
  assert.equal(causes.take('a/b', 200), 'other');
  causes.due('a/b', 500);
  assert.equal(causes.take('a/b', 300), 'own');
  causes.due('a/b', 600);
  causes.note('a/b', 'other');
  assert.equal(causes.take('a/b', 500), 'other');
  assert.equal(causes.take('a/b', 600), 'own');
});
