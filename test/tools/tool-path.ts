// The place of a built program in the user's cache folder.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './cache-folder.ts';
import { buildFlags } from './go-build.ts';
import { toolKey } from './tool-key.ts';
import { type ToolName, TOOLS } from './tool-table.ts';

/** Folder with go.mod. */
export const MODULE = dirname(fileURLToPath(import.meta.url));

/** Where a program is, or will be once it is built. */
export function toolPath(name: ToolName, env: NodeJS.ProcessEnv): string {
  const key = toolKey(name, MODULE, buildFlags(TOOLS[name], MODULE));
  return join(cacheFolder(env), 'tools', key, name);
}
