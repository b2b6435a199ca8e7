// Which proxy the environment asks for: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, read as kubectl reads them.
import { BlockList, isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for a server URL, or undefined for none. Loopback addresses are never sent to a proxy. */
export function environmentProxy(server: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const proxy = protocol === 'https:' ? read(env, 'HTTPS_PROXY') : read(env, 'HTTP_PROXY');
  if (proxy === undefined || isLoopback(host)) return undefined;
  const rules = (read(env, 'NO_PROXY') ?? '').split(',').map((rule) => rule.trim().toLowerCase());
  const portOf = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  if (rules.some((rule) => rule !== '' && exempts(rule, host, portOf))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function read(env: Environment, name: string): string | undefined {
  const value = env[name] ?? env[name.toLowerCase()];
  return value === undefined || value === '' ? undefined : value;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function exempts(rule: string, host: string, port: string): boolean {
  if (rule === '*') return true;
  if (rule.includes('/')) return isIP(host) !== 0 && inBlock(rule, host);
  const colon = rule.lastIndexOf(':');
  const hasPort = colon !== -1 && isIP(rule) === 0 && /^\d+$/.test(rule.slice(colon + 1));
  if (hasPort && rule.slice(colon + 1) !== port) return false;
  const name = (hasPort ? rule.slice(0, colon) : rule).replace(/^\[|\]$/g, '');
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host;
  // `example.com` stands for itself and what is below it, `.example.com` and `*.example.com` for what is below.
  const below = name.replace(/^\*/, '');
  if (below.startsWith('.')) return host.endsWith(below);
  return host === below || host.endsWith(`.${below}`);
}

function inBlock(rule: string, host: string): boolean {
  const [network = '', prefix = ''] = rule.split('/');
  const family = isIP(network);
  if (family === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 4 ? 32 : 128)) return false;
  const block = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  block.addSubnet(network, Number(prefix), kind);
  return block.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}
