// A small client of the API server for tests, independent of the project's own: what it says is what the server said.
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { type KubeList, type KubeObject, textAt } from './kube-object.ts';
import { type Access, readAccess } from './kubeconfig.ts';

/** What the server answered. A status of 400 and above is an answer like any other; `body` is a Status object then. */
export type Answer<T = KubeObject> = {
  readonly code: number;
  /** Decoded JSON; where the answer was no JSON (as of `/readyz`), the text in `{ text }`. */
  readonly body: T;
};

/** What to throw when the server refuses what a helper cannot do without. */
export function refusal(what: string, { code, body }: Answer): Error {
  return new Error(`${what} was refused (${code}): ${textAt(body, 'message')}`);
}

/** One event of a watch, or the server's refusal of the whole watch. */
export type WatchEvent =
  | {
      readonly kind: 'event';
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
      readonly object: KubeObject;
    }
  | { readonly kind: 'refused'; readonly code: number; readonly status: KubeObject };

/** Values of a query string; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type ApplyOptions = {
  /** Default: `test`. */
  readonly fieldManager?: string;
  /** What happens to a field of another manager. Default: `force`. */
  readonly conflicts?: 'force' | 'refuse';
  readonly query?: Query;
};

type Body = { readonly type: string; readonly text: string };

/**
 * Requests by path, as in `/api/v1/namespaces/x/pods`. Nothing here throws because of a status code; what throws is a
 * connection that broke, with the cause. Connections are kept open, and do not keep the process alive while idle.
 */
export class TestClient {
  readonly access: Access;
  readonly #agent: Agent;

  constructor(access: Access) {
    this.access = access;
    const { credentials, ca } = access;
    const pair = credentials.kind === 'certificate' ? { cert: credentials.cert, key: credentials.key } : {};
    this.#agent = new Agent({ keepAlive: true, ca, ...pair });
  }

  static fromKubeconfig(file: string): TestClient {
    return new TestClient(readAccess(file));
  }

  /** Closes idle connections; those in use close at their end. */
  close(): void {
    this.#agent.destroy();
  }

  get<T = KubeObject>(path: string, query: Query = {}): Promise<Answer<T>> {
    return this.send('GET', path, { query });
  }

  list(path: string, query: Query = {}): Promise<Answer<KubeList>> {
    return this.send('GET', path, { query });
  }

  create<T = KubeObject>(path: string, object: unknown, query: Query = {}): Promise<Answer<T>> {
    return this.send('POST', path, { query, body: json(object) });
  }

  replace<T = KubeObject>(path: string, object: unknown, query: Query = {}): Promise<Answer<T>> {
    return this.send('PUT', path, { query, body: json(object) });
  }

  /** JSON merge patch: null removes a field, an array replaces an array. */
  mergePatch<T = KubeObject>(path: string, patch: unknown, query: Query = {}): Promise<Answer<T>> {
    return this.send('PATCH', path, { query, body: json(patch, 'application/merge-patch+json') });
  }

  /** Server-side apply. */
  apply<T = KubeObject>(path: string, object: unknown, options: ApplyOptions = {}): Promise<Answer<T>> {
    const { fieldManager = 'test', conflicts = 'force' } = options;
    const query = { ...options.query, fieldManager, force: conflicts === 'force' };
    return this.send('PATCH', path, { query, body: json(object, 'application/apply-patch+yaml') });
  }

  /** @param options body of the request (DeleteOptions), for preconditions and propagation */
  delete<T = KubeObject>(path: string, query: Query = {}, options?: object): Promise<Answer<T>> {
    const body = options && json({ apiVersion: 'v1', kind: 'DeleteOptions', ...options });
    return this.send('DELETE', path, { query, ...(body && { body }) });
  }

  /**
   * Events from `query.resourceVersion` on. Ends when the server ends the watch, or `signal` is aborted; throws when the
   * connection breaks.
   */
  async *watch(path: string, query: Query, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    let response: IncomingMessage | undefined;
    try {
      response = await this.#open('GET', path, { query: { ...query, watch: true }, signal });
      if (response.statusCode !== 200) {
        const { code, body } = await answerOf<KubeObject>(response);
        yield { kind: 'refused', code, status: body };
        return;
      }
      for await (const line of linesOf(response)) {
        const event = JSON.parse(line) as { type: 'ADDED'; object: KubeObject };
        yield { kind: 'event', ...event };
      }
    } catch (cause) {
      if (signal.aborted) return;
      throw new Error(`the watch of ${path} broke`, { cause });
    } finally {
      response?.destroy();
    }
  }

  /** Any request. */
  async send<T = KubeObject>(
    method: string,
    path: string,
    options: { readonly query?: Query; readonly body?: Body; readonly signal?: AbortSignal } = {},
  ): Promise<Answer<T>> {
    try {
      return await answerOf<T>(await this.#open(method, path, options));
    } catch (cause) {
      throw new Error(`${method} ${path} got no answer`, { cause });
    }
  }

  #open(
    method: string,
    path: string,
    options: { readonly query?: Query; readonly body?: Body; readonly signal?: AbortSignal },
  ): Promise<IncomingMessage> {
    const { credentials, server } = this.access;
    const url = new URL(server + path);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { accept: 'application/json' };
    if (credentials.kind === 'token') headers['authorization'] = `Bearer ${credentials.token()}`;
    if (options.body) {
      headers['content-type'] = options.body.type;
      headers['content-length'] = String(Buffer.byteLength(options.body.text)); // Node leaves it out of a DELETE
    }
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = httpsRequest(url, {
      method,
      headers,
      agent: this.#agent,
      ...(options.signal && { signal: options.signal }),
    });
    request.once('response', resolve).once('error', reject);
    request.end(options.body?.text);
    return promise;
  }
}

const json = (value: unknown, type = 'application/json'): Body => ({ type, text: JSON.stringify(value) });

async function answerOf<T>(response: IncomingMessage): Promise<Answer<T>> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const code = response.statusCode ?? 0;
  const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
  return { code, body: (isJson ? JSON.parse(text) : { text }) as T };
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let rest = '';
  for await (const chunk of response) {
    rest += String(chunk);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
