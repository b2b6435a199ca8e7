// Words for what goes wrong with connections, by the codes that Node.js and undici give.
import { errorCode } from '../runtime/error-code.ts';

const UNTRUSTED = 'the server certificate is not signed by the configured CA';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused; nothing listens there',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'no route to the host; check the address, routes and firewalls in between',
  ENETUNREACH: 'no route to the network of the host; check the address and the routes of this machine',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  ETIMEDOUT: 'connecting timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connecting timed out',
  UND_ERR_BODY_TIMEOUT: 'the server fell silent in the middle of its answer',
  UND_ERR_SOCKET: 'the connection was closed',
  CERT_HAS_EXPIRED: 'the server certificate has expired',
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the server certificate is for another name',
};

/** Codes of a connection that was there and is gone. */
const LOST: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_INFO',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_GOAWAY_SESSION',
]);

/** What happened, for people. */
export function describeConnectionError(error: unknown): string {
  return EXPLANATIONS[errorCode(error)] ?? (error instanceof Error ? error.message : String(error));
}

/** Whether there was a connection, and it was lost. */
export function isLost(error: unknown): boolean {
  return LOST.has(errorCode(error));
}

/** Whether one side did not trust the other's certificate. */
export function isTrustError(error: unknown): boolean {
  return /CERT|ISSUER|SIGNATURE|ERR_SSL|ERR_TLS/.test(errorCode(error));
}
