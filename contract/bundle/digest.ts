// Digests of content: made, and held against what was fetched.
import { createHash } from 'node:crypto';

/** `sha256:<hex>` of bytes. */
export function sha256(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Whether bytes have this sha256 or sha512 digest. False for a digest of any other form. */
export function hasDigest(bytes: Uint8Array, digest: string): boolean {
  const colon = digest.indexOf(':');
  const algorithm = digest.slice(0, colon);
  if (algorithm !== 'sha256' && algorithm !== 'sha512') return false;
  return createHash(algorithm).update(bytes).digest('hex') === digest.slice(colon + 1);
}
