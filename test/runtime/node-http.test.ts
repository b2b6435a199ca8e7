// What programs load without using it: Node.js has a fetch of its own, and undici more than connections.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

for (const program of ['operator/main.ts', 'webhook/main.ts', 'kube/undici-transport.ts']) {
  test(`runtime/${program} loads neither the fetch of Node.js nor that of undici`, async () => {
    const script = `
      import { createRequire } from 'node:module';
      await import(${JSON.stringify(`${root}${program}`)});
      const files = Object.keys(createRequire(import.meta.url).cache);
      console.log(JSON.stringify({ built: process.moduleLoadList, files }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      maxBuffer: 10_000_000,
    });
    const { built, files } = JSON.parse(stdout) as { built: string[]; files: string[] };
    assert.ok(built.includes('NativeModule http2'), 'the list of what was loaded names what surely was');
    assert.deepEqual(
      built.filter((name) => name.includes('deps/undici')),
      [],
      'import what is used of node:http from runtime/node-http.ts',
    );
    assert.deepEqual(
      files.filter((file) => file.includes('undici/lib/web/') && /fetch\/index|websocket/.test(file)),
      [],
      'import the parts of undici alone, as kube/connections.ts does',
    );
  });
}
