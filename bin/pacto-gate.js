#!/usr/bin/env node
// Starts pacto-gate. Plain JavaScript that any Node.js can read, so that an old one is refused with a sentence.
'use strict';

// The first in which a thread tells what processor time it has used, which ends checks that take too long.
const OLDEST = '24.6';
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 6)) {
  process.stderr.write(
    `pacto-gate needs Node.js ${OLDEST} or later and this is ${process.version} (${process.execPath}); ` +
      'put a newer one first in PATH\n',
  );
  process.exitCode = 2;
} else {
  void start();
}

async function start() {
  const { existsSync } = await import('node:fs');
  const { enableCompileCache } = await import('node:module');
  // Compiled code is kept in the temporary folder from one start to the next; where that cannot be written nothing is lost.
  enableCompileCache();
  // The reader of YAML asks the environment about each token, and the system takes a microsecond for each answer. A copy
  // answers at once; on Windows it would no longer take PATH and Path for the same.
  if (process.platform !== 'win32') process.env = { ...process.env };
  // The compiled files where they are: packages and images carry nothing else, and a checkout has them after `make build`.
  const compiled = new URL('../dist/bin/main.js', import.meta.url);
  const sources = new URL('../cli/main.ts', import.meta.url);
  const { main } = await import(existsSync(compiled) ? compiled.href : sources.href);
  await main();
}
