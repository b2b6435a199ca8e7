// Metrics: one registry per process, declared once, present at zero from the start.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from '../../runtime/metrics.ts';

test('runtime/metrics exist at zero before anything happened', async () => {
  const metrics = new Metrics();
  metrics.counter({
    name: 'a_total',
    help: 'A.',
    labels: ['result'],
    zero: [{ result: 'ok' }, { result: 'error' }],
  });
  metrics.gauge({ name: 'b', help: 'B.', labels: ['name'], zero: [{ name: 'x' }] });
  metrics.histogram({ name: 'c_seconds', help: 'C.', labels: ['name'], zero: [{ name: 'x' }], buckets: [1] });
  const text = await metrics.render();
  for (const line of [
    'a_total{result="ok"} 0',
    'a_total{result="error"} 0',
    'b{name="x"} 0',
    'c_seconds_bucket{le="1",name="x"} 0',
    'c_seconds_count{name="x"} 0',
  ]) {
    assert.ok(text.includes(line), `${line} in ${text}`);
  }
});

test('runtime/declaring a metric again gives the same one, and never resets or changes it', async () => {
  const metrics = new Metrics();
  const one = metrics.counter({ name: 'a_total', help: 'A.', labels: ['kind'], zero: [{ kind: 'x' }] });
  one.inc({ kind: 'x' }, 3);
  const two = metrics.counter({
    name: 'a_total',
    help: 'A.',
    labels: ['kind'],
    zero: [{ kind: 'x' }, { kind: 'y' }],
  });
  two.inc({ kind: 'x' });
  const text = await metrics.render();
  assert.match(text, /^a_total\{kind="x"\} 4$/m);
  assert.match(text, /^a_total\{kind="y"\} 0$/m);
  assert.throws(
    () => metrics.gauge({ name: 'a_total', help: 'A.' }),
    /a_total is declared as counter\(kind\)/,
  );
  assert.throws(() => metrics.counter({ name: 'a_total', help: 'A.', labels: ['other'] }), /and again/);
});

test('runtime/registries do not know each other, and computed gauges are read when asked', async () => {
  const [one, two] = [new Metrics(), new Metrics()];
  let value = 1;
  one.gauge({ name: 'a', help: 'A.', labels: ['n'], collect: () => ({ labels: { n: 'x' }, value }) });
  value = 2;
  assert.match(await one.render(), /^a\{n="x"\} 2$/m);
  value = 3;
  assert.match(await one.render(), /^a\{n="x"\} 3$/m);
  assert.doesNotMatch(await two.render(), /^a/m);
});
