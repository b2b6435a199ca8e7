// A transport without a network: requests reach a shared object store, late, or never, as the test decides per request.
import type { Timers } from '../../runtime/clock.ts';
import {
  KubeConnectionError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../../kube/transport.ts';
import { isFailure, type ObjectStore, type Raw } from './object-store.ts';

/** What happens to one request. Times in milliseconds. */
export type Fate =
  | { readonly kind: 'answer'; readonly requestMs: number; readonly answerMs: number }
  /** The server acts on it, the answer is lost. */
  | { readonly kind: 'answerLost'; readonly requestMs: number }
  /** It never arrives and nothing comes back. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'status'; readonly status: number };

export class MemoryTransport implements Transport {
  readonly #store: ObjectStore;
  readonly #timers: Timers;
  readonly #fate: (request: TransportRequest) => Fate;
  readonly liveness = 'pinged';
  readonly requests: TransportRequest[] = [];

  constructor(store: ObjectStore, timers: Timers, fate: (request: TransportRequest) => Fate) {
    this.#store = store;
    this.#timers = timers;
    this.#fate = fate;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    const fate = this.#fate(request);
    switch (fate.kind) {
      case 'refused':
        throw new KubeConnectionError('refused');
      case 'status':
        return respond(fate.status, { kind: 'Status', code: fate.status });
      case 'silence':
        return this.#wait(Number.POSITIVE_INFINITY, request.signal);
      case 'answerLost':
        await this.#wait(fate.requestMs, request.signal);
        request.beforeSend?.();
        this.#act(request);
        return this.#wait(Number.POSITIVE_INFINITY, request.signal);
      case 'answer': {
        await this.#wait(fate.requestMs, request.signal);
        request.beforeSend?.();
        const response = this.#act(request);
        await this.#wait(fate.answerMs, request.signal);
        return response;
      }
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #act(request: TransportRequest): TransportResponse {
    const [, , , , , namespace = '', resource = '', name] = request.path.split('/');
    const scope = { resource, namespace };
    if (request.method === 'GET') {
      const found = this.#store.get(scope, name ?? '');
      return found === undefined ? respond(404, { kind: 'Status', code: 404 }) : respond(200, found);
    }
    const object = JSON.parse(request.body ?? '{}') as Raw;
    const written = this.#store.write(scope, request.method === 'POST' ? 'create' : 'replace', object);
    if (isFailure(written))
      return respond(written.status, { kind: 'Status', code: written.status, ...written });
    return respond(request.method === 'POST' ? 201 : 200, written);
  }

  #wait(ms: number, signal: AbortSignal | undefined): Promise<never> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        cancel();
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      if (signal?.aborted === true) {
        reject(new Error('aborted'));
        return;
      }
      const cancel = Number.isFinite(ms)
        ? this.#timers.after(ms, () => {
            signal?.removeEventListener('abort', onAbort);
            resolve(undefined as never);
          })
        : () => undefined;
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}

function respond(status: number, body: unknown): TransportResponse {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    status,
    headers: {},
    body: (async function* () {
      yield bytes;
    })(),
  };
}
