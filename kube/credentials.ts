// Makes the source of credentials a configuration asks for; token files are read again as they change.
import { readFile } from 'node:fs/promises';
import type { Clock, MonotonicClock, MonotonicTime } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { type ClusterConfig, ClusterConfigError } from './cluster-config.ts';
import type { Credentials, CredentialSource } from './credential-source.ts';
import { ExecCredentials } from './exec-credentials.ts';
import { Trouble } from './trouble.ts';

/** A token file is read again when it was last read this long ago. The kubelet renews tokens far ahead of their end. */
export const TOKEN_REREAD_MS = 60_000;

/** A refused token file is not read more often than this, however many requests fail. */
const REJECTED_REREAD_MS = 1_000;

export type CredentialOptions = {
  readonly clock: Clock;
  /** Environment a credential program inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hears once of a token file that cannot be read any more. Default: nobody does. */
  readonly log?: Logger;
};

/** Makes the source a configuration asks for. */
export function credentialSource(
  config: ClusterConfig,
  { clock, env, log }: CredentialOptions,
): CredentialSource {
  const { auth } = config;
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
      return new TokenFile(auth.path, clock.monotonic, log);
    case 'exec':
      return new ExecCredentials({ exec: auth.exec, config, env, clock });
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
  readonly #trouble: Trouble;

  constructor(path: string, monotonic: MonotonicClock, log: Logger | undefined) {
    this.#path = path;
    this.#monotonic = monotonic;
    this.#trouble = new Trouble(`the token file ${path}`, log);
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

  rejected(refused: Credentials): boolean {
    if (this.#credentials?.authorization !== refused.authorization) return true;
    this.#rejected = true;
    return this.#readAt === undefined || this.#monotonic.now() - this.#readAt >= REJECTED_REREAD_MS;
  }

  async #read(): Promise<Credentials> {
    try {
      const token = (await readFile(this.#path, 'utf8')).trim();
      if (token === '') throw new ClusterConfigError(`token file ${this.#path} is empty`);
      this.#credentials = { authorization: `Bearer ${token}` };
      this.#rejected = false;
      this.#trouble.over();
    } catch (cause) {
      // While the kubelet swaps the file it may be gone for a moment: the token in memory is the better answer.
      if (this.#credentials === undefined) {
        throw new ClusterConfigError(`token file ${this.#path} cannot be read`, { cause });
      }
      this.#trouble.met(cause);
    }
    this.#readAt = this.#monotonic.now();
    return this.#credentials;
  }
}
