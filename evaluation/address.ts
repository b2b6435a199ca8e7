// IP addresses as evaluation compares and judges them (evaluation.md 11.1, 12.4).
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

/**
 * One spelling per address: zone removed, IPv4 mapped into IPv6 as IPv4, IPv6 in its shortest form. Undefined for text
 * that is no address.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const percent = text.indexOf('%');
  const address = percent === -1 ? text : text.slice(0, percent);
  if (isIP(address) === 0) return undefined;
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  return mappedIPv4(canonical) ?? canonical;
}

/** Whether a canonical address can be reached from outside: in no private, local or special range. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !NOT_PUBLIC.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a canonical address reaches its own host only. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

const NOT_PUBLIC = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 32],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
] as const) {
  NOT_PUBLIC.addSubnet(address, prefix, 'ipv4');
}
for (const [address, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  NOT_PUBLIC.addSubnet(address, prefix, 'ipv6');
}

function mappedIPv4(address: string): string | undefined {
  const tail = /^::ffff:(.+)$/.exec(address)?.[1];
  if (tail === undefined) return undefined;
  if (isIPv4(tail)) return tail;
  const [high = '', low = '', ...more] = tail.split(':');
  // ::ffff:0:a.b.c.d is another kind of address.
  if (more.length > 0) return undefined;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}
