// One request and its answer over undici, with no more in between than what keeps a fast server from filling the memory.
import type { Dispatcher } from 'undici';

export type ExchangeHead = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type ExchangeOptions = {
  /** Called when the connection stands and nothing has been written yet; when it throws, nothing will be. */
  readonly beforeSend: () => void;
  /** Makes what the iteration rejects with of an error; called once. */
  readonly explain: (error: Error) => unknown;
  /** Called once, when the iteration has ended in whichever way. */
  readonly release: () => void;
};

/** Bytes that may wait to be read before the server is held back. */
const HIGH_WATER_BYTES = 65_536;

/**
 * Hand it to `dispatch`. {@link head} settles with the answer's head, or rejects; after that the answer's bytes are iterated over,
 * once. Leaving the iteration early ends the request.
 */
export class Exchange implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array, undefined> {
  readonly #head = Promise.withResolvers<ExchangeHead>();
  readonly #options: ExchangeOptions;
  readonly #chunks: Uint8Array[] = [];
  #waitingBytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  /** Why it failed, or was called off. */
  #error: Error | undefined;
  #ended = false;
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined;

  /** What the iteration came to. */
  #outcome: Promise<IteratorResult<Uint8Array, undefined>> | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    // It may be called off before anybody waits for its head.
    this.#head.promise.catch(() => undefined);
  }

  get head(): Promise<ExchangeHead> {
    return this.#head.promise;
  }

  /** Rejects when it fails or is called off before the answer's head, and never settles else. */
  untilFailed(): Promise<never> {
    return this.#head.promise.then(() => new Promise<never>(() => undefined));
  }

  /** Ends the request; its head or its iteration rejects with `reason`, unless all of it has been read. */
  abort(reason: Error): void {
    if (this.#error !== undefined || (this.#ended && this.#chunks.length === 0)) return;
    this.#fail(reason);
    if (!this.#ended) this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#error !== undefined) controller.abort(this.#error);
    // What is thrown here ends the request, not its connection.
    else this.#options.beforeSend();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ExchangeHead['headers'],
  ): void {
    // Lower ones announce the answer.
    if (status >= 200) this.#head.resolve({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#error !== undefined) return;
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader.resolve({ done: false, value: chunk });
      return;
    }
    this.#chunks.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= HIGH_WATER_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#reader?.resolve(this.#conclude());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#ended && this.#error === undefined) this.#fail(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    // Called off means now, whatever has come.
    if (this.#error !== undefined) return this.#conclude();
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#waitingBytes -= chunk.length;
      if (this.#waitingBytes === 0 && this.#controller?.paused === true) this.#controller.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#ended) return this.#conclude();
    this.#reader ??= Promise.withResolvers();
    return this.#reader.promise;
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.abort(new Error('nobody reads on'));
    this.#outcome ??= this.#settle(END);
    return Promise.resolve(END);
  }

  #fail(error: Error): void {
    this.#error = error;
    this.#chunks.length = 0;
    this.#head.reject(error);
    this.#reader?.resolve(this.#conclude());
  }

  #conclude(): Promise<IteratorResult<Uint8Array, undefined>> {
    const error = this.#error;
    return (this.#outcome ??= this.#settle(
      error === undefined ? END : Promise.reject(this.#options.explain(error)),
    ));
  }

  #settle(
    outcome: IteratorResult<Uint8Array, undefined> | Promise<never>,
  ): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#options.release();
    return Promise.resolve(outcome);
  }
}

const END: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };
