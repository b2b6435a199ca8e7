// The few pieces of DER that a test certificate is made of.
// Node.js reads certificates and makes none. No package of the project does either, and one that does (@peculiar/x509) brings
// a dozen more, is asynchronous where servers in tests are made at once, and would serve nothing else until the product
// itself issues certificates. What is written here is read back by the TLS of Node.js in every test that connects.

/** Any value: tag, length, contents. */
export function tlv(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(contents);
  const length =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

export const sequence = (...contents: readonly Uint8Array[]): Uint8Array => tlv(0x30, ...contents);
export const set = (...contents: readonly Uint8Array[]): Uint8Array => tlv(0x31, ...contents);
export const octets = (bytes: Uint8Array): Uint8Array => tlv(0x04, bytes);
export const bitString = (bytes: Uint8Array): Uint8Array => tlv(0x03, Buffer.from([0]), bytes);
export const utf8 = (text: string): Uint8Array => tlv(0x0c, Buffer.from(text, 'utf8'));
export const boolean = (value: 'true' | 'false'): Uint8Array =>
  tlv(0x01, Buffer.from([value === 'true' ? 0xff : 0]));

/** A positive integer, big endian. */
export function integer(bytes: Uint8Array): Uint8Array {
  return tlv(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** An object identifier from its dotted form. */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const septets = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80);
    bytes.push(...septets);
  }
  return tlv(0x06, Buffer.from(bytes));
}

/** GeneralizedTime in whole seconds, UTC. */
export function time(date: Date): Uint8Array {
  return tlv(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d{3}/g, ''), 'ascii'));
}
