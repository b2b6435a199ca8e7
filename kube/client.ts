// The client: one method per verb, raw JSON in and out, refusals as KubeApiError.
import type { Clock } from '../runtime/clock.ts';
import { sleep } from '../runtime/sleep.ts';
import { decodeStatus, KubeApiError } from './api-error.ts';
import type {
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  ListPage,
  ObjectRef,
  RequestOptions,
  Selection,
  WatchOptions,
  WriteOptions,
} from './client-options.ts';
import { ConnectionGate } from './connection-gate.ts';
import { isRecord, recordAt, stringAt, valueAt } from './json.ts';
import { type ResourceType, resourcePath } from './resource.ts';
import type { RestMetrics } from './rest-metrics.ts';
import {
  KubeConnectionError,
  type QueryValue,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';
import { decodeWatch, type WatchEvent } from './watch-stream.ts';

export type * from './client-options.ts';

export type KubeClientOptions = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly metrics?: RestMetrics;
  /**
   * Called right before each request that may change something is written; throws to forbid it. For a leader's writes:
   * `() => elector.assertLeading()`. Default: none.
   */
  readonly beforeWrite?: () => void;
};

/** Small enough that parsing one page does not hold the event loop up. */
const PAGE = 100;
const MAX_LIST_RESTARTS = 3;
const MAX_THROTTLE_RETRIES = 5;
const MAX_THROTTLE_SECONDS = 30;
const WATCH_HEADERS_MS = 30_000;
const READINESS_TIMEOUT_MS = 5_000;
const MERGE_PATCH = 'application/merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

/** Methods reject with KubeApiError for a refusal and with KubeConnectionError when no whole answer came. */
export class KubeClient {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #metrics: RestMetrics | undefined;
  readonly #beforeWrite: (() => void) | undefined;

  /** Where all who lost the connection wait for the server together. */
  readonly gate: ConnectionGate;

  constructor(options: KubeClientOptions) {
    this.gate = new ConnectionGate({
      timers: options.clock.timers,
      probe: (signal) => this.probe('/readyz', { signal, timeoutMs: READINESS_TIMEOUT_MS }),
    });
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#metrics = options.metrics;
    this.#beforeWrite = options.beforeWrite;
  }

  /** Whether dead connections are noticed by themselves. */
  get liveness(): 'pinged' | 'silent' {
    return this.#transport.liveness;
  }

  get(
    type: ResourceType,
    ref: ObjectRef,
    options: RequestOptions & { subresource?: string } & Pick<Selection, 'representation'> = {},
  ): Promise<unknown> {
    const headers = accept(options.representation, 'PartialObjectMetadata');
    return this.#json({ method: 'GET', path: objectPath(type, ref, options), headers }, options);
  }

  /** As {@link get}; undefined when there is no such object. A kind that is not served also reads as absent. */
  async find(type: ResourceType, ref: ObjectRef, options: RequestOptions = {}): Promise<unknown> {
    const path = resourcePath(type, ref);
    const response = await this.#answer({ method: 'GET', path }, options, [404]);
    return response.status === 404 ? undefined : response.body;
  }

