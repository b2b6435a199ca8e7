// Puts the compiled program into few files: loading a hundred and more costs every start of the command line a tenth of a
// second. Packages stay where they are, but for the reader of YAML, which is half of the files.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = `${root}dist/bin`;

/** Packages are found at run time; `yaml` comes in, in its form as modules. */
const packages: Plugin = {
  name: 'packages',
  setup(bundler) {
    bundler.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      return path === 'yaml'
        ? { path: `${root}node_modules/yaml/browser/dist/index.js` }
        : { path, external: true };
    });
  },
};

await rm(out, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  // The thread for long checks is found beside the file that starts it.
  entryPoints: { main: 'dist/cli/main.js', 'check-worker': 'dist/contract/check/check-worker.js' },
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  legalComments: 'inline',
  logLevel: 'warning',
  plugins: [packages],
});
