// The flags of V8 that are set at run time are known to this one, which only complains about others.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('runtime/cache-heap this V8 knows every flag that is set', () => {
  const file = new URL('../../runtime/cache-heap.ts', import.meta.url).href;
  const script = `const { prepareHeapForCaches } = await import('${file}'); prepareHeapForCaches();`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
});
