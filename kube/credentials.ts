// Who we are to the API server: the Authorization header or client certificate of the moment, renewed when it must be.
import { readFile } from 'node:fs/promises';
import type { MonotonicClock, MonotonicTime } from '../runtime/clock.ts';
import { type Auth, ClusterConfigError } from './cluster-config.ts';

export type Credentials = {
  readonly authorization?: string;
  /** PEM texts; in place of the configuration's own client certificate. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
};

export type CredentialSource = {
  /** The credentials to send now; from memory while they are fresh. */
  current(): Promise<Credentials>;
  /** The server refused them (401). True when asking {@link current} again may give others. */
  rejected(): boolean;
};

/** A token file is read again when it was last read this long ago. The kubelet renews tokens far ahead of their end. */
export const TOKEN_REREAD_MS = 60_000;

/** A refused token file is not read more often than this, however many requests fail. */
const REJECTED_REREAD_MS = 1_000;

export type CredentialOptions = { readonly monotonic: MonotonicClock };

/** Makes the source for an {@link Auth}. */
export function credentialSource(auth: Auth, options: CredentialOptions): CredentialSource {
  switch (auth.kind) {
    case 'anonymous':
      return constant({});
    case 'token':
      return constant({ authorization: `Bearer ${auth.token}` });
    case 'basic': {
      const pair = Buffer.from(`${auth.username}:${auth.password}`, 'utf8').toString('base64');
      return constant({ authorization: `Basic ${pair}` });
    }
    case 'tokenFile':
      return new TokenFile(auth.path, options.monotonic);
    case 'exec':
      throw new ClusterConfigError(
        `exec credentials (${auth.exec.command}) are not supported yet; use a tokenFile, a token or a client certificate`,
      );
  }
}

function constant(credentials: Credentials): CredentialSource {
  return { current: () => Promise.resolve(credentials), rejected: () => false };
}

class TokenFile implements CredentialSource {
  readonly #path: string;
  readonly #monotonic: MonotonicClock;
  #credentials: Credentials | undefined;
  #readAt: MonotonicTime | undefined;
  #reading: Promise<Credentials> | undefined;
  #rejected = false;

  constructor(path: string, monotonic: MonotonicClock) {
    this.#path = path;
    this.#monotonic = monotonic;
  }

  current(): Promise<Credentials> {
    const limit = this.#rejected ? REJECTED_REREAD_MS : TOKEN_REREAD_MS;
    const fresh = this.#readAt !== undefined && this.#monotonic.now() - this.#readAt < limit;
    if (fresh && this.#credentials !== undefined) return Promise.resolve(this.#credentials);
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  rejected(): boolean {
    this.#rejected = true;
    return this.#readAt === undefined || this.#monotonic.now() - this.#readAt >= REJECTED_REREAD_MS;
  }

  async #read(): Promise<Credentials> {
    try {
      const token = (await readFile(this.#path, 'utf8')).trim();
      if (token === '') throw new ClusterConfigError(`token file ${this.#path} is empty`);
      this.#credentials = { authorization: `Bearer ${token}` };
      this.#rejected = false;
    } catch (cause) {
      // While the kubelet swaps the file it may be gone for a moment: the token in memory is the better answer.
      if (this.#credentials === undefined) {
        throw new ClusterConfigError(`token file ${this.#path} cannot be read`, { cause });
      }
    }
    this.#readAt = this.#monotonic.now();
    return this.#credentials;
  }
}
