// An API server that does what a test tells it: over HTTP/1.1 or HTTP/2, with certificates, and with faults on demand.
import { createServer as createPlainServer } from 'node:http';
import { createSecureServer, type ServerHttp2Session } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { CertificateAuthority, type KeyPair } from '../helpers/certificates.ts';
import { ScriptedApi } from './scripted-api.ts';
import { type Request, type Response, type Seen, send, status } from './scripted-words.ts';

/** What to do in place of an answer. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly reason?: string;
      readonly retryAfter?: string;
      readonly message?: string;
    }
  /** Exactly these bytes as a 200. `cut` then ends the connection in the middle of the answer, `never` says no more. */
  | { readonly kind: 'bytes'; readonly bytes: string | Uint8Array; readonly end: 'whole' | 'cut' | 'never' }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Ends the connection without an answer. */
  | { readonly kind: 'reset' };

/** Looks at each request; the first that returns a fault decides. */
export type Intercept = (request: Seen) => Fault | undefined;

export type Protocol = 'plain' | 'http1' | 'h2';

export class ScriptedApiServer extends ScriptedApi {
  /** Connections ever accepted. */
  connections = 0;
  readonly #protocol: Protocol;
  readonly #authority: CertificateAuthority;
  #pair: KeyPair;
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #intercepts: Intercept[] = [];

  private constructor(protocol: Protocol, authority: CertificateAuthority, pair: KeyPair) {
    super();
    this.#protocol = protocol;
    this.#authority = authority;
    this.#pair = pair;
  }

  /** Makes a server that listens on a free port of the loopback address. */
  static async start(protocol: Protocol = 'h2'): Promise<ScriptedApiServer> {
    const authority = new CertificateAuthority();
    const server = new ScriptedApiServer(protocol, authority, authority.issue());
    await server.listen();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `${this.#protocol === 'plain' ? 'http' : 'https'}://127.0.0.1:${this.#port}`;
  }

  /** PEM of the authority that signed the server's certificate. */
  get ca(): string {
    return this.#authority.pem;
  }

  get authority(): CertificateAuthority {
    return this.#authority;
  }

  /** Uses another certificate from the next {@link listen} on. */
  useCertificate(pair: KeyPair): void {
    this.#pair = pair;
  }

  /** Connections that are open. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Adds a fault; returns the way to take it back. */
  intercept(intercept: Intercept): () => void {
    this.#intercepts.push(intercept);
    return () => {
      const place = this.#intercepts.indexOf(intercept);
      if (place !== -1) this.#intercepts.splice(place, 1);
    };
  }

  /** As {@link intercept}, for the next `times` requests that match. */
  interceptNext(times: number, intercept: Intercept): void {
    let left = times;
    const remove = this.intercept((request) => {
      const fault = intercept(request);
      if (fault === undefined) return undefined;
      left -= 1;
      if (left === 0) remove();
      return fault;
    });
  }

  /** Cuts all connections, so that every request in flight fails. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Asks every HTTP/2 client to take further requests elsewhere; what is under way goes on. */
  goAway(): void {
    for (const session of this.#sessions) session.goaway();
  }

  /** Listens again after {@link close}, on the port it had. */
  async listen(): Promise<void> {
    const server = this.#create();
    server.on(this.#protocol === 'plain' ? 'connection' : 'secureConnection', () => {
      this.connections += 1;
    });
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Cuts everything and stops listening. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    this.cutConnections();
    await closed;
    this.forgetWatches();
  }

  #create(): Server {
    const handler = (request: Request, response: Response): void => {
      void this.#receive(request, response);
    };
    const { cert, key } = this.#pair;
    if (this.#protocol === 'plain') return createPlainServer(handler);
    if (this.#protocol === 'http1') return createTlsServer({ cert, key }, handler);
    const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
      // The compatibility layer answers as HTTP/1.1 does; its types merely say more.
      handler(request, response as unknown as Response);
    });
    server.on('sessionError', () => undefined);
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
    });
    return server;
  }

  async #receive(request: Request, response: Response): Promise<void> {
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    const url = new URL(request.url ?? '/', 'http://server');
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
    } catch {
      return;
    }
    const seen: Seen = {
      method: request.method ?? 'GET',
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      httpVersion: request.httpVersion,
      clientPort: request.socket.remotePort,
    };
    this.seen.push(seen);
    const fault = this.#scripted(seen);
    if (fault === undefined) this.answer(seen, response);
    else this.#fail(fault, request, response);
  }

  #scripted(seen: Seen): Fault | undefined {
    for (const intercept of this.#intercepts) {
      const fault = intercept(seen);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #fail(fault: Fault, request: Request, response: Response): void {
    switch (fault.kind) {
      case 'status':
        if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
        send(response, fault.status, status({ reason: '', message: 'scripted', ...fault }));
        return;
      case 'bytes':
        response.writeHead(200, { 'content-type': 'application/json' });
        response.flushHeaders?.();
        response.write(fault.bytes, () => {
          if (fault.end === 'whole') response.end();
          else if (fault.end === 'cut') cut(request);
        });
        return;
      case 'hang':
        return;
      case 'reset':
        cut(request);
        return;
    }
  }
}

/** Ends the connection under a request. */
function cut(request: Request): void {
  if ('stream' in request) request.stream.session?.destroy();
  else request.socket.destroy();
}
