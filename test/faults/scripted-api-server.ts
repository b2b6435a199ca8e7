// An API server that does what a test tells it: versions, lists, watches and writes as the real one, and faults on demand.
import { createServer as createPlainServer, type IncomingMessage } from 'node:http';
import { createSecureServer, type Http2ServerRequest } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { CertificateAuthority, type KeyPair } from '../helpers/certificates.ts';
import { isFailure, ObjectStore, type Raw, type Scope, type StoreFailure } from './object-store.ts';

export type Seen = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** `1.1` or `2.0`. */
  readonly httpVersion: string;
};

/** What to do in place of an answer. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly reason?: string;
      readonly retryAfter?: string;
      readonly message?: string;
    }
  /** Exactly these bytes as a 200. `cut` then ends the connection in the middle of the answer. */
  | { readonly kind: 'bytes'; readonly bytes: string | Uint8Array; readonly end: 'whole' | 'cut' }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Ends the connection without an answer. */
  | { readonly kind: 'reset' };

/** Looks at each request; the first that returns a fault decides. */
export type Intercept = (request: Seen) => Fault | undefined;

export type Protocol = 'plain' | 'http1' | 'h2';

type Request = IncomingMessage | Http2ServerRequest;
/** What the responses of both HTTP versions have in common. */
type Response = {
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(chunk: string | Uint8Array, sent?: () => void): boolean;
  end(chunk?: string): unknown;
  flushHeaders?(): void;
  on(event: 'close' | 'error', listener: () => void): unknown;
};

type Watcher = {
  readonly scope: Scope;
  readonly response: Response;
};

type Target = {
  readonly scope: Scope;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
};

export class ScriptedApiServer {
  readonly store = new ObjectStore();
  /** All requests, in order. */
  readonly seen: Seen[] = [];
  /** Connections ever accepted. */
  connections = 0;
  /** Whether lists can be streamed by a watch, as from Kubernetes 1.32 on. */
  streamingLists: 'served' | 'refused' = 'served';
  readonly #protocol: Protocol;
  readonly #authority: CertificateAuthority;
  #pair: KeyPair;
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #watchers = new Set<Watcher>();
  readonly #intercepts: Intercept[] = [];
  readonly #pages = new Map<string, { readonly items: readonly Raw[]; readonly revision: number }>();

