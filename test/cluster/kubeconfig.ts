// Reads what the test client needs from a kubeconfig: server, authority, and a certificate or a token.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { at, listAt } from './kube-object.ts';

/** How to reach an API server, and as whom. */
export type Access = {
  /** `https://host:port`, without a slash at the end. */
  readonly server: string;
  /** PEM of the authority. */
  readonly ca: string;
  readonly credentials: Credentials;
};

export type Credentials =
  | { readonly kind: 'certificate'; readonly cert: string; readonly key: string }
  /** Asked for at each request, so that a refreshed token is used at once. */
  | { readonly kind: 'token'; readonly token: () => string }
  | { readonly kind: 'anonymous' };

/**
 * Access by the first cluster and user of a kubeconfig file.
 * @throws Error when the file names no server or no authority
 */
export function readAccess(file: string): Access {
  const config: unknown = parse(readFileSync(file, 'utf8'));
  const cluster = at(listAt(config, 'clusters')[0], 'cluster');
  const user = at(listAt(config, 'users')[0], 'user');
  const server = at(cluster, 'server');
  const ca = decoded(cluster, 'certificate-authority-data');
  if (typeof server !== 'string' || ca === undefined) {
    throw new Error(`${file} names no server with certificate-authority-data`);
  }
  return { server: server.replace(/\/$/, ''), ca, credentials: credentialsOf(user) };
}

function credentialsOf(user: unknown): Credentials {
  const cert = decoded(user, 'client-certificate-data');
  const key = decoded(user, 'client-key-data');
  if (cert !== undefined && key !== undefined) return { kind: 'certificate', cert, key };
  const token = at(user, 'token');
  if (typeof token === 'string') return { kind: 'token', token: () => token };
  const tokenFile = at(user, 'tokenFile');
  if (typeof tokenFile === 'string') {
    return { kind: 'token', token: () => readFileSync(tokenFile, 'utf8').trim() };
  }
  return { kind: 'anonymous' };
}

function decoded(value: unknown, field: string): string | undefined {
  const text = at(value, field);
  return typeof text === 'string' ? Buffer.from(text, 'base64').toString('utf8') : undefined;
}
