// One TCP connection that greets as an HTTP/2 client and reads just enough to tell the protocol (evaluation.md 10.1).
import { connect } from 'node:net';
import type { Protocol } from '../../evaluation/evidence.ts';
import type { ProtocolInquiry } from '../../evaluation/observe/inquiry.ts';
import { classify, GREETING, MAX_GREETED_BYTES, type Stream } from '../../evaluation/observe/protocol.ts';
import { probeDeadline, type ProbeOptions } from './probe-deadline.ts';

/** Resolves with undefined when nothing can be told, for example without an answer. Never rejects. */
export function probeProtocol(
  { host, port }: Pick<ProtocolInquiry, 'host' | 'port'>,
  options: ProbeOptions,
  signal: AbortSignal,
): Promise<Protocol | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect({ host, port });
    const finish = (protocol: Protocol | undefined): void => {
      cancelDeadline();
      socket.destroy();
      resolve(protocol);
    };
    /** What there is decides, or nothing does. */
    const conclude = (stream: Exclude<Stream, 'open'>): void => {
      const result = received.length === 0 ? undefined : classify(received, stream);
      finish(result?.kind === 'decided' ? result.protocol : undefined);
    };
    const cancelDeadline = probeDeadline(options, signal, () => conclude('cut'));
    socket.on('connect', () => socket.write(GREETING));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk.subarray(0, MAX_GREETED_BYTES - received.length)]);
      const result = classify(received, 'open');
      if (result.kind === 'decided') finish(result.protocol);
      else if (received.length >= MAX_GREETED_BYTES) conclude('cut');
    });
    socket.on('end', () => conclude('closed'));
    // A server that resets after it has spoken has spoken, though maybe not to its end.
    socket.on('error', () => conclude('cut'));
    socket.on('close', () => conclude('cut'));
  });
}
