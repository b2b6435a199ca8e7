// The name under which a built program is kept: a hash of everything that decides what it does.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ToolName, TOOLS, type ToolSpec } from './tool-table.ts';

/**
 * `NAME-HASH` over the sources, the module versions and the way of building. The version of Go is left out, so that a
 * program once built is found on a machine, or in a shell, where there is no Go.
 * @param module folder with go.mod
 * @param flags the build flags of the program's flavour
 */
export function toolKey(name: ToolName, module: string, flags: object): string {
  const spec: ToolSpec = TOOLS[name];
  const hash = createHash('sha256');
  const add = (label: string, content: string | Buffer): void => {
    hash.update(`${label} ${content.length}\n`).update(content);
  };
  add('build', JSON.stringify({ ...spec, flags, platform: process.platform, arch: process.arch }));
  if (spec.sources === 'module') {
    const { modfile = 'go.mod' } = spec;
    for (const file of [modfile, modfile.replace(/mod$/, 'sum')]) add(file, readFileSync(join(module, file)));
  }
  if (spec.package.startsWith('./')) {
    const folder = join(module, spec.package);
    for (const file of readdirSync(folder).sort()) {
      if (file.endsWith('.go')) add(file, readFileSync(join(folder, file)));
    }
  }
  return `${name}-${hash.digest('hex').slice(0, 24)}`;
}
