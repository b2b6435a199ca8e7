// Where built programs are kept between checkouts: the user's cache folder, as each system knows it.
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/**
 * Folder for everything the project keeps on this machine outside a checkout.
 * @param env `PACTO_GATE_CACHE` wins, then `XDG_CACHE_HOME` where it is absolute (as its specification demands)
 */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const own = env['PACTO_GATE_CACHE'];
  if (own) return resolve(own);
  const xdg = env['XDG_CACHE_HOME'];
  if (xdg && isAbsolute(xdg)) return join(xdg, 'pacto-gate');
  const home = env['HOME'] || homedir();
  return platform === 'darwin'
    ? join(home, 'Library', 'Caches', 'pacto-gate')
    : join(home, '.cache', 'pacto-gate');
}
