// Which protocol a server speaks, told from its first bytes after an HTTP/2 greeting (evaluation.md 10).
import type { Protocol } from '../evidence.ts';

/** What is sent: the client preface of HTTP/2 with its empty SETTINGS frame, and nothing else. */
export const GREETING: Uint8Array = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

/** Bytes read at most; all that is told apart shows before. */
export const MAX_GREETED_BYTES = 4_096;

export type Classification =
  /** Without a protocol: more would tell nothing either. */
  | { readonly kind: 'decided'; readonly protocol: Protocol | undefined }
  /** More bytes may tell. */
  | { readonly kind: 'undecided' };

const HTTP_1 = Buffer.from('HTTP/1.', 'latin1');
const FRAME_HEADER = 9;
const SETTINGS = 0x04;
const GOAWAY = 0x07;
const MAX_FRAME = 16_384;
/** Web servers answer so when plain HTTP reaches their TLS port; they speak TLS there, whatever they say now. */
const HTTPS_PORT =
  /plain http request|http request to an https server|was sent to https port|speaking plain http to an ssl|host and port requires tls/i;

/** open: more bytes may come. closed: the server has said all. cut: we stopped listening before it had. */
export type Stream = 'open' | 'closed' | 'cut';

/**
 * Looks at all bytes received so far. "other" may become a violation, so it is said only when the bytes rule out every
 * protocol that is known here.
 */
export function classify(bytes: Uint8Array, stream: Stream): Classification {
  const received = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsLike(received, HTTP_1)) return classifyHttp1(received, stream);
  const http2 = isHttp2(received);
  const tls = isTls(received);
  // One that will not go on has spoken HTTP/2; that it serves it is not shown.
  if (http2 === 'yes') return decided(received[3] === GOAWAY ? undefined : 'http2');
  if (tls === 'yes') return decided('tls');
  if (http2 === 'maybe' || tls === 'maybe') return { kind: 'undecided' };
  return decided('other');
}

function classifyHttp1(received: Buffer, stream: Stream): Classification {
  if (received.length < HTTP_1.length) return { kind: 'undecided' };
  const isRefusal = /^HTTP\/1\.[01] 400\b/.test(received.toString('latin1', 0, 12));
  if (received.length < 12 && stream === 'open') return { kind: 'undecided' };
  if (!isRefusal) return decided('http1');
  if (HTTPS_PORT.test(received.toString('latin1'))) return decided('tls');
  // The sentence that tells stands in the body; a refusal that was not read to its end proves nothing.
  return stream === 'closed' ? decided('http1') : { kind: 'undecided' };
}

type Fit = 'yes' | 'maybe' | 'no';

/** A frame that can be the first of a server: SETTINGS, or GOAWAY of one that will not go on. */
function isHttp2(received: Buffer): Fit {
  if (received.length >= 3 && received.readUIntBE(0, 3) > MAX_FRAME) return 'no';
  const type = received[3];
  if (type === undefined) return received.every((byte, index) => index > 0 || byte === 0) ? 'maybe' : 'no';
  const length = received.readUIntBE(0, 3);
  if (type !== SETTINGS && type !== GOAWAY) return 'no';
  if (type === SETTINGS && length % 6 !== 0) return 'no';
  if (type === GOAWAY && length < 8) return 'no';
  // Flags and stream are zero in both.
  if (received.subarray(4, FRAME_HEADER).some((byte) => byte !== 0)) return 'no';
  return received.length >= FRAME_HEADER ? 'yes' : 'maybe';
}

/** A record of the alert or handshake type. */
function isTls(received: Buffer): Fit {
  const [type, major, minor] = received;
  if (type !== undefined && type !== 0x15 && type !== 0x16) return 'no';
  if (major !== undefined && major !== 0x03) return 'no';
  if (minor !== undefined && minor > 0x04) return 'no';
  return minor === undefined ? 'maybe' : 'yes';
}

function startsLike(received: Buffer, start: Buffer): boolean {
  const length = Math.min(received.length, start.length);
  return length > 0 && received.subarray(0, length).equals(start.subarray(0, length));
}

function decided(protocol: Protocol | undefined): Classification {
  return { kind: 'decided', protocol };
}
