// Credentials from a program, by the client.authentication.k8s.io protocol that kubeconfigs name under `exec`.
import { spawn } from 'node:child_process';
import { type Clock, type MonotonicTime, type WallTime, wallTime } from '../runtime/clock.ts';
import { type ClusterConfig, ClusterConfigError, type ExecSpec } from './cluster-config.ts';
import type { Credentials, CredentialSource } from './credential-source.ts';
import { isRecord, type JsonRecord, recordAt, stringAt } from './json.ts';

export type ExecCredentialOptions = {
  readonly exec: ExecSpec;
  /** For `provideClusterInfo`. */
  readonly config: ClusterConfig;
  /** Environment the program inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Longest time the program may take, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
};

type Held = { readonly credentials: Credentials; readonly expiresAt: WallTime | undefined };

/** Credentials this close to their end are renewed. */
const RENEW_BEFORE_MS = 10_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Something the program left running may hold its output open: nothing more is waited for than what it wrote itself. */
const OUTPUT_AFTER_EXIT_MS = 1_000;
/** Fresh credentials that are refused too make the program run no more often than this: what is wrong is not their age. */
const REFUSED_RERUN_MS = 10_000;
/** A program that failed is not run more often than this, however many requests ask. */
const FAILED_RERUN_MS = 5_000;

export class ExecCredentials implements CredentialSource {
  readonly #options: ExecCredentialOptions;
  #held: Held | undefined;
  #running: Promise<Credentials> | undefined;
  #refusedAt: MonotonicTime | undefined;
  #failed: { readonly at: MonotonicTime; readonly error: unknown } | undefined;

  constructor(options: ExecCredentialOptions) {
    this.#options = options;
  }

  /** From memory until they expire or were rejected; one run serves all who ask meanwhile. */
  current(): Promise<Credentials> {
    const held = this.#held;
    if (held !== undefined && !this.#expired(held)) return Promise.resolve(held.credentials);
    const failed = this.#failed;
    if (failed !== undefined && this.#sinceMs(failed.at) < FAILED_RERUN_MS)
      return Promise.reject(failed.error);
    this.#running ??= this.#renew().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  rejected(refused: Credentials): boolean {
    if (this.#held?.credentials !== refused) return true;
    if (this.#refusedAt !== undefined && this.#sinceMs(this.#refusedAt) < REFUSED_RERUN_MS) return false;
    this.#refusedAt = this.#options.clock.monotonic.now();
    this.#held = undefined;
    return true;
  }

  #sinceMs(at: MonotonicTime): number {
    return this.#options.clock.monotonic.now() - at;
  }

  #expired({ expiresAt }: Held): boolean {
    return expiresAt !== undefined && expiresAt - RENEW_BEFORE_MS <= this.#options.clock.wall.now();
  }

  async #renew(): Promise<Credentials> {
    try {
      const credentials = await this.#obtain();
      this.#failed = undefined;
      return credentials;
    } catch (error) {
      this.#failed = { at: this.#options.clock.monotonic.now(), error };
      throw error;
    }
  }

  async #obtain(): Promise<Credentials> {
    const { exec } = this.#options;
    const output = await this.#run();
    let credential: unknown;
    try {
      credential = JSON.parse(output);
    } catch {
      // The cause would quote the output.
      throw new ClusterConfigError(`${exec.command} did not print JSON; it must print an ExecCredential`);
    }
    this.#held = decode(exec, credential);
    return this.#held.credentials;
  }

  #run(): Promise<string> {
    const { exec, env, clock, timeoutMs } = this.#options;
    const inherited = Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return new Promise((resolve, reject) => {
      const child = spawn(exec.command, exec.args, {
        // Nobody is there to answer: standard input is empty. What the program says to people goes to them unread.
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...Object.fromEntries(inherited),
          ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
          KUBERNETES_EXEC_INFO: JSON.stringify(this.#info()),
        },
      });
      let cancel = clock.timers.after(timeoutMs ?? 60_000, () => child.kill('SIGKILL'));
      child.once('exit', () => {
        cancel();
        cancel = clock.timers.after(OUTPUT_AFTER_EXIT_MS, () => child.stdout.destroy());
      });
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      child.stdout.on('data', (chunk: Uint8Array) => {
        bytes += chunk.length;
        if (bytes > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
        else chunks.push(chunk);
      });
      child.once('error', (cause) => {
        cancel();
        const hint = exec.installHint === undefined ? '' : `; ${exec.installHint}`;
        reject(new ClusterConfigError(`credential program ${exec.command} cannot be run${hint}`, { cause }));
      });
      child.once('close', (code, signal) => {
        cancel();
        if (code === 0 && bytes <= MAX_OUTPUT_BYTES) {
          resolve(Buffer.concat(chunks).toString('utf8'));
          return;
        }
        const how =
          bytes > MAX_OUTPUT_BYTES ? 'printed too much' : `ended with ${signal ?? `exit code ${code}`}`;
        reject(
          new ClusterConfigError(`credential program ${exec.command} ${how}; run it by hand to see why`),
        );
      });
    });
  }

  #info(): unknown {
    const { exec, config } = this.#options;
    const cluster = {
      server: config.server,
      ...(config.serverName === undefined ? {} : { 'tls-server-name': config.serverName }),
      ...(config.tlsVerify === 'skip' ? { 'insecure-skip-tls-verify': true } : {}),
      ...(config.ca?.kind === 'inline'
        ? { 'certificate-authority-data': Buffer.from(config.ca.pem, 'utf8').toString('base64') }
        : {}),
      ...(config.proxyUrl === undefined ? {} : { 'proxy-url': config.proxyUrl }),
    };
    return {
      kind: 'ExecCredential',
      apiVersion: exec.apiVersion,
      spec: { interactive: false, ...(exec.provideClusterInfo ? { cluster } : {}) },
    };
  }
}

function decode(exec: ExecSpec, credential: unknown): Held {
  const status: JsonRecord | undefined = isRecord(credential) ? recordAt(credential, 'status') : undefined;
  if (
    !isRecord(credential) ||
    status === undefined ||
    stringAt(credential, 'apiVersion') !== exec.apiVersion
  ) {
    throw new ClusterConfigError(
      `${exec.command} must print an ExecCredential of ${exec.apiVersion} with a status`,
    );
  }
  const token = stringAt(status, 'token');
  const certificate = stringAt(status, 'clientCertificateData');
  const key = stringAt(status, 'clientKeyData');
  if (
    (certificate === undefined) !== (key === undefined) ||
    (token === undefined && certificate === undefined)
  ) {
    throw new ClusterConfigError(`${exec.command} must print a token, or a client certificate with its key`);
  }
  const expires = Date.parse(stringAt(status, 'expirationTimestamp') ?? '');
  return {
    credentials: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(certificate === undefined || key === undefined ? {} : { clientCertificate: { certificate, key } }),
    },
    expiresAt: Number.isNaN(expires) ? undefined : wallTime(expires),
  };
}
