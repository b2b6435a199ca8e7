// One way to write a generated file, or with `--check` to fail when it is not what the generator would write.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes `text` to `target`; with `--check` among the arguments compares instead and sets exit code 1 on a difference.
 * @param target file URL of the generated file; its folder is created
 */
export function writeOrCheck(target: URL, text: string): void {
  const path = fileURLToPath(target);
  const shown = relative(process.cwd(), path);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  if (readOrEmpty(path) === text) return;
  process.stderr.write(
    `${shown} is not what its generator writes: run \`make generate\` and commit the result\n`,
  );
  process.exitCode = 1;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
