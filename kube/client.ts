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
import { isRecord, recordAt, stringAt } from './json.ts';
import { readList } from './list-body.ts';
import { Pace } from './pace.ts';
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

/** As many as client-go asks for: small enough for the server, and read item by item here. */
const PAGE = 500;
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
  /** The breaks that all take together who read much. */
  readonly pace: Pace;

  constructor(options: KubeClientOptions) {
    this.gate = new ConnectionGate({
      timers: options.clock.timers,
      probe: (signal) => this.probe('/readyz', { signal, timeoutMs: READINESS_TIMEOUT_MS }),
    });
    this.pace = new Pace(options.clock.monotonic);
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
    const items: unknown[] = [];
    return { ...(await this.#page(type, options, (item) => items.push(item))), items };
  }

  async #page(
    type: ResourceType,
    options: ListOptions,
    onItem: (item: unknown) => void,
  ): Promise<Omit<ListPage, 'items'>> {
    const query = {
      ...selectionQuery(options),
      limit: options.limit,
      continue: options.continue,
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
    };
    const path = resourcePath(type, collection(options.namespace));
    const headers = accept(options.representation, 'PartialObjectMetadataList');
    const what = `GET ${path}`;
    const response = await this.#throttled(
      { method: 'GET', path, query, headers, ...pick(options) },
      options.signal,
    );
    if (response.status >= 400) throw await refusal(what, response);
    return readList(what, response.body, this.pace, onItem, options.managedFields);
  }

  /**
   * All objects, in pages of 500, each handed out as it comes. `begin` is called before the first, and again whenever a
   * token that expires on the way makes the list start anew: what was handed out before then counts for nothing, as it
   * does when this rejects. Resolves to the version of the list.
   */
  async listEach(
    type: ResourceType,
    options: Omit<ListOptions, 'continue'>,
    into: { readonly begin: () => void; readonly item: (object: unknown) => void },
  ): Promise<string> {
    const { resourceVersion, resourceVersionMatch, ...always } = options;
    let version: Pick<ListOptions, 'resourceVersion' | 'resourceVersionMatch'> = {
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(resourceVersionMatch === undefined ? {} : { resourceVersionMatch }),
    };
    for (let restarts = 0; ; restarts += 1) {
      let token: string | undefined;
      into.begin();
      try {
        for (;;) {
          const place = token === undefined ? version : { continue: token };
          const page = await this.#page(type, { limit: PAGE, ...always, ...place }, into.item);
          token = page.continue;
          if (token === undefined) return page.resourceVersion;
        }
      } catch (error) {
        if (token === undefined || restarts >= MAX_LIST_RESTARTS || !isGone(error)) throw error;
        // What the token stood for is gone; only a list as of now can be whole.
        version = {};
      }
    }
  }

  /** As {@link listEach}, gathered. */
  async listAll(type: ResourceType, options: Omit<ListOptions, 'continue'> = {}): Promise<ListPage> {
    const items: unknown[] = [];
    const resourceVersion = await this.listEach(type, options, {
      begin: () => {
        items.length = 0;
      },
      item: (object) => items.push(object),
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
    for await (const event of decodeWatch(what, response.body, options.managedFields)) {
      yield event;
      if (this.pace.due()) await this.pace.rest();
    }
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
