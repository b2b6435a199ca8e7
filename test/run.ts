// Runs every test, or the files that match the patterns given: clusters are shared, and at the end stands what was skipped
// and why.
import { spawn } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

const given = process.argv.slice(2);
const found = new Set<string>();
for (const pattern of given.length === 0 ? ['test/**/*.test.ts'] : given) {
  let matches = 0;
  for await (const file of glob(pattern)) {
    found.add(file);
    matches += 1;
  }
  if (matches > 0) continue;
  process.stderr.write(`no test file matches ${JSON.stringify(pattern)}\n`);
  process.exit(2);
}
const files = [...found].sort();

const runner = spawn(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${Math.min(4, availableParallelism())}`,
    // No test takes nearly as long; one that hangs must not freeze the run.
    '--test-timeout=300000',
    '--test-global-setup=test/cluster/global-setup.ts',
    '--test-reporter=./test/reporter.ts',
    '--test-reporter-destination=stdout',
    ...files,
  ],
  { stdio: 'inherit' },
);
// The runner stops what it started; we only pass the request on and wait.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
