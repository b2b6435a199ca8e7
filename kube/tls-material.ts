// Certificates and keys of the connection, read from their files again from time to time.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { MonotonicClock, MonotonicTime } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { type ClusterConfig, ClusterConfigError, type PemSource } from './cluster-config.ts';
import { Trouble } from './trouble.ts';

/** PEM texts for one connection. Equal texts are equal material. */
export type TlsMaterial = {
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
};

/** Files are read again when they were last read this long ago. */
export const TLS_REREAD_MS = 60_000;

export class TlsMaterialReader {
  readonly #config: ClusterConfig;
  readonly #monotonic: MonotonicClock;
  #material: TlsMaterial | undefined;
  #readAt: MonotonicTime | undefined;
  #reading: Promise<TlsMaterial> | undefined;
  readonly #trouble: Trouble;

  constructor(config: ClusterConfig, monotonic: MonotonicClock, log?: Logger) {
    this.#config = config;
    this.#monotonic = monotonic;
    this.#trouble = new Trouble('the certificates of the connection', log);
  }

  /** The material to connect with. Throws {@link ClusterConfigError} when a file was never readable. */
  current(): Promise<TlsMaterial> {
    const fresh = this.#readAt !== undefined && this.#monotonic.now() - this.#readAt < TLS_REREAD_MS;
    if (fresh && this.#material !== undefined) return Promise.resolve(this.#material);
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Makes the next {@link current} read the files: the server was not trusted, or did not trust us. */
  expire(): void {
    this.#readAt = undefined;
  }

  async #read(): Promise<TlsMaterial> {
    const { ca, clientCertificate } = this.#config;
    try {
      const read: TlsMaterial = {
        ...(ca === undefined ? {} : { ca: await pem(ca) }),
        ...(clientCertificate === undefined
          ? {}
          : { certificate: await pem(clientCertificate.certificate), key: await pem(clientCertificate.key) }),
      };
      if (this.#material === undefined || !equalMaterial(this.#material, read)) {
        usable(read, this.#config);
        this.#material = read;
      }
      this.#trouble.over();
    } catch (error) {
      // A file that vanishes, or is half written, for a moment while it is replaced must not end what works.
      if (this.#material === undefined) throw error;
      this.#trouble.met(error);
    }
    this.#readAt = this.#monotonic.now();
    return this.#material;
  }
}

function readCertificate(text: string): X509Certificate {
  return new X509Certificate(text);
}

/**
 * Refuses what would connect otherwise than it says: an empty or broken CA, with which the machine's own roots would be
 * trusted, and a certificate and key that do not belong together. Throws {@link ClusterConfigError}.
 */
function usable({ ca, certificate, key }: TlsMaterial, { source }: ClusterConfig): void {
  try {
    if (ca !== undefined) readCertificate(ca);
  } catch (cause) {
    throw new ClusterConfigError(`the certificate authority of ${source} is no PEM certificate; correct it`, {
      cause,
    });
  }
  if (certificate === undefined && key === undefined) return;
  try {
    createSecureContext({
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(key === undefined ? {} : { key }),
    });
  } catch (cause) {
    throw new ClusterConfigError(
      `the client certificate and key of ${source} do not belong together or cannot be read; correct them`,
      { cause },
    );
  }
}

/** Whether connections made with either are alike. */
export function equalMaterial(one: TlsMaterial, other: TlsMaterial): boolean {
  return one.ca === other.ca && one.certificate === other.certificate && one.key === other.key;
}

async function pem(source: PemSource): Promise<string> {
  if (source.kind === 'inline') return source.pem;
  try {
    return await readFile(source.path, 'utf8');
  } catch (cause) {
    throw new ClusterConfigError(`${source.path} cannot be read; the configuration names it for TLS`, {
      cause,
    });
  }
}