  /** One page. */
  async list(type: ResourceType, options: ListOptions = {}): Promise<ListPage> {
    const query = {
      ...selectionQuery(options),
      limit: options.limit,
      continue: options.continue,
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
    };
    const path = resourcePath(type, collection(options.namespace));
    const headers = accept(options.representation, 'PartialObjectMetadataList');
    return decodeList(`GET ${path}`, await this.#json({ method: 'GET', path, query, headers }, options));
  }

  /**
   * All objects, in pages of 100. `onPage` gets each page as it comes and must drop what it got when `page` is 0 again:
   * a token that expires on the way starts the list anew. Resolves to the version of the list.
   */
  async listPages(
    type: ResourceType,
    options: Omit<ListOptions, 'continue'>,
    onPage: (items: readonly unknown[], page: number) => void,
  ): Promise<string> {
    const { resourceVersion, resourceVersionMatch, ...always } = options;
    let version: Pick<ListOptions, 'resourceVersion' | 'resourceVersionMatch'> = {
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(resourceVersionMatch === undefined ? {} : { resourceVersionMatch }),
    };
    for (let restarts = 0; ; restarts += 1) {
      let token: string | undefined;
      try {
        for (let page = 0; ; page += 1) {
          const place = token === undefined ? version : { continue: token };
          const result: ListPage = await this.list(type, { limit: PAGE, ...always, ...place });
          onPage(result.items, page);
          token = result.continue;
          if (token === undefined) return result.resourceVersion;
        }
      } catch (error) {
        if (token === undefined || restarts >= MAX_LIST_RESTARTS || !isGone(error)) throw error;
        // What the token stood for is gone; only a list as of now can be whole.
        version = {};
      }
    }
  }

  /** As {@link listPages}, gathered. */
  async listAll(type: ResourceType, options: Omit<ListOptions, 'continue'> = {}): Promise<ListPage> {
    const items: unknown[] = [];
    const resourceVersion = await this.listPages(type, options, (page, number) => {
      if (number === 0) items.length = 0;
      for (const item of page) items.push(item);
    });
    return { items, resourceVersion };
  }

  create(
    type: ResourceType,
    object: unknown,
    options: WriteOptions & { namespace?: string } = {},
  ): Promise<unknown> {
    const path = resourcePath(type, collection(options.namespace ?? namespaceOf(type, object)));
    return this.#write('POST', path, object, options);
  }

  /** Replaces the object. Keep its `metadata.resourceVersion`, so that a change in between is a conflict. */
  update(type: ResourceType, ref: ObjectRef, object: unknown, options: WriteOptions = {}): Promise<unknown> {
    return this.#write('PUT', objectPath(type, ref, options), object, options);
  }

  /** JSON merge patch: nulls delete. With `metadata.resourceVersion` in it a change in between is a conflict. */
  mergePatch(
    type: ResourceType,
    ref: ObjectRef,
    patch: unknown,
    options: WriteOptions = {},
  ): Promise<unknown> {
    return this.#write('PATCH', objectPath(type, ref, options), patch, options, MERGE_PATCH);
  }

  /** Server-side apply: states the fields that are ours, creating the object if need be. */
  apply(type: ResourceType, ref: ObjectRef, object: unknown, options: ApplyOptions): Promise<unknown> {
    const force = options.conflicts === 'take' ? 'true' : undefined;
    return this.#write('PATCH', objectPath(type, ref, options), object, options, APPLY_PATCH, { force });
  }

  delete(type: ResourceType, ref: ObjectRef, options: DeleteOptions = {}): Promise<unknown> {
    const { propagationPolicy, gracePeriodSeconds, preconditions } = options;
    const body = JSON.stringify({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy,
      gracePeriodSeconds,
      preconditions,
      ...(options.dryRun === undefined ? {} : { dryRun: ['All'] }),
    });
    const headers = { 'content-type': 'application/json' };
    return this.#json({ method: 'DELETE', path: resourcePath(type, ref), body, headers }, options);
  }

  /** Any other JSON endpoint: `/version`, reviews, a `/status` or `/token` subresource. */
  raw(
    request: Omit<TransportRequest, 'signal' | 'timeoutMs'>,
    options: RequestOptions = {},
  ): Promise<unknown> {
    return this.#json(request, options);
  }

  /** GET of a path that answers in text, such as `/readyz`: its status, whatever it is. */
  async probe(path: string, options: RequestOptions = {}): Promise<number> {
    const response = await this.#once({ method: 'GET', path }, options);
    await text(response.body);
    return response.status;
  }

  /**
   * Events as they come, until the server ends the watch or `signal` aborts (then it rejects with the signal's reason).
   * Rejects with WatchStreamError when the stream is malformed.
   */
  async *watch(type: ResourceType, options: WatchOptions): AsyncGenerator<WatchEvent, void> {
    const path = resourcePath(type, collection(options.namespace));
    const streaming = options.initialEvents === 'send';
    const query = {
      watch: 'true',
      allowWatchBookmarks: 'true',
      ...selectionQuery(options),
      resourceVersion: options.resourceVersion,
      timeoutSeconds: options.timeoutSeconds,
      ...(streaming ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' } : {}),
    };
    const headers = accept(options.representation, 'PartialObjectMetadata');
    const request: TransportRequest = {
      method: 'GET',
      path,
      query,
      headers,
      signal: options.signal,
      timeoutMs: WATCH_HEADERS_MS,
      silenceMs: options.silenceMs ?? 0,
    };
    const response = await this.#throttled(request, options.signal);
    const what = `GET ${path}?watch`;
    if (response.status >= 400) throw await refusal(what, response);
    yield* decodeWatch(what, response.body);
  }

  #write(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    object: unknown,
    options: WriteOptions,
    contentType = 'application/json',
    more: Readonly<Record<string, QueryValue>> = {},
  ): Promise<unknown> {
    const query = {
      fieldManager: options.fieldManager,
      dryRun: options.dryRun === undefined ? undefined : 'All',
      ...more,
    };
    const headers = { 'content-type': contentType };
    return this.#json({ method, path, query, headers, body: JSON.stringify(object) }, options);
  }

  async #json(request: TransportRequest, options: RequestOptions): Promise<unknown> {
    return (await this.#answer(request, options, [])).body;
  }

  /** Sends, reads the whole answer, and throws refusals but those in `expected`. */
  async #answer(
    request: TransportRequest,
    options: RequestOptions,
    expected: readonly number[],
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const what = `${request.method} ${request.path}`;
    const response = await this.#throttled({ ...request, ...pick(options) }, options.signal);
    if (expected.includes(response.status)) {
      await text(response.body);
      return { status: response.status, body: undefined };
    }
    if (response.status >= 400) throw await refusal(what, response);
    return { status: response.status, body: parse(what, await text(response.body)) };
  }

