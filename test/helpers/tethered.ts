// Runs a program's `main` in a process that ends with the one that started it: when standard input closes, it is gone,
// also after the parent was killed without a chance to clean up. First word: file of the program; the rest is its own.
import { pathToFileURL } from 'node:url';

const [, , entry = '', ...words] = process.argv;

process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.resume();
// It watches, but does not keep a program alive that has ended.
if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref();

process.argv = [process.argv[0] ?? '', entry, ...words];
const program: { main(): Promise<void> } = await import(pathToFileURL(entry).href);
await program.main();
