// One TCP connection that greets as an HTTP/2 client and reads just enough to tell the protocol (evaluation.md 10.1).
import { connect } from 'node:net';
import type { Protocol } from '../../evaluation/evidence.ts';
import type { ProtocolInquiry } from '../../evaluation/observe/inquiry.ts';
import { classify, GREETING, MAX_GREETED_BYTES } from '../../evaluation/observe/protocol.ts';
import { PROBE_TIMEOUT_MS, type ProbeOptions } from './http-probe.ts';

/** Resolves with undefined when nothing can be told, for example without an answer. Never rejects. */
export function probeProtocol(
  { host, port }: Pick<ProtocolInquiry, 'host' | 'port'>,
  { timers, timeoutMs = PROBE_TIMEOUT_MS }: ProbeOptions,
  signal: AbortSignal,
): Promise<Protocol | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect({ host, port });
    const finish = (protocol: Protocol | undefined): void => {
      cancelDeadline();
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(protocol);
    };
    /** No more will come: what there is decides, or nothing does. */
    const conclude = (): void => {
      const result = received.length === 0 ? undefined : classify(received, true);
      finish(result?.kind === 'decided' ? result.protocol : undefined);
    };
    const giveUp = (): void => finish(undefined);
    const cancelDeadline = timers.after(timeoutMs, conclude);
    signal.addEventListener('abort', giveUp, { once: true });
    socket.on('connect', () => socket.write(GREETING));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk.subarray(0, MAX_GREETED_BYTES - received.length)]);
      const result = classify(received, false);
      if (result.kind === 'decided') finish(result.protocol);
      else if (received.length >= MAX_GREETED_BYTES) conclude();
    });
    socket.on('end', conclude);
    // A server that resets after it has spoken has spoken.
    socket.on('error', conclude);
    socket.on('close', conclude);
  });
}
