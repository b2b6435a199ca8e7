// Credentials from a program, by the client.authentication.k8s.io protocol that kubeconfigs name under `exec`.
import { spawn } from 'node:child_process';
import { type WallClock, type WallTime, wallTime } from '../runtime/clock.ts';
import { type ClusterConfig, ClusterConfigError, type ExecSpec } from './cluster-config.ts';
import type { Credentials, CredentialSource } from './credential-source.ts';
import { isRecord, type JsonRecord, recordAt, stringAt } from './json.ts';

export type ExecCredentialOptions = {
  readonly exec: ExecSpec;
  /** For `provideClusterInfo`. */
  readonly config: ClusterConfig;
  /** Environment the program inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly wall: WallClock;
  /** Longest time the program may take, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
};

type Held = { readonly credentials: Credentials; readonly expiresAt: WallTime | undefined };

/** Credentials this close to their end are renewed. */
const RENEW_BEFORE_MS = 10_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

export class ExecCredentials implements CredentialSource {
  readonly #options: ExecCredentialOptions;
  #held: Held | undefined;
  #running: Promise<Credentials> | undefined;

  constructor(options: ExecCredentialOptions) {
    this.#options = options;
  }

  /** From memory until they expire or were rejected; one run serves all who ask meanwhile. */
  current(): Promise<Credentials> {
    const held = this.#held;
    if (held !== undefined && !this.#expired(held)) return Promise.resolve(held.credentials);
    this.#running ??= this.#renew().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  rejected(refused: Credentials): boolean {
    if (this.#held?.credentials === refused) this.#held = undefined;
    return true;
  }

  #expired({ expiresAt }: Held): boolean {
    return expiresAt !== undefined && expiresAt - RENEW_BEFORE_MS <= this.#options.wall.now();
  }

  async #renew(): Promise<Credentials> {
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
    const { exec, env, timeoutMs } = this.#options;
    const inherited = Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return new Promise((resolve, reject) => {
      const child = spawn(exec.command, exec.args, {
        // Nobody is there to answer: standard input is empty. What the program says to people goes to them unread.
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: timeoutMs ?? 60_000,
        killSignal: 'SIGKILL',
        env: {
          ...Object.fromEntries(inherited),
          ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
          KUBERNETES_EXEC_INFO: JSON.stringify(this.#info()),
        },
      });
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      child.stdout.on('data', (chunk: Uint8Array) => {
        bytes += chunk.length;
        if (bytes > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
        else chunks.push(chunk);
      });
      child.once('error', (cause) => {
        const hint = exec.installHint === undefined ? '' : `; ${exec.installHint}`;
        reject(new ClusterConfigError(`credential program ${exec.command} cannot be run${hint}`, { cause }));
      });
      child.once('close', (code, signal) => {
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
