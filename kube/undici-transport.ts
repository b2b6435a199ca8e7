// The transport of long-running programs: pooled connections with credentials and certificates that reload.
import type { Dispatcher } from 'undici';
import type { Clock, MonotonicTime } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { type ClusterConfig, ClusterConfigError } from './cluster-config.ts';
import { describeConnectionError, isLost, isTrustError } from './connection-errors.ts';
import { Connections } from './connections.ts';
import type { Credentials, CredentialSource } from './credential-source.ts';
import { credentialSource } from './credentials.ts';
import { Exchange } from './exchange.ts';
import { equalMaterial, type TlsMaterial, TlsMaterialReader } from './tls-material.ts';
import {
  KubeConnectionError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  withQuery,
} from './transport.ts';

export type UndiciTransportOptions = {
  readonly config: ClusterConfig;
  readonly clock: Clock;
  /** User-Agent of every request. */
  readonly userAgent: string;
  /** Environment that credential programs of the kubeconfig inherit. Default: empty. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: `prefer`. */
  readonly http2?: 'prefer' | 'off';
  /** HTTP/2 PING interval in milliseconds: a frozen server is noticed after one to two of them. Default: 5,000. */
  readonly pingMs?: number;
  /** Longest time to connect, in milliseconds. Default: 10,000. */
  readonly connectMs?: number;
  /** Hears once of a file of credentials or certificates that cannot be read any more. Default: nobody does. */
  readonly log?: Logger;
  /** Wait for an answer's headers where a request names none, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
};

/** A response and the credentials its request carried. */
type Answer = { readonly response: TransportResponse; readonly sent: Credentials };
/** When all tries of a request must have brought an answer. */
type Limit = { readonly timeoutMs: number; readonly startedAt: MonotonicTime };
type Generation = { readonly material: TlsMaterial; readonly connections: Connections };

/** What may be silent for long stays on a connection that is not pinged any more for this long. */
const LEAVE_MS = 10_000;

export class UndiciTransport implements Transport {
  readonly #options: UndiciTransportOptions;
  readonly #origin: string;
  readonly #basePath: string;
  readonly #credentials: CredentialSource;
  readonly #tls: TlsMaterialReader;
  #generation: Generation | undefined;
  /** Connections of earlier generations on which requests still run. */
  readonly #retired = new Set<Connections>();
  #closed = false;

  constructor(options: UndiciTransportOptions) {
    this.#options = options;
    const url = new URL(options.config.server);
    this.#origin = url.origin;
    this.#basePath = url.pathname.replace(/\/+$/, '');
    const { config, clock, env = {}, log } = options;
    this.#credentials = credentialSource(config, { clock, env, ...(log === undefined ? {} : { log }) });
    this.#tls = new TlsMaterialReader(config, clock.monotonic, log);
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    const limit = this.#limit(request);
    const { response, sent } = await this.#read(request, limit);
    if (response.status !== 401 || !this.#credentials.rejected(sent)) return response;
    // The token may have been renewed under us: once more, with what the file says now.
    for await (const _chunk of response.body);
    return (await this.#read(request, limit)).response;
  }

  get liveness(): 'pinged' | 'silent' {
    return this.#generation?.connections.mode === 'h2' ? 'pinged' : 'silent';
  }

  async close(): Promise<void> {
    this.#closed = true;
    const current = this.#generation === undefined ? [] : [this.#generation.connections];
    await Promise.all([...current, ...this.#retired].map((connections) => connections.destroy()));
  }

  /**
   * Sends, and for a GET once more when the connection was lost before an answer came: one that had been idle may have
   * been closed by the server just then.
   */
  async #read(request: TransportRequest, limit: Limit): Promise<Answer> {
    try {
      return await this.#send(request, limit);
    } catch (error) {
      const lost = error instanceof KubeConnectionError && isLost(error.cause);
      if (request.method !== 'GET' || !lost || request.signal?.aborted === true) throw error;
      return this.#send(request, limit);
    }
  }

  #limit({ timeoutMs = this.#options.timeoutMs ?? 30_000 }: TransportRequest): Limit {
    return { timeoutMs, startedAt: this.#options.clock.monotonic.now() };
  }

  async #send(request: TransportRequest, { timeoutMs, startedAt }: Limit): Promise<Answer> {
    const what = `${request.method} ${request.path}`;
    const { clock } = this.#options;
    let calledOff: { readonly reason: unknown } | undefined;
    const callOff = (reason: unknown): void => {
      calledOff ??= { reason };
      exchange.abort(asError(reason));
    };
    const onAbort = (): void => callOff(request.signal?.reason);
    let lost = (): void => undefined;
    const cancelTimer = clock.timers.after(startedAt + timeoutMs - clock.monotonic.now(), () => {
      // Pings may be answered by something in between that has lost the server: others shall not wait there as well.
      lost();
      callOff(new KubeConnectionError(`${what}: no answer within ${timeoutMs} ms`));
    });
    request.signal?.addEventListener('abort', onAbort, { once: true });
    let unsubscribe = (): void => undefined;
    const release = (): void => {
      unsubscribe();
      request.signal?.removeEventListener('abort', onAbort);
    };
    let forbidden: { readonly error: unknown } | undefined;
    const explain = (error: unknown): unknown => {
      if (calledOff !== undefined) return calledOff.reason;
      if (forbidden !== undefined) return forbidden.error;
      if (error instanceof ClusterConfigError || error instanceof KubeConnectionError) return error;
      lost();
      if (isTrustError(error)) this.#tls.expire();
      return new KubeConnectionError(`${what}: ${describeConnectionError(error)}`, { cause: error });
    };
    const beforeSend = (): void => {
      try {
        request.beforeSend?.();
      } catch (error) {
        forbidden = { error };
        throw error;
      }
    };
    const exchange = new Exchange({ beforeSend, explain, release });
    try {
      // Connecting is work that others share and that therefore cannot be called off; waiting for it can.
      const { connections, dispatcher, credentials } = await Promise.race([
        this.#connected(),
        exchange.untilFailed(),
      ]);
      lost = () => connections.discard(dispatcher);
      // Answers that may be silent for long depend on the pings of their connection.
      if (request.silenceMs !== undefined)
        unsubscribe = connections.onLeave(dispatcher, () => {
          unsubscribe();
          unsubscribe = clock.timers.after(LEAVE_MS, () => {
            callOff(new KubeConnectionError(`${what}: the server asked to leave this connection`));
          });
        });
      dispatcher.dispatch(
        {
          method: request.method,
          path: `${this.#basePath}${withQuery(request.path, request.query)}`,
          headers: this.#headers(request, credentials),
          bodyTimeout: request.silenceMs ?? timeoutMs,
          ...(request.body === undefined ? {} : { body: request.body }),
        },
        exchange,
      );
      const { status, headers } = await exchange.head;
      return { response: { status, headers: flatten(headers), body: exchange }, sent: credentials };
    } catch (error) {
      release();
      throw explain(error);
    } finally {
      cancelTimer();
    }
  }

  /** What to send through, with whose credentials. Connections that were retired meanwhile have successors. */
  async #connected(): Promise<{
    connections: Connections;
    dispatcher: Dispatcher;
    credentials: Credentials;
  }> {
    for (;;) {
      const { connections, credentials } = await this.#connections();
      const dispatcher = await connections.dispatcher();
      if (dispatcher !== 'closed') return { connections, dispatcher, credentials };
    }
  }

  #headers(request: TransportRequest, credentials: Credentials): Record<string, string | string[]> {
    const { impersonate } = this.#options.config;
    return {
      'user-agent': this.#options.userAgent,
      accept: 'application/json',
      ...(credentials.authorization === undefined ? {} : { authorization: credentials.authorization }),
      ...(impersonate === undefined ? {} : { 'impersonate-user': impersonate.user }),
      ...(impersonate === undefined || impersonate.groups.length === 0
        ? {}
        : { 'impersonate-group': [...impersonate.groups] }),
      ...(impersonate?.uid === undefined ? {} : { 'impersonate-uid': impersonate.uid }),
      ...request.headers,
    };
  }

  async #connections(): Promise<{ connections: Connections; credentials: Credentials }> {
    const [credentials, files] = await Promise.all([this.#credentials.current(), this.#tls.current()]);
    if (this.#closed) throw new KubeConnectionError('the transport was closed');
    const material: TlsMaterial = { ...files, ...credentials.clientCertificate };
    const generation = this.#generation;
    if (generation !== undefined && equalMaterial(generation.material, material)) {
      return { connections: generation.connections, credentials };
    }
    const connections = this.#connect(material);
    this.#generation = { material, connections };
    // Watches on the old certificates run on until the server ends them, which it does within minutes.
    if (generation !== undefined) void this.#retire(generation.connections);
    return { connections, credentials };
  }

  async #retire(connections: Connections): Promise<void> {
    this.#retired.add(connections);
    await connections.retire();
    this.#retired.delete(connections);
  }

  #connect(material: TlsMaterial): Connections {
    const { config, clock, http2, pingMs, connectMs } = this.#options;
    return new Connections({
      origin: this.#origin,
      tls: {
        rejectUnauthorized: config.tlsVerify === 'verify',
        ...(material.ca === undefined ? {} : { ca: material.ca }),
        ...(material.certificate === undefined ? {} : { cert: material.certificate }),
        ...(material.key === undefined ? {} : { key: material.key }),
        ...(config.serverName === undefined ? {} : { servername: config.serverName }),
      },
      ...(config.proxyUrl === undefined ? {} : { proxyUrl: config.proxyUrl }),
      http2: http2 ?? 'prefer',
      pingMs: pingMs ?? 5_000,
      connectMs: connectMs ?? 10_000,
      timers: clock.timers,
    });
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}

function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers))
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}