  /** The one place that honours Retry-After: the server did not act on a 429, so any request may be sent again. */
  async #throttled(request: TransportRequest, signal: AbortSignal | undefined): Promise<TransportResponse> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#once(request, {});
      if (response.status !== 429 || attempt >= MAX_THROTTLE_RETRIES) return response;
      const error = await refusal(`${request.method} ${request.path}`, response);
      const seconds = Math.min(error.retryAfterSeconds ?? 1, MAX_THROTTLE_SECONDS);
      // Up to half as much again, so that all who were turned away do not come back in one instant.
      const waitMs = seconds * 1_000 * (1 + Math.random() / 2);
      await sleep(this.#clock.timers, waitMs, signal ?? new AbortController().signal);
      signal?.throwIfAborted();
    }
  }

  async #once(request: TransportRequest, options: RequestOptions): Promise<TransportResponse> {
    const started = this.#clock.monotonic.now();
    const seconds = (): number => (this.#clock.monotonic.now() - started) / 1_000;
    try {
      const guarded = request.method !== 'GET' && this.#beforeWrite !== undefined;
      const response = await this.#transport.request({
        ...request,
        ...pick(options),
        ...(guarded ? { beforeSend: this.#beforeWrite } : {}),
      });
      this.#metrics?.observe(request.method, String(response.status), seconds());
      return response;
    } catch (error) {
      this.#metrics?.observe(request.method, '<error>', seconds());
      throw error;
    }
  }
}

function pick({ signal, timeoutMs }: RequestOptions): Pick<TransportRequest, 'signal' | 'timeoutMs'> {
  return { ...(signal === undefined ? {} : { signal }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

function collection(namespace: string | undefined): { namespace?: string } {
  return namespace === undefined || namespace === '' ? {} : { namespace };
}

function objectPath(
  type: ResourceType,
  ref: ObjectRef,
  { subresource }: Pick<WriteOptions, 'subresource'>,
): string {
  return resourcePath(type, { ...ref, ...(subresource === undefined ? {} : { subresource }) });
}

function namespaceOf(type: ResourceType, object: unknown): string | undefined {
  if (!type.namespaced || !isRecord(object)) return undefined;
  const namespace = stringAt(recordAt(object, 'metadata') ?? {}, 'namespace');
  if (namespace === undefined) throw new TypeError(`creating a ${type.kind} needs a namespace`);
  return namespace;
}

function selectionQuery({ labelSelector, fieldSelector }: Selection): Record<string, QueryValue> {
  return { labelSelector, fieldSelector };
}

function accept(representation: Selection['representation'], kind: string): Record<string, string> {
  return representation === 'metadata' ? { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` } : {};
}

function decodeList(what: string, body: unknown): ListPage {
  const items = isRecord(body) ? valueAt(body, 'items') : undefined;
  const metadata = isRecord(body) ? recordAt(body, 'metadata') : undefined;
  const resourceVersion = metadata === undefined ? undefined : stringAt(metadata, 'resourceVersion');
  // An empty typed list may come as null.
  const list = items === null ? [] : items;
  if (!Array.isArray(list) || metadata === undefined || resourceVersion === undefined) {
    throw new KubeConnectionError(`${what}: the answer is not a list`);
  }
  const token = stringAt(metadata, 'continue');
  return {
    items: list,
    resourceVersion,
    ...(token === undefined || token === '' ? {} : { continue: token }),
  };
}

async function refusal(what: string, response: TransportResponse): Promise<KubeApiError> {
  // An answer that breaks off or is called off is that, not a refusal.
  const sent = await text(response.body);
  let body: unknown;
  try {
    body = JSON.parse(sent);
  } catch {
    // A page of something in between, or nothing: the status has to say it all.
  }
  return decodeStatus(what, response.status, body, response.headers['retry-after']);
}

function isGone(error: unknown): boolean {
  return error instanceof KubeApiError && error.isGone;
}

function parse(what: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // The cause would quote the body.
    throw new KubeConnectionError(`${what}: the answer is not JSON or was cut off`);
  }
}

async function text(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
