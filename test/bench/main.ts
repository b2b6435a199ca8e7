// `make bench`: runs every benchmark, one after the other, each as a process of its own so that none warms up the next.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .filter((name) => wanted.length === 0 || wanted.includes(name));

if (names.length === 0) {
  process.stderr.write(`no benchmark is called ${wanted.join(' or ')}\n`);
  process.exit(2);
}

for (const name of names) {
  process.stdout.write(`\n== ${name}\n`);
  const code = await run(`${folder}${name}.bench.ts`);
  if (code !== 0) process.exitCode = code;
}

function run(file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', file], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
