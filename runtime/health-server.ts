// Health and metrics over plain HTTP: /healthz, /readyz with named checks, and /metrics, optionally on an own address.
import type { AddressInfo } from 'node:net';
import { aborted } from './aborted.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { createServer, type RequestListener, type Server } from './node-http.ts';

/** A named condition. `undefined` means good; else a reason, which is logged and never shown to whoever asks. */
export type HealthCheck = { readonly name: string; check(): string | undefined };

export type ListenAddress = {
  /** Default: all addresses. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The flag the address came from, named in errors: `--health-address`. */
  readonly flag: string;
};

export type HealthServerOptions = {
  readonly health: ListenAddress;
  /** Serves /metrics here instead of beside the health endpoints. */
  readonly metricsAddress?: ListenAddress;
  readonly metrics?: Metrics;
  readonly live?: readonly HealthCheck[];
  readonly ready?: readonly HealthCheck[];
  readonly log: Logger;
};

/** The address cannot be listened on. */
export class ListenError extends Error {
  readonly code = 'LISTEN_FAILED';
  override readonly name = 'ListenError';
}

type Page = { readonly status: number; readonly contentType: string; readonly body: string };
type Pages = Readonly<Record<string, () => Page | Promise<Page>>>;

const TEXT = 'text/plain; charset=utf-8';

export class HealthServer {
  readonly name = 'health-server';
  readonly #options: HealthServerOptions;
  readonly #listening = Promise.withResolvers<void>();
  readonly #addresses = new Map<'health' | 'metrics', AddressInfo>();

  constructor(options: HealthServerOptions) {
    this.#options = options;
    this.#listening.promise.catch(() => undefined);
  }

  /** Resolves when the addresses are listened on; rejects with {@link ListenError}. */
  ready(): Promise<void> {
    return this.#listening.promise;
  }

  /** Port of the health endpoints, once listening. */
  get port(): number | undefined {
    return this.#addresses.get('health')?.port;
  }

  /** Port of /metrics, once listening; undefined when no metrics are served. */
  get metricsPort(): number | undefined {
    if (this.#options.metrics === undefined) return undefined;
    return (this.#addresses.get('metrics') ?? this.#addresses.get('health'))?.port;
  }

  /** Serves until `signal` aborts. Rejects with {@link ListenError} when an address is taken or not allowed. */
  async run(signal: AbortSignal): Promise<void> {
    const { health, metricsAddress, metrics, log } = this.#options;
    const healthPages: Pages = {
      '/healthz': () => this.#checks(this.#options.live ?? []),
      '/readyz': () => this.#checks(this.#options.ready ?? []),
    };
    const metricsPages: Pages = metrics === undefined ? {} : { '/metrics': () => metricsPage(metrics) };
    const servers: Server[] = [];
    try {
      const first = createServer(
        serve({ ...healthPages, ...(metricsAddress === undefined ? metricsPages : {}) }, log),
      );
      servers.push(first);
      this.#addresses.set('health', await listen(first, health));
      if (metricsAddress !== undefined) {
        const second = createServer(serve(metricsPages, log));
        servers.push(second);
        this.#addresses.set('metrics', await listen(second, metricsAddress));
      }
      this.#listening.resolve();
      await aborted(signal);
    } catch (error) {
      this.#listening.reject(error);
      throw error;
    } finally {
      await Promise.all(servers.map(close));
    }
  }

  #checks(checks: readonly HealthCheck[]): Page {
    const lines: string[] = [];
    let failed = 0;
    for (const item of checks) {
      const { name } = item;
      const reason = reasonOf(item);
      if (reason === undefined) {
        lines.push(`[+]${name} ok`);
        continue;
      }
      failed += 1;
      lines.push(`[-]${name} failed: reason withheld`);
      this.#options.log.debug('health check failed', { component: name, reason });
    }
    lines.push(failed === 0 ? 'ok' : `${failed} of ${checks.length} checks failed`);
    return { status: failed === 0 ? 200 : 503, contentType: TEXT, body: `${lines.join('\n')}\n` };
  }
}

function reasonOf(item: HealthCheck): string | undefined {
  try {
    return item.check();
  } catch (error) {
    return `the check itself failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function metricsPage(metrics: Metrics): Promise<Page> {
  return { status: 200, contentType: metrics.contentType, body: await metrics.render() };
}

function serve(pages: Pages, log: Logger): RequestListener {
  const answer = async (method: string, path: string): Promise<Page> => {
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) return { status: 404, contentType: TEXT, body: 'not found\n' };
    if (method !== 'GET' && method !== 'HEAD') {
      return { status: 405, contentType: TEXT, body: 'only GET and HEAD are served\n' };
    }
    return page();
  };
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    void answer(request.method ?? 'GET', path)
      .catch((error: unknown): Page => {
        log.error('a page cannot be made', { path, error });
        return { status: 500, contentType: TEXT, body: 'internal error\n' };
      })
      .then(({ status, contentType, body }) => {
        response.writeHead(status, {
          'content-type': contentType,
          'content-length': Buffer.byteLength(body),
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      });
  };
}

function listen(server: Server, address: ListenAddress): Promise<AddressInfo> {
  server.headersTimeout = 10_000;
  server.requestTimeout = 15_000;
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const where = `${address.host ?? ''}:${address.port}`;
      reject(new ListenError(`cannot listen on ${where} (${address.flag}): ${explain(cause)}`, { cause }));
    });
    server.listen(
      { port: address.port, ...(address.host === undefined ? {} : { host: address.host }) },
      () => {
        const info = server.address();
        if (info === null || typeof info === 'string') throw new TypeError('a TCP server has a TCP address');
        resolve(info);
      },
    );
  });
}

function explain(cause: NodeJS.ErrnoException): string {
  if (cause.code === 'EADDRINUSE') return 'the address is in use; stop what uses it or choose another port';
  if (cause.code === 'EACCES')
    return 'permission denied; choose a port above 1023 or grant the right to bind it';
  if (cause.code === 'EADDRNOTAVAIL') return 'this machine does not have that address';
  return cause.message;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
