// The connections to one API server with one set of certificates: few over HTTP/2, as many as needed over HTTP/1.1.
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { buildConnector, Client, Dispatcher, Pool } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';
import HttpClient from 'undici/lib/dispatcher/client.js';
import HttpPool from 'undici/lib/dispatcher/pool.js';
import type { Timers } from '../runtime/clock.ts';
import { openTunnel } from './proxy-tunnel.ts';

export type ConnectionsOptions = {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly tls: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
    readonly rejectUnauthorized: boolean;
  };
  /** Proxy in front of the server. Default: none. */
  readonly proxyUrl?: string;
  /** Default: `prefer`. */
  readonly http2?: 'prefer' | 'off';
  /** HTTP/2 PING interval in milliseconds; one that is not answered until the next is due ends the connection. */
  readonly pingMs: number;
  /** Longest time to connect, TLS included, in milliseconds. */
  readonly connectMs: number;
  readonly timers: Timers;
};

type Mode = 'h2' | 'http1';

/** Streams per HTTP/2 connection before another is opened. API servers allow 100 by default. */
const STREAMS_PER_CONNECTION = 90;
const MAX_HTTP2_CONNECTIONS = 8;
/** Idle connections are kept this long: a new one costs ten times a request. */
const KEEP_ALIVE_MS = 300_000;

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #dial: buildConnector.connector;
  readonly #clients: Client[] = [];
  readonly #discarded = new Set<Client>();
  readonly #leaveListeners = new Map<Dispatcher, Set<() => void>>();
  #http1: Pool | undefined;
  #mode: Promise<Mode | 'closed'> | undefined;
  /** The socket that found out the protocol, waiting to be used by the first client. */
  #spare: Socket | TLSSocket | undefined;
  #closed = false;
  #spoken: Mode | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    const direct = connectorOf({
      ...options.tls,
      allowH2: options.http2 !== 'off',
      preferH2: true,
      timeout: options.connectMs,
      keepAlive: true,
      keepAliveInitialDelay: 10_000,
    });
    const { proxyUrl } = options;
    this.#dial = proxyUrl === undefined ? direct : through(proxyUrl, options, direct);
  }

  /** The protocol last spoken. */
  get mode(): Mode | undefined {
    return this.#spoken;
  }

  /**
   * What to send the next request through; `closed` once it was retired or destroyed, also while it was connecting.
   * Rejects with the connector's error when the server cannot be reached.
   */
  async dispatcher(): Promise<Dispatcher | 'closed'> {
    if (this.#closed) return 'closed';
    // Which protocol is spoken decides how requests are spread, so it is found out before the first one is.
    this.#mode ??= this.#negotiate().catch((error: unknown) => {
      this.#mode = undefined;
      throw error;
    });
    const mode = await this.#mode;
    if (this.#closed || mode === 'closed') return 'closed';
    this.#spoken = mode;
    if (mode === 'http1') return (this.#http1 ??= this.#pool());
    return this.#client();
  }

  /**
   * A request through this dispatcher lost its connection: no further one goes there. A client whose TLS stream was
   * damaged can hold on to its dead session for ever, so a lost connection is never built upon.
   */
  discard(dispatcher: Dispatcher): void {
    const place = this.#clients.findIndex((client) => client === dispatcher);
    const [client] = place === -1 ? [] : this.#clients.splice(place, 1);
    if (client === undefined || this.#closed) return;
    this.#discarded.add(client);
    const forget = (): boolean => this.#discarded.delete(client);
    // Other requests on it fail or end by themselves; that it was destroyed meanwhile is as good.
    client.close().then(forget, forget);
  }

  /**
   * Calls `listener` when the server asks to leave the connection of this dispatcher (GOAWAY): what is under way on it goes on, and
   * it is not pinged any more. Returns the way to unsubscribe.
   */
  onLeave(dispatcher: Dispatcher, listener: () => void): () => void {
    const listeners = this.#leaveListeners.get(dispatcher) ?? new Set();
    this.#leaveListeners.set(dispatcher, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#leaveListeners.delete(dispatcher);
    };
  }

  /** Lets requests in flight end by themselves and takes no more. */
  async retire(): Promise<void> {
    this.#closed = true;
    this.#spare?.destroy();
    // One that is destroyed before it has drained rejects, and is closed all the same.
    await Promise.allSettled(this.#all().map((dispatcher) => dispatcher.close()));
  }

  /** Ends everything at once. */
  async destroy(): Promise<void> {
    this.#closed = true;
    this.#spare?.destroy();
    await Promise.allSettled([...this.#all(), ...this.#discarded].map((dispatcher) => dispatcher.destroy()));
  }

  #all(): readonly Dispatcher[] {
    return [...this.#clients, ...(this.#http1 === undefined ? [] : [this.#http1])];
  }

  async #negotiate(): Promise<Mode | 'closed'> {
    const { protocol, hostname, port, host } = new URL(this.#options.origin);
    if (protocol === 'http:' || this.#options.http2 === 'off') return 'http1';
    const socket = await new Promise<Socket | TLSSocket>((resolve, reject) => {
      this.#dial({ protocol, hostname, host, port }, (error, socket) => {
        if (error === null) resolve(socket);
        else reject(error);
      });
    });
    if (this.#closed) {
      socket.destroy();
      return 'closed';
    }
    this.#spare = socket;
    return alpn(socket);
  }

  #pool(): Pool {
    return new HttpPool(this.#options.origin, {
      allowH2: false,
      pipelining: 1,
      connect: this.#connector('http1'),
      keepAliveTimeout: KEEP_ALIVE_MS,
      bodyTimeout: 0,
      headersTimeout: 0,
    });
  }

  #client(): Client {
    const free = this.#clients.find(({ stats }) => stats.running + stats.pending < STREAMS_PER_CONNECTION);
    if (free !== undefined) return free;
    if (this.#clients.length >= MAX_HTTP2_CONNECTIONS) {
      return this.#clients.reduce((least, next) => (next.stats.size < least.stats.size ? next : least));
    }
    const client = new HttpClient(this.#options.origin, {
      allowH2: true,
      connect: this.#connector('h2'),
      keepAliveTimeout: KEEP_ALIVE_MS,
      bodyTimeout: 0,
      headersTimeout: 0,
      h2Options: { pingInterval: this.#options.pingMs, maxConcurrentStreams: STREAMS_PER_CONNECTION },
    });
    client.on('disconnect', (_origin, _targets, error) => {
      if (!error.message.includes('GOAWAY')) return;
      for (const listener of [...(this.#leaveListeners.get(client) ?? [])]) listener();
    });
    this.#clients.push(client);
    return client;
  }

  #connector(mode: Mode): buildConnector.connector {
    return (options, callback) => {
      const spare = this.#spare;
      this.#spare = undefined;
      if (spare !== undefined && !spare.destroyed) {
        // Never within the call: the client counts itself as connecting only when it returns.
        queueMicrotask(() => callback(null, spare));
        return;
      }
      this.#dial(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        if (alpn(socket) === mode || this.#isPlain()) return callback(null, socket);
        // A server behind the same address speaks another protocol now: find out anew with the next request.
        this.#mode = undefined;
        socket.destroy();
        callback(new Error('the server changed the HTTP version it speaks'), null);
      });
    };
  }

  #isPlain(): boolean {
    return this.#options.origin.startsWith('http:') || this.#options.http2 === 'off';
  }
}

/** A connector whose connections go through a proxy. */
function through(
  proxyUrl: string,
  { connectMs, timers }: ConnectionsOptions,
  direct: buildConnector.connector,
): buildConnector.connector {
  return (options, callback) => {
    const secure = options.protocol === 'https:';
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const port = Number(options.port === '' ? (secure ? 443 : 80) : options.port);
    const tunnel = openTunnel({ proxyUrl, host, port, timeoutMs: connectMs, timers });
    settle(tunnel, (error, socket) => {
      if (socket === undefined) callback(error, null);
      else if (secure) direct({ ...options, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  };
}

/** A promise's outcome for a callback, outside the promise, so that what the callback throws is not swallowed. */
function settle(promise: Promise<Socket>, callback: (error: Error, socket?: Socket) => void): void {
  const none = new Error('no outcome');
  void promise.then(
    (socket) => process.nextTick(callback, none, socket),
    (error: unknown) => process.nextTick(callback, error instanceof Error ? error : new Error(String(error))),
  );
}

function alpn(socket: Socket | TLSSocket): Mode {
  return 'alpnProtocol' in socket && socket.alpnProtocol === 'h2' ? 'h2' : 'http1';
}
