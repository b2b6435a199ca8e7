// Runs the project's linter over given sources, as `make check` does.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The project's root folder, with a slash at its end. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** What the linter says; empty when it has nothing to complain about. */
export function lint(paths: readonly string[], config: string, folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const program = `${projectRoot}node_modules/oxlint/bin/oxlint`;
    execFile(
      process.execPath,
      [program, '--config', config, ...paths],
      { cwd: folder },
      (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error);
        else resolve(error === null ? '' : `${stdout}${stderr}`);
      },
    );
  });
}
