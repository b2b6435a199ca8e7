// The admission server: HTTPS that the API server can keep open, certificates that change under it, a stop that drains.
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { aborted } from '../runtime/aborted.ts';
import type { Clock } from '../runtime/clock.ts';
import { errorCode } from '../runtime/error-code.ts';
import { ListenError } from '../runtime/health-server.ts';
import type { Logger } from '../runtime/logger.ts';
import { sleep } from '../runtime/sleep.ts';
import { type CertificateFiles, readPair, type ServingPair, watchPair } from './certificate.ts';
import type { PromotionHandler } from './promotion-handler.ts';
import { reviewBody } from './review.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export type WebhookServerOptions = {
  readonly handler: PromotionHandler;
  readonly files: CertificateFiles;
  /** Default: all addresses. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** How long a stopping server goes on answering while it is taken out of the Service, in milliseconds. */
  readonly drainMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: WebhookMetrics;
};

/** An update carries the old and the new object, each up to the API server's limit of 3 MiB, and the frame around them. */
const BODY_LIMIT_BYTES = 7 * 1024 * 1024;
/** The API server keeps idle connections for 90 s; it must be the one that closes, or it meets a reset. */
const KEEP_ALIVE_MS = 95_000;
const HEADERS_MS = 100_000;
/** Longest time from the first byte of a request to its last. */
const REQUEST_MS = 30_000;

export class WebhookServer {
  readonly name = 'webhook-server';
  readonly #options: WebhookServerOptions;
  readonly #listening = Promise.withResolvers<void>();
  #port: number | undefined;
  #notAfterMs = Number.POSITIVE_INFINITY;
  #draining = false;

  constructor(options: WebhookServerOptions) {
    this.#options = options;
    this.#listening.promise.catch(() => undefined);
  }

  /** Resolves when the server listens; rejects when it cannot. */
  ready(): Promise<void> {
    return this.#listening.promise;
  }

  get port(): number | undefined {
    return this.#port;
  }

  /** Why no further traffic should be sent here; undefined while it should. */
  notReady(): string | undefined {
    if (this.#draining) return 'stopping';
    if (this.#port === undefined) return 'not listening yet';
    return this.#options.clock.wall.now() < this.#notAfterMs
      ? undefined
      : 'the serving certificate has expired';
  }

  /** End of validity of the certificate in service, in milliseconds since the epoch. */
  get certificateNotAfterMs(): number {
    return this.#notAfterMs;
  }

  /**
   * Serves until `signal` aborts, then goes on answering for `drainMs` with `connection: close`, and closes.
   * Rejects with CertificateError or ListenError when it cannot start.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, drainMs, log } = this.#options;
    let app: FastifyInstance<Server> | undefined;
    const following = new AbortController();
    try {
      const pair = await readPair(this.#options.files);
      app = this.#build(pair);
      await this.#listen(app);
      this.#listening.resolve();
      const server = app.server;
      const watching = watchPair(
        {
          files: this.#options.files,
          initial: pair,
          onChange: (next) => this.#use(server, next),
          timers: clock.timers,
          log,
        },
        following.signal,
      );
      await aborted(signal);
      this.#draining = true;
      await sleep(clock.timers, drainMs, new AbortController().signal);
      following.abort();
      await watching;
    } catch (error) {
      this.#listening.reject(error);
      throw error;
    } finally {
      following.abort();
      await app?.close();
    }
  }

  #use(server: Server, pair: ServingPair): void {
    server.setSecureContext({ cert: pair.cert, key: pair.key });
    this.#notAfterMs = pair.notAfterMs;
  }

  #build(pair: ServingPair): FastifyInstance<Server> {
    const { handler, metrics, clock } = this.#options;
    const app = fastify({
      https: { cert: pair.cert, key: pair.key },
      bodyLimit: BODY_LIMIT_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: REQUEST_MS,
      forceCloseConnections: 'idle',
      logger: false,
    });
    app.server.headersTimeout = HEADERS_MS;
    this.#notAfterMs = pair.notAfterMs;
    // The handler reads the bytes itself: a body that does not parse still deserves an answer with its uid.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.addHook('onSend', async (_request, reply) => {
      if (this.#draining) reply.header('connection', 'close');
    });
    app.post('/admit/promotion', (request, reply) => {
      const started = clock.monotonic.now();
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const answer = handler.handle(body);
      metrics.took(clock.monotonic.now() - started);
      if (answer.kind === 'badRequest') return reply.code(400).send({ error: answer.why });
      return reply.send(reviewBody(answer.answer));
    });
    app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
      const status = error.statusCode ?? 500;
      if (status >= 500) this.#options.log.error('a request failed', { error });
      return reply.code(status).send({ error: status >= 500 ? 'internal error' : error.message });
    });
    return app;
  }

  async #listen(app: FastifyInstance<Server>): Promise<void> {
    const { host, port } = this.#options;
    try {
      await app.listen({ host: host ?? '::', port }).catch((error: unknown) => {
        // A machine without IPv6 has no such address; without a wish of the user all of IPv4 will do.
        if (host !== undefined || errorCode(error) !== 'EAFNOSUPPORT') throw error;
        return app.listen({ host: '0.0.0.0', port });
      });
    } catch (cause) {
      const code = errorCode(cause);
      throw new ListenError(
        `cannot listen on port ${port} (${code}); free it or choose another one with --bind-address`,
        { cause },
      );
    }
    this.#port = (app.server.address() as AddressInfo).port;
  }
}
