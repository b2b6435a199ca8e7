// A process that opens files until it may not, runs a child in that state, and prints what came of it. Start it with a low
// limit.
import { closeSync, openSync } from 'node:fs';
import { runChild } from '../../contract/registry/run-child.ts';

const held: number[] = [];
try {
  for (;;) held.push(openSync(process.execPath, 'r'));
} catch {
  // There is none left, as it should be.
}
const outcome = await runChild({
  program: process.execPath,
  args: ['--version'],
  env: {},
  timeoutMs: 0,
  maxOutputBytes: 1024,
  signal: new AbortController().signal,
  timers: { after: () => () => undefined },
});
for (const descriptor of held) closeSync(descriptor);
process.stdout.write(JSON.stringify(outcome));