  private constructor(protocol: Protocol, authority: CertificateAuthority, pair: KeyPair) {
    this.#protocol = protocol;
    this.#authority = authority;
    this.#pair = pair;
    this.store.onChange((resource, { type, object }) => {
      for (const watcher of this.#watchers) {
        if (watcher.scope.resource !== resource) continue;
        if (watcher.scope.namespace !== '' && watcher.scope.namespace !== object.metadata['namespace'])
          continue;
        watcher.response.write(line(type, object));
      }
    });
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

  /** Watches that are open. */
  watching(resource?: string): number {
    return [...this.#watchers].filter(({ scope }) => resource === undefined || scope.resource === resource)
      .length;
  }

  /** Connections that are open. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Requests that were lists, paged or streaming. */
  lists(resource: string): number {
    return this.seen.filter(({ method, path, query }) => {
      const target = parsePath(path);
      if (method !== 'GET' || target?.scope.resource !== resource || target.name !== undefined) return false;
      if (query.get('watch') === 'true') return query.get('sendInitialEvents') === 'true';
      return query.get('limit') !== '1';
    }).length;
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

  /** Sends a bookmark with the present revision to all watches of a resource. */
  bookmark(resource: string): void {
    this.writeToWatches(resource, bookmarkLine(this.store.revision));
  }

  /** Sends exactly these bytes to all watches of a resource. */
  writeToWatches(resource: string, bytes: string | Uint8Array): void {
    for (const watcher of this.#watchers)
      if (watcher.scope.resource === resource) watcher.response.write(bytes);
  }

  /** Sends an ERROR event to all watches of a resource; the connection stays open. */
  errorToWatches(resource: string, failure: StoreFailure): void {
    this.writeToWatches(resource, line('ERROR', status(failure)));
  }

  /** Ends all watches of a resource (default: all) as the server does at their timeout. */
  endWatches(resource?: string): void {
    for (const watcher of this.#watchers) {
      if (resource === undefined || watcher.scope.resource === resource) watcher.response.end();
    }
  }

  /** Cuts all connections, so that every request in flight fails. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
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
    this.#watchers.clear();
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
    };
    this.seen.push(seen);
    const fault = this.#scripted(seen);
    if (fault === undefined) this.#answer(seen, response);
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
        response.write(fault.bytes, () => {
          if (fault.end === 'whole') response.end();
          else cut(request);
        });
        return;
      case 'hang':
        return;
      case 'reset':
        cut(request);
        return;
    }
  }

  #answer(seen: Seen, response: Response): void {
    if (seen.path === '/readyz' || seen.path === '/livez') {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end('ok');
      return;
    }
    const target = parsePath(seen.path);
    if (target === undefined) {
      send(response, 404, status({ status: 404, reason: 'NotFound', message: 'no such path' }));
      return;
    }
    if (seen.method === 'GET' && target.name === undefined) {
      if (seen.query.get('watch') === 'true') this.#watch(target.scope, seen, response);
      else this.#list(target.scope, seen, response);
      return;
    }
    const result = this.#object(target, seen);
    if (isFailure(result)) send(response, result.status, status(result));
    else send(response, seen.method === 'POST' ? 201 : 200, result);
  }

  #object({ scope, name }: Target, seen: Seen): Raw | StoreFailure {
    const missing = { status: 404, reason: 'NotFound', message: `${scope.resource} "${name}" not found` };
    if (seen.method === 'POST') return this.store.write(scope, 'create', JSON.parse(seen.body) as Raw);
    if (name === undefined) return { status: 405, reason: 'MethodNotAllowed', message: 'not allowed' };
    const present = this.store.get(scope, name);
    switch (seen.method) {
      case 'GET':
        return present ?? missing;
      case 'PUT':
        return this.store.write(scope, 'replace', JSON.parse(seen.body) as Raw);
      case 'DELETE':
        return this.store.delete(scope, name);
      case 'PATCH': {
        const patch = JSON.parse(seen.body) as Raw;
        if (present !== undefined) return this.store.write(scope, 'replace', merge(present, patch) as Raw);
        const applied = String(seen.headers['content-type']).startsWith('application/apply-patch');
        return applied ? this.store.write(scope, 'create', patch) : missing;
      }
      default:
        return { status: 405, reason: 'MethodNotAllowed', message: 'not allowed' };
    }
  }

  #list(scope: Scope, seen: Seen, response: Response): void {
    const limit = Number(seen.query.get('limit') ?? 0);
    const token = seen.query.get('continue');
    const page =
      token === null
        ? { items: this.store.list(scope), revision: this.store.revision }
        : this.#pages.get(token);
    if (page === undefined) {
      send(
        response,
        410,
        status({ status: 410, reason: 'Expired', message: 'the continue token has expired' }),
      );
      return;
    }
    const items = limit === 0 ? page.items : page.items.slice(0, limit);
    const rest = page.items.slice(items.length);
    const next = rest.length === 0 ? '' : `page-${this.#pages.size}`;
    if (next !== '') this.#pages.set(next, { items: rest, revision: page.revision });
    send(response, 200, {
      kind: 'List',
      apiVersion: 'v1',
      metadata: {
        resourceVersion: String(page.revision),
        ...(next === '' ? {} : { continue: next, remainingItemCount: rest.length }),
      },
      items,
    });
  }

  /** Makes all continue tokens expire. */
  expirePages(): void {
    this.#pages.clear();
  }

  #watch(scope: Scope, seen: Seen, response: Response): void {
    const streaming = seen.query.get('sendInitialEvents') === 'true';
    if (streaming && this.streamingLists === 'refused') {
      const message = 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless enabled';
      send(response, 422, status({ status: 422, reason: 'Invalid', message }));
      return;
    }
    const since = Number(seen.query.get('resourceVersion') ?? 0);
    const changes = streaming ? [] : this.store.changesAfter(scope.resource, since);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (changes === undefined) {
      response.end(
        line('ERROR', status({ status: 410, reason: 'Expired', message: 'too old resource version' })),
      );
      return;
    }
    const watcher: Watcher = { scope, response };
    if (streaming) {
      for (const object of this.store.list(scope)) response.write(line('ADDED', object));
      response.write(bookmarkLine(this.store.revision, { 'k8s.io/initial-events-end': 'true' }));
    }
    for (const { type, object } of changes) {
      if (scope.namespace === '' || scope.namespace === object.metadata['namespace']) {
        response.write(line(type, object));
      }
    }
    // The headers go out even when there is nothing to say yet.
    response.flushHeaders?.();
    this.#watchers.add(watcher);
    response.on('close', () => this.#watchers.delete(watcher));
  }
}

/** Takes `/apis/group/version/namespaces/ns/plural/name/sub` apart. */
function parsePath(path: string): Target | undefined {
  const parts = path.split('/').slice(1);
  const root = parts.shift();
  const group = root === 'apis' ? parts.shift() : '';
  if (root !== 'api' && root !== 'apis') return undefined;
  parts.shift();
  let namespace = '';
  if (parts[0] === 'namespaces' && parts.length > 2) {
    namespace = parts[1] ?? '';
    parts.splice(0, 2);
  }
  const [plural, name, subresource] = parts;
  if (plural === undefined || plural === '') return undefined;
  return { scope: { resource: group === '' ? plural : `${plural}.${group}`, namespace }, name, subresource };
}

function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged;
}

function status({ status, reason, message }: { status: number; reason: string; message: string }): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    code: status,
  };
}

export function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

export function bookmarkLine(revision: number, annotations?: Record<string, string>): string {
  return line('BOOKMARK', {
    metadata: { resourceVersion: String(revision), ...(annotations === undefined ? {} : { annotations }) },
  });
}

function send(response: Response, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Ends the connection under a request. */
function cut(request: Request): void {
  if ('stream' in request) request.stream.session?.destroy();
  else request.socket.destroy();
}
