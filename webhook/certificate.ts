// The serving certificate: read from files, checked as a pair before use, and read again when the files change.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Timers } from '../runtime/clock.ts';
import { errorCode } from '../runtime/error-code.ts';
import type { Logger } from '../runtime/logger.ts';
import { sleep } from '../runtime/sleep.ts';

export type CertificateFiles = { readonly certFile: string; readonly keyFile: string };

export type ServingPair = {
  readonly cert: string;
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly notAfterMs: number;
};

/** The pair cannot serve; the message names the files and what to do. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly code = 'CERTIFICATE';
}

/** Reads both files and checks that they parse and belong together. Throws {@link CertificateError}. */
export async function readPair({ certFile, keyFile }: CertificateFiles): Promise<ServingPair> {
  const cert = await readPem(certFile, '--tls-cert-file');
  const key = await readPem(keyFile, '--tls-private-key-file');
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(cert);
  } catch (cause) {
    throw new CertificateError(
      `${certFile} holds no PEM certificate; give the serving certificate in --tls-cert-file`,
      { cause },
    );
  }
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new CertificateError(
      `the certificate in ${certFile} and the key in ${keyFile} do not belong together or the key cannot be read; give a matching pair`,
      { cause },
    );
  }
  return { cert, key, notAfterMs: Date.parse(parsed.validTo) };
}

async function readPem(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CertificateError(
      `cannot read ${path} (${errorCode(cause)}); ${flag} must name a readable file`,
      {
        cause,
      },
    );
  }
}

export type CertificateWatchOptions = {
  readonly files: CertificateFiles;
  readonly initial: ServingPair;
  /** Called with each new pair that can serve. A pair that cannot leaves the old one in service. */
  readonly onChange: (pair: ServingPair) => void;
  readonly timers: Timers;
  readonly log: Logger;
  /** Time between looks, in milliseconds. Default: 10,000. Mounted Secrets change by a link that file events miss. */
  readonly intervalMs?: number;
};

/** Follows the files until `signal` aborts. */
export async function watchPair(options: CertificateWatchOptions, signal: AbortSignal): Promise<void> {
  let current = options.initial;
  let complained = '';
  while ((await sleep(options.timers, options.intervalMs ?? 10_000, signal)) === 'elapsed') {
    try {
      const pair = await readPair(options.files);
      complained = '';
      if (pair.cert === current.cert && pair.key === current.key) continue;
      options.onChange(pair);
      current = pair;
      options.log.info('serving certificate was replaced', { file: options.files.certFile });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (text !== complained) {
        options.log.error('the new serving certificate cannot be used, the old one stays', {
          file: options.files.certFile,
          error,
        });
      }
      complained = text;
    }
  }
}
