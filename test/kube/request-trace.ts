// What a client asked last and what came of it, for whoever has to find out why it does not know better.
import type { Transport, TransportRequest, TransportResponse } from '../../kube/transport.ts';
import { withQuery } from '../../kube/transport.ts';

type Entry = {
  readonly what: string;
  readonly askedAt: number;
  /** Status, and when the headers came. */
  answer?: { readonly status: number; readonly at: number };
  bytes: number;
  lastBytesAt?: number;
  end?: { readonly how: string; readonly at: number };
};

const KEPT = 12;

export class RequestTrace {
  readonly #entries: Entry[] = [];

  /** A transport that does the same and is traced. */
  over(transport: Transport): Transport {
    return {
      get liveness() {
        return transport.liveness;
      },
      request: (request) => this.#traced(transport, request),
      close: () => transport.close(),
    };
  }

  /** The last requests, oldest first, with times in milliseconds before now. */
  lines(): readonly string[] {
    const ago = (at: number): string => `${Math.round(performance.now() - at)} ms ago`;
    return this.#entries.map(({ what, askedAt, answer, bytes, lastBytesAt, end }) =>
      [
        `${what} asked ${ago(askedAt)}`,
        answer === undefined ? 'no headers' : `${answer.status} ${ago(answer.at)}`,
        lastBytesAt === undefined ? 'no bytes' : `${bytes} bytes, the last ${ago(lastBytesAt)}`,
        end === undefined ? 'open' : `${end.how} ${ago(end.at)}`,
      ].join(', '),
    );
  }

  async #traced(transport: Transport, request: TransportRequest): Promise<TransportResponse> {
    const { method, path, query } = request;
    const what = `${method} ${withQuery(path, query)}`;
    const entry: Entry = { what, askedAt: performance.now(), bytes: 0 };
    this.#entries.push(entry);
    if (this.#entries.length > KEPT) this.#entries.shift();
    const ended = (how: string): void => {
      entry.end = { how, at: performance.now() };
    };
    try {
      const response = await transport.request(request);
      entry.answer = { status: response.status, at: performance.now() };
      return { ...response, body: traced(response.body, entry, ended) };
    } catch (error) {
      ended(String(error));
      throw error;
    }
  }
}

async function* traced(
  body: AsyncIterable<Uint8Array>,
  entry: Entry,
  ended: (how: string) => void,
): AsyncGenerator<Uint8Array> {
  let how = 'left';
  try {
    for await (const chunk of body) {
      entry.bytes += chunk.length;
      entry.lastBytesAt = performance.now();
      yield chunk;
    }
    how = 'ended';
  } catch (error) {
    how = String(error);
    throw error;
  } finally {
    ended(how);
  }
}
