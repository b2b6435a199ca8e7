// What a scripted API server answers when no fault is due: versions, lists, pages, watches and writes as the real one.
import { isFailure, ObjectStore, type Raw, type Scope, type StoreFailure } from './object-store.ts';
import { bookmarkLine, line, type Response, type Seen, send, status } from './scripted-words.ts';

type Watcher = {
  readonly scope: Scope;
  readonly response: Response;
};

type Target = {
  readonly scope: Scope;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
};

export class ScriptedApi {
  readonly store = new ObjectStore();
  /** All requests, in order. */
  readonly seen: Seen[] = [];
  /** Whether lists can be streamed by a watch, as from Kubernetes 1.32 on. */
  streamingLists: 'served' | 'refused' = 'served';
  readonly #watchers = new Set<Watcher>();
  readonly #pages = new Map<string, { readonly items: readonly Raw[]; readonly revision: number }>();
  #tokens = 0;

  constructor() {
    this.store.onChange((resource, { type, object }) => {
      for (const watcher of this.#watchers) {
        if (watcher.scope.resource !== resource) continue;
        if (watcher.scope.namespace !== '' && watcher.scope.namespace !== object.metadata['namespace'])
          continue;
        watcher.response.write(line(type, object));
      }
    });
  }

  /** Watches that are open. */
  watching(resource?: string): number {
    return [...this.#watchers].filter(({ scope }) => resource === undefined || scope.resource === resource)
      .length;
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

  /** Makes all continue tokens expire. */
  expirePages(): void {
    this.#pages.clear();
  }

  /** The watches whose connections are gone. */
  protected forgetWatches(): void {
    this.#watchers.clear();
  }

  /** Answers one request, as the real server would. */
  protected answer(seen: Seen, response: Response): void {
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
    const next = rest.length === 0 ? '' : `page-${(this.#tokens += 1)}`;
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
