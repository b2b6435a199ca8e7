// Lets the version of a watch be gone at once (410), as it is after a compaction that a reader slept through.
import type { Transport } from '../../kube/transport.ts';

const GONE = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };

export class VersionExpiry {
  #next: 'served' | 'gone' = 'served';

  /** The next watch that goes on from a version hears that it is gone. */
  expire(): void {
    this.#next = 'gone';
  }

  /** A transport that does the same, but for that. */
  over(transport: Transport): Transport {
    return {
      get liveness() {
        return transport.liveness;
      },
      request: async (request) => {
        const { watch, resourceVersion, sendInitialEvents } = request.query ?? {};
        const resumes =
          watch !== undefined && resourceVersion !== undefined && sendInitialEvents === undefined;
        if (!resumes || this.#next === 'served') return transport.request(request);
        this.#next = 'served';
        return { status: 410, headers: {}, body: chunksOf(JSON.stringify(GONE)) };
      },
      close: () => transport.close(),
    };
  }
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
